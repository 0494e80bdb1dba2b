"""Gold and outputs are read as they were written, whatever shapes shared tasks keep them in."""

import json
import random
import unicodedata
from pathlib import Path

import pandas as pd
import pytest

from nlpstat_core import measure_values, read_submissions
from nlpstat_core.cli.options import as_option
from nlpstat_core.errors import ConfigError, NlpstatError, ScoreError, ScoreFileError
from nlpstat_core.readers import Limits
from nlpstat_core.readers.submissions import read_outputs
from nlpstat_core.scores.submissions import Submissions
from tests.core.reading import packed

REAL = Path(__file__).parents[2] / "../shared/data/submissions"
ITEMS = [f"{number:03d}" for number in range(1, 41)]
RANDOM = random.Random(1)
GOLD = [RANDOM.choice(["yes", "no", "maybe"]) for _ in ITEMS]


def noisy(share):
    return [label if RANDOM.random() < share else RANDOM.choice(["yes", "no"]) for label in GOLD]


TEAMS = {"Ünï-Köln": noisy(0.9), "Random_bsl.": noisy(0.8), "日本 NLP": noisy(0.7)}


def table(ids, labels, sign="\t", head="id\tlabel\n", end="\n"):
    lines = [sign.join(row) for row in zip(ids, labels, strict=True)]
    return (head.replace("\t", sign) + "\n".join(lines) + "\n").replace("\n", end)


def given(files):
    return [(text.encode() if isinstance(text, str) else text, name) for name, text in files.items()]


GOLD_FILE = (table(ITEMS, GOLD).encode(), "gold.tsv")


def same(board, teams=TEAMS):
    assert board.kind == "labels"
    assert board.items == tuple(ITEMS)
    assert list(board.gold) == GOLD
    assert {name: list(column) for name, column in board.outputs.items()} == teams


def shuffled(labels):
    order = list(range(len(ITEMS)))
    random.Random(3).shuffle(order)
    return [ITEMS[i] for i in order], [labels[i] for i in order]


SHAPES = {
    "tsv": lambda labels: table(*shuffled(labels)),
    "hash in front of the header": lambda labels: table(*shuffled(labels), head="#id\tlabel\n"),
    "no header": lambda labels: table(*shuffled(labels), head=""),
    "no final newline": lambda labels: table(*shuffled(labels)).rstrip("\n"),
    "trailing blank lines": lambda labels: table(*shuffled(labels)) + "\n\n \n",
    "crlf": lambda labels: table(*shuffled(labels), end="\r\n"),
    "old mac": lambda labels: table(*shuffled(labels), end="\r"),
    "bom": lambda labels: "\ufeff" + table(*shuffled(labels)),
    "utf-16": lambda labels: table(*shuffled(labels)).encode("utf-16"),
    "quoted": lambda labels: table(ITEMS, [f'"{label}"' for label in labels]),
    "labels alone": lambda labels: "\n".join(labels) + "\n",
    "labels alone under a header": lambda labels: "label\n" + "\n".join(labels) + "\n\n",
    "more columns": lambda labels: pd.DataFrame(
        {"text": ["a, b"] * len(ITEMS), "prediction": labels, "id": ITEMS, "confidence": 0.5}
    ).to_csv(index=False, sep="\t"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_labels_in_every_shape(shape):
    same(read_outputs(GOLD_FILE, given({f"{team}.txt": SHAPES[shape](own) for team, own in TEAMS.items()})))


RECORDS = {
    "csv": lambda labels: table(*shuffled(labels), sign=","),
    "jsonl": lambda labels: "\n".join(
        json.dumps({"id": item, "label": label}) for item, label in zip(*shuffled(labels), strict=True)
    ),
    "json": lambda labels: json.dumps(dict(zip(*shuffled(labels), strict=True))),
}


@pytest.mark.parametrize("ending", RECORDS)
def test_records(ending):
    files = given({f"{team}.{ending}": RECORDS[ending](own) for team, own in TEAMS.items()})
    same(read_outputs(GOLD_FILE, files))


def test_one_table_and_frames():
    frame = pd.DataFrame({"item": ITEMS, "domain": "news", "gold": GOLD, **TEAMS})
    board = read_outputs((frame.to_csv(index=False).encode(), "all.csv"))
    same(board)
    assert set(board.labels) == {"domain"}
    same(read_outputs(frame))
    same(read_outputs(frame[["item", "gold"]], frame[["item", *TEAMS]]))
    same(read_outputs(GOLD_FILE, {team: frame[["item", team]] for team in TEAMS}))


def test_a_platforms_export():
    inner = {
        team: packed(
            {"answer.zip": packed({"predictions.csv": RECORDS["csv"](own)}), "metadata": "when: now"}
        )
        for team, own in TEAMS.items()
    }
    export = packed({f"submissions/{team}.zip": content for team, content in inner.items()})
    board = read_outputs(GOLD_FILE, (export, "export.zip"))
    same(board)
    assert [note.code for note in board.notes] == ["files-passed-over"]
    together = packed({"reference/gold.tsv": GOLD_FILE[0], "teams.zip": export})
    same(read_outputs((together, "task.zip")))


@pytest.mark.parametrize(("which", "right"), [("last", 1), ("first", 0)])
def test_attempts(which, right):
    worse = {team: noisy(0.3) for team in TEAMS}
    members = {}
    for team, own in TEAMS.items():
        good, bad = ("10", "9") if right else ("9", "10")
        members[f"{team}/{good}/answer.txt"] = table(ITEMS, own)
        members[f"{team}/{bad}/answer.txt"] = table(ITEMS, worse[team])
    archive = (packed(members), "export.zip")
    board = read_outputs(GOLD_FILE, archive, attempts=which)
    same(board)
    assert [note.code for note in board.notes] == ["several-attempts"]
    every = read_outputs(GOLD_FILE, archive, attempts="all")
    assert len(every.systems) == 6
    assert set(every.reading["attempt_of"].values()) == set(TEAMS)


def test_a_folder_with_several_files_asks_for_one():
    members = {
        f"{team}/{name}": table(ITEMS, own) for team, own in TEAMS.items() for name in ("a.txt", "b.txt")
    }
    with pytest.raises(ScoreFileError, match=r"several files in one folder.*file"):
        read_outputs(GOLD_FILE, (packed(members), "x.zip"))
    same(read_outputs(GOLD_FILE, (packed(members), "x.zip"), file="b.txt"))


def test_missing_outputs_as_the_organizer_chooses():
    short = {team: dict(zip(ITEMS, own, strict=True)) for team, own in TEAMS.items()}
    del short["日本 NLP"]["007"]
    short["日本 NLP"]["008"] = ""
    files = given({f"{team}.tsv": table(own, own.values()) for team, own in short.items()})
    with pytest.raises(ScoreFileError, match="no output for 2 of 40 items \\('007', '008'\\)"):
        read_outputs(GOLD_FILE, files)
    left = read_outputs(GOLD_FILE, files, missing_outputs="leave-out")
    assert left.outputs["日本 NLP"][6:8] == (None, None)
    wrong = read_outputs(GOLD_FILE, files, missing_outputs="wrong")
    assert wrong.outputs["日本 NLP"][6:8] == ("", "")
    assert [note.code for note in wrong.notes] == [note.code for note in left.notes] == ["outputs-missing"]


def test_what_is_odd_is_said():
    odd = {**TEAMS, "new": ["1.0", *GOLD[1:]], "more": GOLD}
    files = {f"{team}.tsv": table(ITEMS, own) for team, own in odd.items()}
    files["more.tsv"] += "999\tyes\n"
    notes = read_outputs(GOLD_FILE, given(files)).notes
    assert [note.code for note in notes] == ["items-not-in-gold", "labels-not-in-gold", "outputs-are-gold"]
    assert "'1.0'" in notes[1].text
    numbers = table(ITEMS, [str(number % 2) for number in range(40)])
    floats = table([str(int(item)) for item in ITEMS], [f"{number % 2}.0" for number in range(40)])
    board = read_outputs((numbers.encode(), "gold.tsv"), given({"A.tsv": floats, "B.tsv": numbers}))
    assert board.outputs["A"] == board.gold
    assert {note.code for note in board.notes} == {"ids-matched", "labels-matched", "outputs-are-gold"}


def test_a_shuffled_order_is_doubted():
    big = {f"{i}": "\n".join(GOLD * 5) for i in range(4)}
    lines = GOLD * 5
    random.Random(5).shuffle(lines)
    big["odd"] = "\n".join(lines)
    board = read_outputs(
        (("\n".join(GOLD * 5)).encode(), "gold.txt"), given({f"{k}.txt": v for k, v in big.items()})
    )
    doubted = [note for note in board.notes if note.code != "outputs-are-gold"]
    assert [(note.code, "'odd'" in note.text) for note in doubted] == [("order-doubtful", True)]


def test_numbers():
    right = [f"{RANDOM.random():.3f}" for _ in ITEMS]
    outputs = {name: [f"{RANDOM.random():.4f}" for _ in ITEMS] for name in "AB"}
    files = given({f"{name}.csv": table(ITEMS, own, ",", "id\tscore\n") for name, own in outputs.items()})
    board = read_outputs((table(ITEMS, right).encode(), "gold.tsv"), files)
    assert board.kind == "numbers"
    assert list(board.outputs["A"]) == list(map(float, outputs["A"]))
    chances = read_outputs((table(ITEMS, ["0", "1"] * 20).encode(), "gold.tsv"), files)
    assert chances.kind == "numbers"
    assert set(chances.gold) == {0.0, 1.0}
    gold = (table(ITEMS, right).encode(), "gold.tsv")
    broken = table(ITEMS, ["0.5x", *right[1:]])
    with pytest.raises(ScoreFileError, match=r"'A.*item '001'.*not a number"):
        read_outputs(gold, given({"A.tsv": broken, "B.tsv": broken}))
    gone = table(ITEMS[1:], right[1:])
    with pytest.raises(ScoreFileError, match="a missing number can't count as wrong"):
        read_outputs(gold, given({"A.tsv": gone, "B.tsv": gone}), missing_outputs="wrong")


SENTENCES = [f"Sentence {i}, with a comma; and a \u2028 sign # {i * i}" for i in range(30)]


def test_texts_by_lines_with_empty_outputs():
    own = ["# first", *SENTENCES[1:15], "", *SENTENCES[16:29], ""]
    gold = ("\n".join(SENTENCES).encode(), "reference.txt")
    board = read_outputs(gold, given({"A.txt": "\n".join(own) + "\n", "GPT-4.5.txt": "\r\n".join(SENTENCES)}))
    assert board.kind == "texts"
    assert list(board.outputs["A"]) == own
    assert list(board.outputs["GPT-4.5"]) == SENTENCES
    assert board.gold[3] == (SENTENCES[3],)
    assert [note.code for note in board.notes] == ["empty-outputs", "outputs-are-gold"]
    with pytest.raises(ScoreFileError, match=r"A\.txt.*29 outputs and gold 30 items"):
        read_outputs(gold, given({"A.txt": "\n".join(SENTENCES[:29]), "B.txt": "\n".join(SENTENCES)}))


def test_several_references():
    two = [(f"{text} again", text) for text in SENTENCES]
    first, second = ("\n".join(texts) for texts in zip(*two, strict=True))
    systems = given({"A.txt": first, "B.txt": second})
    expected = tuple(two)
    assert read_outputs(given({"ref1.txt": first, "ref2.txt": second}), systems).gold == expected
    frame = pd.DataFrame(two, columns=["reference_1", "reference_2"])
    frame.insert(0, "id", range(1, 31))
    assert read_outputs(frame, systems).gold == expected
    lines = "\n".join(json.dumps({"id": i, "answers": list(both)}) for i, both in enumerate(two))
    answers = given({"A.json": json.dumps({str(i): "x" for i in range(30)})})
    assert read_outputs((lines.encode(), "gold.jsonl"), answers).gold == expected


CONLL = [
    (["EU", "rejects", "German"], ["B-ORG", "O", "B-MISC"]),
    (["Peter"], ["B-PER"]),
    (["Oh", "#1"], ["O", "O"]),
]


def conll(tags, start=""):
    blocks = [
        "\n".join(f"{word} NN {tag}" for word, tag in zip(words, own, strict=True))
        for (words, _), own in zip(CONLL, tags, strict=True)
    ]
    return start + "\n\n".join(blocks) + "\n"


def test_tags():
    right = [tags for _, tags in CONLL]
    own = [["O", "O", "B-MISC"], ["B-PER"], ["O", "B-ORG"]]
    gold = (conll(right, "-DOCSTART- -X- O\n\n").encode(), "gold.conll")
    board = read_outputs(gold, given({"A.conll": conll(own), "B.txt": conll(right).replace(" NN ", " ")}))
    assert board.kind == "tags"
    assert [list(tags) for tags in board.outputs["A"]] == own
    assert board.outputs["B"] == board.gold == tuple(map(tuple, right))
    assert board.labels["tokens"] == ("EU rejects German", "Peter", "Oh #1")
    with pytest.raises(
        ScoreFileError, match=r"line 5, sentence '2': the word 'Pavel' stands where gold has 'Peter'"
    ):
        read_outputs(gold, given({"A.conll": conll(own).replace("Peter", "Pavel").replace("Oh", "Ah")}))
    with pytest.raises(ScoreFileError, match="2 tokens where gold has 3"):
        read_outputs(gold, given({"A.conll": conll(own).partition("\n")[2]}))
    cells = pd.DataFrame({"id": ["a", "b", "c"], "gold": [" ".join(tags) for tags in right]})
    answers = pd.DataFrame({"id": ["c", "b", "a"], "tags": own[::-1]})
    assert read_outputs(cells, {"A": answers}).outputs["A"] == tuple(map(tuple, own))


def sentences(*rows, sign=" "):
    return "\n\n".join("\n".join(f"{word}{sign}{tag}" for word, tag in row) for row in rows) + "\n"


def test_words_that_systems_spell_otherwise_are_said_and_other_sentences_refused():
    rows = [[(f"w{place}", "O") for place in range(first, first + 5)] for first in (1, 6)]
    gold = (sentences(*rows).encode(), "gold.conll")
    spelt = sentences(*rows).replace("w3", "W3")
    board = read_outputs(gold, given({"A.txt": spelt, "B.txt": sentences(*rows)}))
    assert [note.code for note in board.notes] == ["words-not-as-in-gold"]
    assert "'A': 1 of 10 words are not spelt as in gold (line 1, sentence '1': the word 'W3'" in str(
        board.notes[0].text
    )
    assert board.outputs["A"] == board.outputs["B"] == board.gold
    end = "stands where gold has 'w1'; give gold's sentences in gold's order."
    with pytest.raises(ScoreFileError, match=f"'w6' {end}"):
        read_outputs(gold, given({"A.txt": sentences(*rows[::-1])}))
    with pytest.raises(ScoreFileError, match=f"'x1' {end}"):
        read_outputs(gold, given({"A.txt": sentences(*rows).replace("w", "x")}))


def test_a_hash_sign_may_be_a_word():
    """WNUT 2017: "# O" opens a sentence in the file of one team, and isn't a remark."""
    rows = [[("#", "O"), ("Kalupey", "B-PER")], [("a", "O"), ("#", "O")], [("#tag", "B-PER"), ("b", "O")]]
    gold = ("# some remark\n" + sentences(*rows, sign="\t")).encode(), "gold.conll"
    board = read_outputs(gold, given({"A.txt": "# sent_id = 1\n" + sentences(*rows)}))
    assert board.outputs["A"] == board.gold == (("O", "B-PER"), ("O", "O"), ("B-PER", "O"))
    assert board.labels["tokens"] == ("# Kalupey", "a #", "#tag b")


TREE = """# newdoc id = d{}
# sent_id = s{}
# text = I don't
1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t0\troot\t_\t_
3\tn't\tnot\tPART\t_\t_\t{}\tadvmod\t_\t_
3.1\tgo\tgo\tVERB\t_\t_\t_\t_\t_\t_
"""


def test_trees():
    gold = "\n".join(TREE.format(i, i, 2) for i in range(3))
    own = "\n".join(TREE.format(i, i, 1) for i in (2, 0, 1))
    board = read_outputs((gold.encode(), "gold.conllu"), given({"A.conllu": own, "B.conllu": gold}))
    assert board.kind == "trees"
    assert board.items == ("s0", "s1", "s2")
    assert board.labels["document"] == ("d0", "d1", "d2")
    assert board.outputs["A"][0] == ((2, "nsubj"), (0, "root"), (1, "advmod"))
    assert board.outputs["B"] == board.gold
    with pytest.raises(ScoreFileError, match=r"line 7 has the head '9', where the sentence has 3 words"):
        read_outputs((TREE.format(1, 1, 9).encode(), "gold.conllu"), given({"A.conllu": own}))


REFUSED = {
    "an id twice": (table([*ITEMS, "001"], [*GOLD, "no"]), "'001' appears twice, on lines 2 and 42"),
    "other ids": (table([f"x{item}" for item in ITEMS], GOLD), "none of its ids|no column holds"),
    "too few without ids": ("\n".join(GOLD[1:]), "39 outputs and gold 40 items"),
    "a ragged row": (table(ITEMS, GOLD) + "041\tyes\tno\n", "line 42 has too many fields"),
    "nothing": ("\n \n", "empty"),
    "no text": (b"\x00\x01\x02\x03" * 20, "NUL|text"),
    "broken JSON": ('{"001": "yes", ', "JSON|outputs"),
    "a nested list": ("[[[1]]]", "JSON|list|outputs"),
    "a broken zip": (packed({"a.txt": "x" * 99})[:-30], "unpacked|broken"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_are_one_sentence(case):
    content, match = REFUSED[case]
    with pytest.raises(ScoreFileError, match=match) as caught:
        read_outputs(GOLD_FILE, given({"A.tsv": content}))
    assert "\n" not in str(caught.value)
    assert "A.tsv" in str(caught.value)


def test_columns_that_nobody_can_tell_are_asked_for():
    three = {team: [f"{label}\t0.{i % 7}" for i, label in enumerate(own)] for team, own in TEAMS.items()}
    for head in ("", "id\tfirst\tsecond\n"):
        files = given({f"{team}.tsv": table(ITEMS, own, head=head) for team, own in three.items()})
        with pytest.raises(
            ScoreFileError, match=r"isn't clear which column holds the outputs.*output_column"
        ):
            read_outputs(GOLD_FILE, files)
        same(read_outputs(GOLD_FILE, files, output_column="first" if head else "column 2"))


def test_refusals_of_gold_and_choices():
    for text, match in {
        table([*ITEMS, "001"], [*GOLD, "no"]): "'001' twice, on lines 2 and 42",
        table(ITEMS, ["", *GOLD[1:]]): "no label for the item '001'",
        "name\ta\tb\nx\tq\tr\ny\tq\tr\n": "isn't clear which column holds what is right",
    }.items():
        with pytest.raises(ScoreFileError, match=match):
            read_outputs((text.encode(), "gold.tsv"), given({"A.tsv": table(ITEMS, GOLD)}))
    with pytest.raises(ScoreFileError, match="has gold and no systems"):
        read_outputs(GOLD_FILE)
    with pytest.raises(ConfigError, match="leave-out"):
        read_outputs(GOLD_FILE, [GOLD_FILE], missing_outputs="leave")
    with pytest.raises(ScoreFileError, match="more than 10"):
        read_outputs(GOLD_FILE, [GOLD_FILE], limits=Limits(max_cells=10))


@pytest.mark.parametrize(
    ("gold", "output", "choices", "said"),
    [
        ("id,gold\n", "id,output\n1,a\n", {}, "gold has nothing below its header"),
        ("id,gold\n1,a\n", "id,output\n", {}, "it has nothing below its header"),
        ("id,gold\n1,a\n", "id,output\n1,a\n", {"gold_column": "x"}, "'id', 'gold' (--gold-column)."),
        ("id,gold\n1,a\n", "id,output\n1,a\n", {"id_column": "x"}, "'id', 'gold' (--id-column)."),
        ("id,gold\n1,a\n", "id,output\n1,a\n", {"kind": "numbers"}, "(--kind labels, or --kind texts)."),
    ],
)
def test_refusals_name_options_at_the_command_line(gold, output, choices, said):
    with pytest.raises(ScoreFileError) as caught:
        read_outputs((gold.encode(), "gold.csv"), {"A": (output.encode(), "A.csv")}, **choices)
    assert said in caught.value.sentence.in_words(as_option)


@pytest.mark.parametrize(
    ("answers", "cautioned"),
    [
        (["pos", "neg"], True),
        (["pos", "neg", "pos"], False),
        (["A long answer of many words that is no label", "no"], False),
    ],
)
def test_a_few_short_answers_that_may_be_labels_are_told(answers, cautioned):
    text = table(["1", "2", "3"][: len(answers)], answers).encode()
    found = read_outputs((text, "gold.tsv"), {"A": (text, "A.tsv")})
    notes = [note.text for note in found.notes if note.code == "kind-guessed"]
    assert bool(notes) == cautioned
    assert all("(kind='labels' if they are labels)" in note for note in notes)
    told = read_outputs((text, "gold.tsv"), {"A": (text, "A.tsv")}, kind="labels")
    assert told.kind == "labels"
    assert not [note for note in told.notes if note.code == "kind-guessed"]


def test_damaged_files_end_in_a_record_or_a_sentence():
    rng = random.Random(7)
    bases = [*(shape(GOLD) for shape in (*SHAPES.values(), *RECORDS.values())), conll([t for _, t in CONLL])]
    bases += ["\n".join(TREE.format(i, i, 2) for i in range(3)), packed({"t/answer.txt": table(ITEMS, GOLD)})]
    ends = []
    for _ in range(400):
        chosen = rng.choice(bases)
        content = bytearray(chosen.encode() if isinstance(chosen, str) else chosen)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(content))
            kind = rng.randrange(4)
            if kind == 0:
                content[place] = rng.randrange(256)
            elif kind == 1:
                del content[place : place + rng.randint(1, 30)]
            elif kind == 2:
                content[place:place] = rng.choice(
                    [b'"', b"\n", b"\t", b"\r", b"\x00", b"#", b"\xff", b"{", b"\n\n"]
                )
            else:
                content = content[:place] + content[place:][::-1]
            content = content or bytearray(b" ")
        other = rng.choice(bases)
        gold = GOLD_FILE if rng.random() < 0.5 else (bytes(content), "gold.txt")
        second = other.encode() if isinstance(other, str) else other
        ends.append(end_of(gold, [(bytes(content), "A.tsv"), (second, "B.tsv")]))
    assert all(end is None or (end.strip() and "\n" not in end) for end in ends)
    assert 50 < ends.count(None) < 390


def end_of(gold, systems):
    """The sentence in which reading ends; None for a record."""
    try:
        read_outputs(gold, systems, missing_outputs="leave-out")
    except ScoreError as error:
        return str(error)
    return None


@pytest.mark.skipif(not REAL.exists(), reason="the data of published shared tasks are not here")
def test_a_published_task():
    board = read_outputs(REAL / "arct2018/gold.tsv", REAL / "arct2018/submissions")
    assert (board.kind, board.n_items, len(board.systems), board.notes) == ("labels", 444, 22, ())
    share = {
        name: sum(own == right for own, right in zip(column, board.gold, strict=True)) / 444
        for name, column in board.outputs.items()
    }
    assert {name: round(share[name], 3) for name in ("GIST", "Random_bsl.", "ztangfdu")} == {
        "GIST": 0.712,
        "Random_bsl.": 0.527,
        "ztangfdu": 0.464,
    }
    translated = read_outputs(REAL / "wmt23_cs-uk/reference.txt", REAL / "wmt23_cs-uk/outputs")
    assert (translated.kind, translated.n_items, len(translated.systems)) == ("texts", 1952, 13)


def test_the_record_checks_itself():
    for change, match in {
        "short": ({"gold": ["a"]}, "1 entries for 2 items"),
        "twice": ({"items": ["1", "1"]}, "appears twice"),
        "nobody": ({"outputs": {}}, "no systems"),
        "kind": ({"kind": "trees"}, "not a tuple of"),
    }.values():
        whole = {"kind": "labels", "items": ["1", "2"], "gold": ["a", "b"], "outputs": {"A": ["a", "b"]}}
        with pytest.raises(NlpstatError, match=match):
            Submissions(**{**whole, **change})


def test_the_measure_says_what_short_answers_and_ratings_are():
    rows = [f"{i},{1 + i % 5}" for i in range(30)]
    gold = ("\n".join(["id,rating", *rows]).encode(), "gold.csv")
    teams = [("\n".join(["id,rating", *(f"{i},{1 + i * 3 % 5}" for i in range(30))]).encode(), "A.csv")]
    for measures, kind in (("qwk", "labels"), ("pearson", "numbers"), (["rmse", "pearson"], "numbers")):
        assert read_submissions(gold, teams, measure=measures).kind == kind
    words = (
        b"id,answer\n" + b"\n".join(b"%d,%s" % (i, b"yes" if i % 2 else b"no") for i in range(30)),
        "g.csv",
    )
    given = [(words[0], "A.csv")]
    assert read_submissions(words, given, measure="chrf").kind == "texts"
    assert read_submissions(words, given).kind == "labels"
    with pytest.raises(ConfigError, match="RMSE is a measure of numbers, and the outputs are labels"):
        read_submissions(words, given, measure="rmse")


@pytest.mark.parametrize(
    ("gold", "given_as"),
    [
        (("0", "1"), ("false", "true")),
        (("0", "1"), ("False", "TRUE")),
        (("false", "true"), ("0", "1")),
        (("0", "1"), ("no", "Yes")),
        (("no", "yes"), ("NO", "YES")),
    ],
)
def test_labels_written_in_another_way_throughout_are_gold_s(gold, given_as):
    places = [random.Random(3).randrange(2) if number % 3 else number % 2 for number in range(40)]
    right = [gold[place] for place in places]
    other = [gold[1 - place] if number < 4 else gold[place] for number, place in enumerate(places)]
    spelt = {name: [given_as[gold.index(cell)] for cell in own] for name, own in (("A", right), ("B", other))}
    files = given({f"{name}.tsv": table(ITEMS, own) for name, own in spelt.items()})
    board = read_outputs((table(ITEMS, right).encode(), "gold.tsv"), files)
    assert board.outputs == {"A": tuple(right), "B": tuple(other)}
    assert sum(note.code == "labels-matched" for note in board.notes) == 2


def test_labels_of_which_none_is_gold_s_are_refused_and_a_single_one_is_said():
    strange = given({"A.tsv": table(ITEMS, ["x", "y"] * 20), "B.tsv": table(ITEMS, GOLD)})
    with pytest.raises(ScoreFileError, match="none of its labels"):
        read_outputs(GOLD_FILE, strange)
    constant = given({"A.tsv": table(ITEMS, ["unparsed"] * 40), "B.tsv": table(ITEMS, GOLD)})
    assert "labels-not-in-gold" in {note.code for note in read_outputs(GOLD_FILE, constant).notes}


def test_ids_that_gold_lacks_count_from_0_or_must_agree():
    order = list(range(40))
    random.Random(9).shuffle(order)
    plain = ("\n".join(GOLD).encode(), "gold.txt")

    def files(name):
        columns = {"A": range(40), "B": order}
        return given(
            {
                f"{team}.tsv": table(
                    [name(place) for place in places], [TEAMS["日本 NLP"][place] for place in places]
                )
                for team, places in columns.items()
            }
        )

    board = read_outputs(plain, files(str))
    assert board.outputs["A"] == board.outputs["B"] == tuple(TEAMS["日本 NLP"])
    with pytest.raises(ScoreFileError, match="not in the order of 'A'"):
        read_outputs(plain, files(lambda place: f"x{place}"))


def test_two_files_of_one_name_and_files_that_do_not_count():
    own, other = (table(ITEMS, TEAMS[team]).encode() for team in list(TEAMS)[:2])
    with pytest.raises(ScoreFileError, match="2 files are called 'A'"):
        read_outputs(GOLD_FILE, [(own, "A.tsv"), (other, "A.tsv")])
    members = {"A/p.tsv": own.decode(), "A/old.tsv": other.decode(), "B/p.tsv": other.decode()}
    notes = read_outputs(GOLD_FILE, (packed(members), "x.zip")).notes
    assert [(note.code, "old.tsv" in note.text) for note in notes] == [("files-not-read", True)]


def tagged(column):
    """One word a tag: CoNLL columns."""
    return sentences(
        *([(f"w{place}{i}", tag) for i, tag in enumerate(tags)] for place, tags in enumerate(column))
    )


IOB2 = [["B-PER", "I-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC", "B-LOC", "I-LOC"]]
OTHERWISE = {
    "IOB1": [["I-PER", "I-PER", "I-PER", "O", "I-LOC"], ["O", "I-LOC", "B-LOC", "I-LOC"]],
    "BIOES": [["B-PER", "I-PER", "E-PER", "O", "S-LOC"], ["O", "S-LOC", "B-LOC", "E-LOC"]],
    "BILOU": [["B-PER", "I-PER", "L-PER", "O", "U-LOC"], ["O", "U-LOC", "B-LOC", "L-LOC"]],
    "BMES": [["B-PER", "M-PER", "E-PER", "O", "S-LOC"], ["O", "S-LOC", "B-LOC", "E-LOC"]],
    "underscores": [[tag.replace("-", "_") for tag in row] for row in IOB2],
    "small letters": [[tag.lower() for tag in row] for row in IOB2],
}


@pytest.mark.parametrize("scheme", OTHERWISE)
def test_every_scheme_of_tags_has_the_same_spans(scheme):
    """A system that tags everything right is right, whichever scheme it or gold is written in."""
    other = tagged(OTHERWISE[scheme])
    as_answer = read_submissions((tagged(IOB2).encode(), "gold.conll"), given({"A.conll": other}))
    assert measure_values(as_answer)[0, 0] == 1.0
    as_gold = read_submissions((other.encode(), "gold.conll"), given({"A.conll": tagged(IOB2)}))
    assert measure_values(as_gold)[0, 0] == 1.0
    said = {note.code for note in as_answer.notes}
    assert ("tags-matched" in said) == (scheme not in ("IOB1", "BIOES"))
    strict = read_submissions(
        (tagged(IOB2).encode(), "gold.conll"), given({"A.conll": other}), measure="span-f1-strict"
    )
    told = "tags-in-other-scheme" in {note.code for note in strict.notes}
    assert (measure_values(strict)[0, 0] == 1.0) != told
    if told:
        with pytest.raises(ConfigError, match="strict span F1 reads IOB2 alone, and gold's tags are in"):
            read_submissions(
                (other.encode(), "g.conll"), given({"A.conll": tagged(IOB2)}), measure="span-f1-strict"
            )


def test_tags_that_mark_no_span_of_gold_are_refused_and_new_types_said():
    gold = (tagged(IOB2).encode(), "gold.conll")
    bare = [[tag.rpartition("-")[2] for tag in row] for row in IOB2]
    with pytest.raises(
        ScoreFileError, match="its tag 'PER' marks neither the begin nor the inside of a span"
    ):
        read_outputs(gold, given({"A.conll": tagged(bare)}))
    with pytest.raises(ScoreFileError, match="gold's tag 'PER' marks no span"):
        read_outputs((tagged(bare).encode(), "gold.conll"), given({"A.conll": tagged(bare)}))
    with pytest.raises(ScoreFileError, match=r"none of its tags .'B-X'. names a type of gold's spans"):
        read_outputs(gold, given({"A.conll": tagged([["B-X", "O", "O", "O", "O"], ["O"] * 4])}))
    new = tagged([["B-PER", "O", "B-X", "I-X", "O"], ["O"] * 4])
    board = read_outputs(gold, given({"A.conll": new, "B.conll": tagged([["O"] * 5, ["O"] * 4])}))
    assert [note.text for note in board.notes] == [
        "'A' gave 2 tags of types that gold doesn't have ('X'): each span is an error."
    ]


@pytest.mark.parametrize("shape", ["lines", "csv", "json"])
def test_tags_of_whole_sentences_beside_gold_in_columns(shape):
    lines = [" ".join(tags) for tags in IOB2]
    text = {
        "lines": "\n".join(lines) + "\n",
        "csv": "id,tags\n" + "".join(f"{place},{line}\n" for place, line in enumerate(lines, 1)),
        "json": json.dumps(IOB2),
    }[shape]
    gold = (tagged(IOB2).encode(), "gold.conll")
    board = read_outputs(gold, given({f"A.{'txt' if shape == 'lines' else shape}": text}))
    assert board.outputs["A"] == board.gold
    with pytest.raises(ScoreFileError, match="item '1': 4 tags where gold has 5; give one tag per token"):
        read_outputs(
            gold,
            given(
                {f"A.{'txt' if shape == 'lines' else shape}": text.replace("I-PER", "", 1)}
                if shape != "json"
                else {"A.json": json.dumps([IOB2[0][1:], IOB2[1]])}
            ),
        )


SPELT = {
    "decomposed": lambda label: unicodedata.normalize("NFD", label),
    "no-break spaces": lambda label: label.replace(" ", "\u00a0"),
    "signs without width": lambda label: f"\u200b{label}\ufeff",
    "another presentation": lambda label: label.replace("☺", "☺\ufe0f"),
}


@pytest.mark.parametrize("spelling", SPELT)
def test_labels_that_look_alike_are_gold_s(spelling):
    labels = ["très triste", "very happy", "☺ joy"]
    right = [labels[place % 3] for place in range(len(ITEMS))]
    own = [SPELT[spelling](label) if place % 2 else label for place, label in enumerate(right)]
    board = read_outputs((table(ITEMS, right).encode(), "gold.tsv"), given({"A.tsv": table(ITEMS, own)}))
    assert list(board.outputs["A"]) == right
    assert {note.code for note in board.notes} == {"labels-matched", "outputs-are-gold"}


def test_headers_of_any_name_are_no_items():
    """A first row whose ids have no digits where all others have, and whose cells never come again."""
    ids = [f"m{item}" for item in ITEMS]
    named = {"head": "rewire_id\tintensity\n"}
    gold = (table(ids, GOLD, **named).encode(), "gold.tsv")
    board = read_outputs(
        gold, given({"A.tsv": table(ids, GOLD, **named), "B.tsv": table(ids, GOLD, head="")})
    )
    assert board.items == tuple(ids)
    assert board.outputs["A"] == board.outputs["B"] == tuple(GOLD)
    rows = [[item, f"a text, {item}", label, "en"] for item, label in zip(ids, GOLD, strict=True)]
    wide = "\n".join("\t".join(row) for row in [["tweet_id", "tweet", "emotion", "lang"], *rows])
    board = read_outputs((wide.encode(), "gold.tsv"), given({"A.tsv": wide}), gold_column="emotion")
    assert board.gold == board.outputs["A"] == tuple(GOLD)
    hexed = [f"{number:04x}"[::-1] for number in range(40_000, 40_040)]
    assert any(not any(map(str.isdigit, one)) for one in hexed) is False
    first = read_outputs(
        (table(["abcd", *hexed[1:]], GOLD, head="").encode(), "gold.tsv"),
        given({"A.tsv": table(["abcd", *hexed[1:]], GOLD, head="")}),
    )
    assert first.n_items == len(GOLD)  # the first label comes again: a row as any other


def test_a_header_over_one_column_is_doubted():
    lines = "\n".join(["emotion", *GOLD]) + "\n"
    board = read_outputs((lines.encode(), "gold.txt"), given({"A.txt": lines}))
    assert "first-line-doubtful" in {note.code for note in board.notes}
    numbers = "\n".join(["valence", *(f"{place / 7:.2f}" for place in range(30))])
    board = read_outputs((numbers.encode(), "gold.txt"), given({"A.txt": numbers}))
    assert (board.kind, board.n_items) == ("numbers", 30)


def test_labels_that_join_others_are_said():
    right = ["joy|anger" if place % 5 == 0 else label for place, label in enumerate(["joy", "anger"] * 20)]
    board = read_outputs((table(ITEMS, right).encode(), "gold.tsv"), given({"A.tsv": table(ITEMS, right)}))
    assert "labels-joined" in {note.code for note in board.notes}
    apart = ["and/or" if place % 5 == 0 else label for place, label in enumerate(["or", "no"] * 20)]
    board = read_outputs((table(ITEMS, apart).encode(), "gold.tsv"), given({"A.tsv": table(ITEMS, apart)}))
    assert "labels-joined" not in {note.code for note in board.notes}


def test_the_column_that_gold_names_goes_before_what_describes_items():
    rows = [[item, f"a text {item}", label] for item, label in zip(ITEMS, GOLD, strict=True)]
    text = "\n".join("\t".join(row) for row in [["id", "text", "emotion"], *rows])
    board = read_outputs((text.encode(), "gold.tsv"), given({"A.tsv": text, "B.tsv": text}))
    assert board.gold == board.outputs["A"] == tuple(GOLD)


def test_a_missing_number_is_not_offered_to_count_as_wrong():
    values = [f"{place / 7:.2f}" for place in range(len(ITEMS))]
    gold = (table(ITEMS, values, head="id\tscore\n").encode(), "gold.tsv")
    with pytest.raises(ScoreFileError) as refused:
        read_outputs(gold, given({"A.tsv": table(ITEMS, ["nan", *values[1:]], head="id\tscore\n")}))
    assert "leave-out" in str(refused.value)
    assert "wrong" not in str(refused.value)


@pytest.mark.parametrize("counter", ["", "Unnamed: 0", "index"])
def test_what_counts_rows_is_no_id_beside_ids(counter):
    """A frame that was sorted anew and written with its index: rows are joined by id, not by the counter."""

    def written(rows, column):
        lines = [f"{count},{ITEMS[row]},{column[row]}" for count, row in enumerate(rows)]
        return "\n".join([f"{counter},id,label", *lines])

    order = list(range(len(ITEMS)))
    random.Random(5).shuffle(order)
    gold = (written(range(len(ITEMS)), GOLD).encode(), "gold.csv")
    board = read_outputs(gold, given({"A.csv": written(order, GOLD), "B.csv": written(order, noisy(0.5))}))
    assert board.items == tuple(ITEMS)
    assert board.outputs["A"] == board.gold
    assert not board.labels


def test_texts_of_items_say_when_rows_are_in_another_order():
    def written(rows):
        return "\n".join(
            ["index,text,label", *(f"{n},a text {row},{GOLD[row]}" for n, row in enumerate(rows))]
        )

    straight, turned = list(range(len(ITEMS))), list(range(len(ITEMS)))[::-1]
    gold = (written(straight).encode(), "gold.csv")
    assert read_outputs(gold, given({"A.csv": written(straight)})).outputs["A"] == tuple(GOLD)
    with pytest.raises(
        ScoreFileError, match=r"'A\.csv': its column 'text' has 'a text 39' for the item '0', where"
    ):
        read_outputs(gold, given({"A.csv": written(turned), "B.csv": written(straight)}))


def test_squad_s_questions_are_read_and_other_levels_refused():
    asked = [
        {
            "id": "q1",
            "question": "Who?",
            "answers": [{"text": "the Danes"}, {"text": "Danes"}, {"text": "Danes"}],
        },
        {"id": "q2", "question": "When?", "answers": [], "is_impossible": True},
    ]
    squad = {"version": "2", "data": [{"title": "Normans", "paragraphs": [{"context": "…", "qas": asked}]}]}
    given_answers = {
        "A.json": json.dumps({"q1": "Danes", "q2": ""}),
        "B.json": json.dumps({"q2": "1066", "q1": "x"}),
    }
    board = read_submissions(
        (json.dumps(squad).encode(), "dev.json"), given(given_answers), measure="exact-match"
    )
    assert board.gold == (("the Danes", "Danes"), ("",))
    assert board.labels == {"question": ("Who?", "When?"), "document": ("Normans", "Normans")}
    assert measure_values(board)[:, 0].tolist() == [1.0, 0.0]
    flat = [
        {"id": one["id"], "answers": {"text": [a["text"] for a in one["answers"]], "answer_start": []}}
        for one in asked
    ]
    board = read_outputs(("\n".join(map(json.dumps, flat)).encode(), "gold.jsonl"), given(given_answers))
    assert board.gold == (("the Danes", "Danes"), ("",))
    nested = json.dumps(
        [{"id": "q1", "prediction": {"answer": "x"}}, {"id": "q2", "prediction": {"answer": ""}}]
    )
    with pytest.raises(
        ScoreFileError, match=r"'A': item 'q1': '\{\"answer\": \"x\"\}' has levels of its own; give one"
    ):
        read_outputs((json.dumps(squad).encode(), "dev.json"), given({"A.json": nested}))


def test_heads_that_are_no_numbers_are_said_where_a_file_is_conllu():
    tree = "1\tI\tI\tP\t_\t_\t2\tnsubj\t_\t_\n2\tgo\tgo\tV\t_\t_\t0\troot\t_\t_\n"
    with pytest.raises(ScoreFileError, match="line 1 has the head '_', where the sentence has 2 words"):
        read_outputs(
            (tree.encode(), "gold.conllu"), given({"A.conllu": tree.replace("\t2\tnsubj", "\t_\tnsubj")})
        )
