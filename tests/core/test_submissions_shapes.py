"""Gold and outputs in the shapes of other tools and countries, with values from libraries or by hand."""

import json
import random
from pathlib import Path

import pytest

import nlpstat_core as ns
from nlpstat_core import ConfigError, ScoreFileError, measure_values, read_submissions

LABELS = ("positive", "negative", "neutral")
ITEMS = [f"q{place:03d}" for place in range(40)]
_RANDOM = random.Random(3)
GOLD = [_RANDOM.choice(LABELS) for _ in ITEMS]
OUT = [label if _RANDOM.random() < 0.7 else _RANDOM.choice(LABELS) for label in GOLD]
NUMBERS = [round(_RANDOM.gauss(3, 1), 2) for _ in ITEMS]
GUESSES = [round(number + _RANDOM.gauss(0, 0.5), 2) for number in NUMBERS]
REFERENCES = [f"The cat number {place} sat on the {word} mat, quietly." for place, word in enumerate(OUT)]
TRANSLATIONS = [
    text.replace("quietly", "loudly") if place % 3 else text for place, text in enumerate(REFERENCES)
]


def table(ids, cells, head="id,label"):
    return "\n".join([head, *(f"{item},{cell}" for item, cell in zip(ids, cells, strict=True))]) + "\n"


def read(gold, outputs, *, gold_name="gold.csv", name="A.csv", **choices):
    files = outputs if isinstance(outputs, dict) else {name: outputs}
    given = [(text.encode(), at) for at, text in files.items()]
    return read_submissions((gold.encode(), gold_name), given, **choices)


def said(board):
    return {note.code for note in board.notes}


WRITTEN = {
    "a sign at every end": lambda: (
        "id,label,\n" + "".join(f"{i},{x},\n" for i, x in zip(ITEMS, OUT, strict=True))
    ),
    "a sign at the ends of rows": lambda: (
        "id,label\n" + "".join(f"{i},{x},\n" for i, x in zip(ITEMS, OUT, strict=True))
    ),
    "remarks above the header": lambda: "# run 3, of May\n# model: bert\n" + table(ITEMS, OUT),
    "some ids without their zeros": lambda: table(
        [item if place % 2 else item.upper() for place, item in enumerate(ITEMS)], OUT
    ),
    "ids with signs nobody sees": lambda: table([f"{item}\u200b" for item in ITEMS], OUT),
    "pandas, columns": lambda: json.dumps(
        {
            "id": {str(place): item for place, item in enumerate(ITEMS)},
            "label": {str(place): label for place, label in enumerate(OUT)},
        }
    ),
    "pandas, split": lambda: json.dumps(
        {"columns": ["id", "label"], "index": list(range(40)), "data": list(zip(ITEMS, OUT, strict=True))}
    ),
    "columns of JSON": lambda: json.dumps({"id": ITEMS, "label": OUT}),
    "one list of JSON": lambda: json.dumps({"system": "A", "predictions": OUT}),
    "texts of JSON by line": lambda: "".join(json.dumps(label) + "\n" for label in OUT),
    "lm-evaluation-harness": lambda: "".join(
        json.dumps({"doc_id": item, "doc": {"q": "…"}, "resps": [[label]], "filtered_resps": [label]}) + "\n"
        for item, label in zip(ITEMS, OUT, strict=True)
    ),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_labels_as_tools_write_them(how):
    """Each shape is the board of the plain table."""
    ending = ".jsonl" if "by line" in how or "lm-" in how else ".json" if WRITTEN[how]()[0] == "{" else ".csv"
    board = read(table(ITEMS, GOLD), WRITTEN[how](), name=f"A{ending}")
    assert board.outputs["A"] == tuple(OUT)
    assert board.items == tuple(ITEMS)


def comma(numbers):
    return [str(number).replace(".", ",") for number in numbers]


@pytest.mark.parametrize("of_gold", [False, True], ids=["outputs", "both"])
@pytest.mark.parametrize("measure", [None, "pearson", "mae"])
def test_decimal_commas_are_read_and_said(of_gold, measure):
    gold = "\n".join(comma(NUMBERS) if of_gold else map(str, NUMBERS))
    board = read(gold, "\n".join(comma(GUESSES)), gold_name="gold.txt", name="A.txt", measure=measure)
    assert board.kind == "numbers"
    assert (board.gold, board.outputs["A"]) == (tuple(NUMBERS), tuple(GUESSES))
    assert "numbers-as-written" in said(board)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1\u202f234", 1234.0),
        ("12 345,5", 12345.5),
        ("1'234", 1234.0),
        ("1,234.5", 1234.5),
        ("-1,234,567", -1234567.0),
    ],
)
def test_thousands_that_can_be_nothing_else(cell, value):
    numbers = [str(100 + 7 * place) for place in range(30)]
    board = read("\n".join(numbers), "\n".join([cell, *numbers[1:]]), gold_name="gold.txt", name="A.txt")
    assert board.outputs["A"][0] == value
    assert board.outputs["A"][1:] == board.gold[1:]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("66,460", "70", "may begin decimals or group thousands (66.460 or 66460)"),
        ("2,5", "3.5", "decimal commas and points"),
    ],
)
def test_numbers_that_may_be_two_are_refused(first, second, reason):
    numbers = [str(100 + 7 * place) for place in range(30)]
    with pytest.raises(ScoreFileError) as refused:
        read("\n".join(numbers), "\n".join([first, second, *numbers[2:]]), gold_name="gold.txt", name="A.txt")
    assert reason in str(refused.value)
    assert str(refused.value).startswith("'A' has ")


def test_two_labels_joined_by_a_comma_are_no_decimals():
    gold = ["1,2", "1,3", "2,3", "1"] * 10
    board = read("\n".join(gold), "\n".join(gold[::-1]), gold_name="gold.txt", name="A.txt")
    assert board.kind == "labels"


@pytest.mark.parametrize(("factor", "cautioned"), [(100, True), (1000, True), (1, False), (5, False)])
def test_numbers_of_another_size_are_said(factor, cautioned):
    board = read(
        "\n".join(map(str, NUMBERS)),
        "\n".join(str(factor * x) for x in GUESSES),
        gold_name="g.txt",
        name="A.txt",
    )
    assert ("outputs-of-other-size" in said(board)) == cautioned


def test_scores_of_any_size_go_with_gold_of_0_and_1():
    gold = ["0", "1", "1"] * 12
    board = read(
        "\n".join(gold),
        "\n".join(f"{35.5 + place}" for place in range(36)),
        gold_name="g.txt",
        name="A.txt",
        measure="roc-auc",
    )
    assert "outputs-of-other-size" not in said(board)
    above = [
        (g > h) + (g == h) / 2
        for g, a in zip(range(36), gold, strict=True)
        if a == "1"
        for h in range(0, 36, 3)
    ]
    assert measure_values(board)[0, 0] == pytest.approx(sum(above) / len(above))


@pytest.mark.parametrize("form", ["{id} {text}", "{text} ({id})"], ids=["Kaldi", "trn"])
@pytest.mark.parametrize("turned", [False, True])
def test_ids_in_lines_join_them_and_are_no_words(form, turned):
    """The word error rate is jiwer's of the texts alone, whatever the order of lines."""
    import jiwer

    def lines(texts):
        return [
            form.format(id=f"spk{place % 3}-utt{place:03d}", text=text) for place, text in enumerate(texts)
        ]

    own = lines(TRANSLATIONS)[:: -1 if turned else 1]
    board = read(
        "\n".join(lines(REFERENCES)), "\n".join(own), gold_name="ref.txt", name="A.txt", measure="wer"
    )
    assert measure_values(board)[0, 0] == pytest.approx(jiwer.wer(REFERENCES, TRANSLATIONS), abs=1e-12)
    assert "ids-in-lines" in said(board)


def test_numbered_sentences_and_first_words_are_no_ids():
    texts = [f"{place}. The cat sat." for place in range(1, 31)]
    board = read("\n".join(texts), "\n".join(texts[::-1]), gold_name="ref.txt", name="A.txt")
    assert board.gold[0] == ("1. The cat sat.",)
    assert "ids-in-lines" not in said(board)


def sgm(texts, kind, of=""):
    body = "".join(f'<seg id="{place}"> {text} </seg>\n' for place, text in enumerate(texts, 1))
    return f'<{kind} setid="x" srclang="en">\n<doc {of}docid="d1">\n<p>\n{body}</p></doc>\n</{kind}>\n'


def test_wmts_markup_holds_segments():
    """SGML and XML are the board of the plain lines, whose BLEU is sacreBLEU's; entities are characters."""
    import sacrebleu

    marked = [text.replace("mat", "mat &amp; hat") for text in TRANSLATIONS]
    board = read(
        sgm(REFERENCES, "refset"),
        sgm(marked, "tstset", 'sysid="A" '),
        gold_name="ref.sgm",
        name="A.sgm",
        measure="bleu",
    )
    plain = [text.replace("&amp;", "&") for text in marked]
    assert board.outputs["A"] == tuple(plain)
    assert measure_values(board)[0, 0] == pytest.approx(
        sacrebleu.corpus_bleu(plain, [REFERENCES]).score, abs=1e-9
    )

    def part(tag, texts):
        return (
            f"<{tag}><p>" + "".join(f'<seg id="{n}">{text}</seg>' for n, text in enumerate(texts, 1)) + "</p>"
        )

    xml = (
        "<?xml version='1.0' encoding='utf-8'?><dataset><doc id=\"d1\" origlang=\"en\">"
        + part('src lang="en"', [f"Quelle {n}" for n in range(40)])
        + "</src>"
        + part('ref lang="de" translator="A"', REFERENCES)
        + "</ref></doc></dataset>"
    )
    beside = read(xml, "\n".join(TRANSLATIONS), gold_name="ref.xml", name="A.txt", measure="bleu")
    assert [right[0] for right in beside.gold] == REFERENCES
    assert beside.labels["source"][1] == "Quelle 1"


def test_a_segment_twice_is_refused():
    with pytest.raises(ScoreFileError, match="the segment '1' of the document 'd1' appears twice"):
        read(sgm(REFERENCES, "refset").replace('id="2"', 'id="1"'), "x", gold_name="ref.sgm", name="A.txt")


@pytest.mark.parametrize("about", ["text", "source", "src"])
def test_what_describes_items_is_no_system(about):
    """Beside two systems the source isn't a third one, nor the answer of one that is called like the file."""
    lines = [f"id,{about},one,two"]
    lines += [f"{item},Quelle {item},{a},{b}" for item, a, b in zip(ITEMS, OUT, GOLD, strict=True)]
    board = read(table(ITEMS, GOLD), "\n".join(lines), name="all.csv")
    assert dict(board.outputs) == {"one": tuple(OUT), "two": tuple(GOLD)}


def test_text_is_the_answer_where_nothing_else_may_be():
    gold = "id\treference\n" + "".join(
        f"{item}\t{text}\n" for item, text in zip(ITEMS, REFERENCES, strict=True)
    )
    rows = zip(ITEMS, TRANSLATIONS, strict=True)
    own = "id\ttext\tconfidence\n" + "".join(f"{item}\t{text}\t0.5\n" for item, text in rows)
    assert read(gold, own, gold_name="gold.tsv", name="A.tsv").outputs["A"] == tuple(TRANSLATIONS)


@pytest.mark.parametrize("names", ["doc_id,sent_id", "document,seg", "seg_id,doc"])
def test_two_columns_may_name_items_together(names):
    """Ids that start again in every document: rows in another order are joined by both."""

    def written(order, cells):
        pairs = {place: f"{place // 5},{place % 5}" for place in order}
        return "\n".join([f"{names},label", *(f"{pairs[place]},{cells[place]}" for place in order)])

    order = list(range(40))
    random.Random(4).shuffle(order)
    board = read(written(range(40), GOLD), written(order, OUT))
    assert board.outputs["A"] == tuple(OUT)
    assert board.items[6] == "1:1"


def test_sentences_are_no_ids_beside_an_index():
    gold = "\n".join(
        ["index,sentence,label", *(f"{n},some words {n},{label}" for n, label in enumerate(GOLD))]
    )
    own = "\n".join(["index,prediction", *(f"{n},{OUT[n]}" for n in reversed(range(40)))])
    assert read(gold, own).outputs["A"] == tuple(OUT)


def test_an_index_that_counts_rows_beside_gold_in_another_order_is_said():
    """pandas writes the index of a split beside gold, and that of a new series beside predictions."""
    order = list(range(40))
    random.Random(4).shuffle(order)
    gold = "\n".join([",label", *(f"{place},{label}" for place, label in zip(order, GOLD, strict=True))])
    own = "\n".join([",0", *(f"{place},{label}" for place, label in enumerate(OUT))])
    board = read(gold, own)
    assert board.n_items == 40
    assert "order-doubtful" in said(board)


@pytest.mark.parametrize("judged", ["hypothesis", "mt"])
def test_what_is_judged_is_no_answer_beside_gold_s_name(judged):
    """NLI's hypotheses and the translations of quality estimation stand beside labels or scores."""

    def written(cells):
        return f"id,{judged},label\n" + "".join(
            f"{i},some words {i},{x}\n" for i, x in zip(ITEMS, cells, strict=True)
        )

    assert read(written(GOLD), written(OUT)).outputs["A"] == tuple(OUT)
    assert read(table(ITEMS, GOLD), written(OUT)).outputs["A"] == tuple(OUT)


def test_quotation_marks_over_several_rows_are_text():
    """Quotations that begin in one segment and end in another; no marks stand around cells."""
    texts = [
        '"He said hello.' if n % 4 == 0 else 'Then he left."' if n % 4 == 1 else f"plain {n}"
        for n in range(40)
    ]
    board = read(table(ITEMS, texts, "id,reference"), table(ITEMS, texts, "id,output"), measure="exact-match")
    assert board.n_items == 40
    assert board.outputs["A"] == tuple(texts)


def test_one_of_several_columns_of_0_and_1_is_named():
    gold = table(ITEMS, [f"{n % 2},{n % 3 % 2}" for n in range(40)], "id,Survived,Private")
    own = table(ITEMS, [n % 2 for n in range(40)], "id,Survived")
    with pytest.raises(
        ScoreFileError, match=r"none for 'Private'.*gold_column if one of gold's is what is right"
    ):
        read(gold, own)
    assert read(gold, own, gold_column="Survived", measure="accuracy").kind == "labels"


def test_line_ends_within_quoted_cells():
    texts = [text.replace(" on", " \non") for text in TRANSLATIONS]
    own = "id,hypothesis\n" + "".join(f'{item},"{text}"\n' for item, text in zip(ITEMS, texts, strict=True))
    gold = "id\treference\n" + "".join(
        f"{item}\t{text}\n" for item, text in zip(ITEMS, REFERENCES, strict=True)
    )
    assert read(gold, own, gold_name="gold.tsv").outputs["A"] == tuple(texts)


def test_text_that_begins_with_a_bracket_is_no_json():
    own = ["[laughs] Hello.", *TRANSLATIONS[1:-1], "Bye [noise]"]
    board = read("\n".join(REFERENCES), "\n".join(own), gold_name="ref.txt", name="A.txt")
    assert board.outputs["A"] == tuple(own)
    with pytest.raises(ScoreFileError, match="not valid JSON"):
        read("\n".join(REFERENCES), "\n".join(own), gold_name="ref.txt", name="A.json")


def test_remarks_with_tabs_above_sentences_and_lists_of_tags():
    """MultiCoNER's files, and those of a table that pandas or NumPy wrote lists of tags into."""
    tags = [("B-PER", "I-PER", "O"), ("O", "O", "B-LOC")] * 6
    blocks = [
        f"# id {place:08x}\tdomain=en\n"
        + "\n".join(f"w{at} _ _ {tag}" for at, tag in enumerate(own))
        + "\n\n\n"
        for place, own in enumerate(tags)
    ]
    own = "\n\n".join("\n".join(one) for one in tags)
    board = read("".join(blocks), own, gold_name="gold.conll", name="A.conll", measure="span-f1")
    assert board.gold == board.outputs["A"] == tuple(tags)
    assert board.items[3] == "00000003"
    spaced = table(range(12), [" ".join(one) for one in tags], "id,tags")
    for listed in (str, lambda one: str(list(one)).replace(",", "")):
        quoted = table(range(12), [f'"{listed(list(one))}"' for one in tags], "id,tags")
        assert read(spaced, quoted, measure="span-f1").outputs["A"] == tuple(tags)


def test_the_measure_says_what_few_answers_are():
    board = read("id,label\na,x\nb,y\n", "id,label\na,x\nb,x\n", measure="macro-f1")
    assert measure_values(board)[0, 0] == pytest.approx(1 / 3)
    numbers = "\n".join(str(7 * place) for place in range(30))
    answers = ["I don't know", *numbers.split("\n")[1:]]
    exact = read(numbers, "\n".join(answers), gold_name="gold.txt", name="A.txt", measure="exact-match")
    assert measure_values(exact)[0, 0] == 29 / 30
    essays = read(numbers, numbers, gold_name="gold.txt", name="A.txt", measure="qwk")
    assert measure_values(essays)[0, 0] == 1
    single = "".join(
        json.dumps({"id": item, "labels": [label]}) + "\n" for item, label in zip(ITEMS, GOLD, strict=True)
    )
    assert read(single, single, gold_name="gold.jsonl", name="A.jsonl", measure="macro-f1").gold == tuple(
        GOLD
    )


def test_what_cannot_be_read_says_what_to_do():
    several = "".join(json.dumps({"id": item, "labels": ["joy", "fear"]}) + "\n" for item in ITEMS)
    with pytest.raises(ScoreFileError, match="kind='label-sets' if items have several labels or none"):
        read(table(ITEMS, GOLD), several, name="A.jsonl", measure="macro-f1")
    with pytest.raises(ScoreFileError, match=r"area under ROC needs gold of 1 and 0"):
        read(table(ITEMS, GOLD), table(ITEMS, NUMBERS), measure="roc-auc")
    with pytest.raises(ScoreFileError, match=r"'96\.6%' has a percent sign; write the number as gold has it"):
        read(table(ITEMS, NUMBERS), table(ITEMS, ["96.6%", *GUESSES[1:]]))
    with pytest.raises(ScoreFileError, match=r"it has 41 outputs, 1 of them blank \(the first: output 21\)"):
        read("\n".join(GOLD), "\n".join([*OUT[:20], "", *OUT[20:]]), gold_name="gold.txt", name="A.txt")
    with pytest.raises(ConfigError, match=r"the outputs are labels \(gold has 3 different short texts\)"):
        read(table(ITEMS, GOLD), table(ITEMS, OUT), measure=["bleu", "pearson"])


def test_score_says_where_libraries_differ(tmp_path: Path, capsys):
    """Where outputs have other labels, scikit-learn's default divides by these, too."""
    from nlpstat_core.cli import main

    (tmp_path / "gold.csv").write_text(table(ITEMS, GOLD))
    (tmp_path / "A.csv").write_text(table(ITEMS, ["spam", *OUT[1:]]))
    assert (
        main(
            ["score", str(tmp_path / "gold.csv"), str(tmp_path / "A.csv"), "--measure", "macro-f1", "--json"]
        )
        == 0
    )
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert "measure-stray-labels" in {note["code"] for note in notes}


def test_single_letters_are_words_for_0_and_1_only_together():
    gold = ["T", "F"] * 20
    assert read("\n".join(gold), "\n".join(["1", "0"] * 20), gold_name="g.txt", name="A.txt").outputs[
        "A"
    ] == tuple(gold)
    with pytest.raises(ScoreFileError, match="none of its labels"):
        read("\n".join(["yes", "no"] * 20), "\n".join(["x", "y"] * 20), gold_name="g.txt", name="A.txt")
    assert ns.measure(gold, gold) == 1
