"""Tools of translation, retrieval and speech recognition: their files with known scores, cell by cell."""

from typing import Any

import pytest

from nlpstat_core.readers import read_scores
from tests.core.toolcheck import board, cells, dumped, refused
from tests.fuzz.toolformats import SIGNATURE

ONE_SCORE = "one score per system: nothing to test; give the scores per test item"


def segment(score: float | None, source: str = "Guten Tag") -> dict[str, Any]:
    return {"src": source, "mt": "Good day", "ref": "Hello", "COMET": score}


def test_comet_json() -> None:
    both = {
        "out/tern.de-en.txt": [segment(0.8123), segment(None)],
        "out/heron.de-en.txt": [segment(-0.25), segment(1.5, 'said "so"')],
    }
    expected = {"tern": {"0": 0.8123, "1": None}, "heron": {"0": -0.25, "1": 1.5}}
    assert board([(dumped(both), "comet.json")]) == expected
    apart = [
        (dumped({"hyp.txt": both[f"out/{name}.de-en.txt"]}), f"{name}.json") for name in ("tern", "heron")
    ]
    assert board(apart) == expected
    refused(
        [(dumped({"a.txt": [segment(0.5)], "b.txt": [segment("high")]}), "x.json")],
        "segment 0 of 'b.txt' is 'high'",
    )  # type: ignore[arg-type]


def test_comet_text() -> None:
    lines = [
        "tern.txt\tSegment 0\tscore: 0.8123",
        "heron.txt\tSegment 0\tscore: -0.2500",
        "tern.txt\tSegment 1\tscore: 0.5000",
    ]
    sums = ["tern.txt\tscore: 0.6562", "heron.txt\tscore: -0.2500"]
    assert board([("\n".join([*lines, *sums]).encode(), "comet.txt")]) == {
        "tern": {"0": 0.8123, "1": 0.5},
        "heron": {"0": -0.25, "1": None},
    }
    own = [
        (f"Segment 0\tscore: {score}\nSegment 1\tscore: 0.25\nscore: {score}\n".encode(), f"{name}.txt")
        for name, score in (("a", 0.5), ("b", 1))
    ]
    assert board(own) == {"a": {"0": 0.5, "1": 0.25}, "b": {"0": 1, "1": 0.25}}
    refused([("\n".join(sums).encode(), "comet.txt")], ONE_SCORE)
    refused(
        [(lines[0].replace("0.8123", "o.8").encode() + b"\n" + lines[1].encode(), "x.txt")],
        "line 1: 'o.8' isn't a number",
    )


def test_sacrebleu_sentences() -> None:
    one = f"{SIGNATURE} = 35.4\n{SIGNATURE} = 0.0\n"
    two = f"{SIGNATURE} = 100.0\n{SIGNATURE} = 7.25\n"
    files = [(one.encode(), "tern.chrf.txt"), (two.encode(), "heron-1.5.chrf.txt")]
    assert board(files) == {"tern": {"1": 35.4, "2": 0}, "heron-1.5": {"1": 100, "2": 7.25}}
    older = "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1 = 12.5 33.3/20.0 (BP = 1.000)\n"
    old = [((older * 2).encode(), "a.txt"), ((older + older.replace("12.5", "9")).encode(), "b.txt")]
    assert board(old) == {"a": {"1": 12.5, "2": 12.5}, "b": {"1": 12.5, "2": 9}}
    other = two.replace("case:mixed", "case:lc")
    assert "different settings" in " ".join(
        note.text for note in read_scores([files[0], (other.encode(), "b.txt")]).notes
    )


def test_sacrebleu_refused() -> None:
    one = f"{SIGNATURE} = 35.4\n".encode()
    refused([(one, "a.txt"), (one * 2, "b.txt")], "system 'a' has 1 sentences and 'b' 2")
    refused(
        [(one + b"35.4\n", "a.txt"), (one * 2, "b.txt")],
        "line 2 should be a signature and a score, not '35.4'",
    )
    systems = dumped([{"system": "a", "BLEU": "17.4"}, {"system": "b", "BLEU": "21.0"}])
    refused([(systems, "x.json")], ONE_SCORE)
    single = dumped({"name": "BLEU", "score": 17.4, "signature": "nrefs:1|version:2.6.0", "nrefs": "1"})
    refused([(single, "a.json"), (single, "b.json")], ONE_SCORE)
    message = b"sacreBLEU: Only one metric can be used in sentence-level mode.\n"
    refused([(message, "a.txt"), (message, "b.txt")], "wrote no scores but 'sacreBLEU: Only one metric")


def test_measures_by_query_as_json() -> None:
    one = {
        "q/1": {"map": 0.5, "ndcg_cut_10": 0.25, "num_ret": 100.0},
        "7": {"map": 0, "ndcg_cut_10": 1, "num_ret": 7.0},
    }
    two = {"7": {"map": 0.75, "ndcg_cut_10": None, "num_ret": 9.0}}
    expected = {"bm25": {"q/1": 0.5, "7": 0}, "dpr": {"q/1": None, "7": 0.75}}
    assert board([(dumped(one), "bm25.json"), (dumped(two), "dpr.json")]) == expected
    assert board([(dumped({"bm25": one, "dpr": two}), "all.json")]) == expected
    swapped = {"map": {"q/1": 0.5, "7": 0}, "mrr": {"q/1": 1, "7": 1}}  # the scores that ranx keeps in a run
    assert board([(dumped(swapped), "bm25.json"), (dumped(two), "dpr.json")]) == expected
    ranx = {query: {"ndcg@10": score} for query, score in (("a", 0.5), ("b", 1))}
    assert board([(dumped(ranx), "x.json"), (dumped(ranx), "y.json")], metric="ndcg@10")["y"] == {
        "a": 0.5,
        "b": 1,
    }


def test_measures_as_json_refused() -> None:
    report = {
        "stat_test": "fisher",
        "metrics": ["map"],
        "model_names": ["a"],
        "a": {"scores": {"map": 0.5}, "comparisons": {}},
    }
    refused([(dumped(report), "report.json")], ONE_SCORE)
    run = {f"q{i}": {f"d{i}{j}": 9.5 - j for j in range(3)} for i in range(6)}
    refused([(dumped(run), "run.json")], "documents by query .a run or relevance judgements., not scores")
    broken = {"q1": {"map": "high"}, "q2": {"map": 1}}
    refused(
        [(dumped(broken), "a.json"), (dumped(broken), "b.json")],
        "'map' of query 'q1' is 'high', which is not a finite number",
    )


def test_columns_of_wmt_over_the_years() -> None:
    expected = {"tern": {"1": 0.5, "2": None}, "heron.12": {"1": -1, "2": 0.25}}
    lines = [(system, unit, score) for system, row in expected.items() for unit, score in row.items()]
    seven = "".join(f"chrF\ten-de\tflores\tref-A\t{a}\t{b}\t{c}\n" for a, b, c in lines)
    assert board([(seven.encode(), "chrF.seg.score")]) == expected
    named = "METRIC-NAME LANG-PAIR TESTSET DOMAIN DOCUMENT REFERENCE SYSTEM-ID SEGMENT-NUMBER SEGMENT-SCORE"
    head = named.replace(" ", "\t") + "\n"
    nine = "".join(f"chrF\ten-de\twmt24\tnews\td{b}\trefA\t{a}\t{b}\t{c}\n" for a, b, c in lines)
    for text in (nine, head + nine):
        scores = read_scores((text.encode(), "chrF.seg.score"))
        assert cells(scores)["heron.12"] == {"d1:1": -1, "d2:2": 0.25}
        assert list(scores.labels) == ["document"]
    refused([((nine + "chrF\ten-de\n").encode(), "x.seg.score")], "line 5 has 2 columns instead of 9")


def test_scores_of_systems_of_wmt() -> None:
    line = "TER\tcs-en\tnewstest2020\tnewstest2020\t{}\t-0.5\n"
    refused([((line.format("A") + line.format("B")).encode(), "x.sys.score")], ONE_SCORE)
    later = "TER\tcs-en\tgeneraltest2023\tall\trefA\t{}\t-0.5\n"
    refused([((later.format("A") + later.format("B")).encode(), "x.sys.score")], ONE_SCORE)
    refused([(b"tern\t0.5\nheron\t0.25\n", "en-de/BLEU-refA.sys.score")], ONE_SCORE)


MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def error(system: str, segment: int, rater: str, category: str, severity: str) -> str:
    return f'{system}\td1\t1\t{segment}\t{rater}\t"Da, sagt\tsaid "he, <v>no</v>\t{category}\t{severity}\n'


def test_mqm_annotations() -> None:
    text = MQM + "".join(
        [
            error("tern", 1, "r1", "Fluency/Grammar", "Major"),
            error("tern", 1, "r1", "Fluency/Punctuation", "Minor"),
            error("tern", 1, "r2", "No-error", "No-error"),  # two raters: their mean
            error("tern", 2, "r1", "Non-translation!", "Major"),
            error("heron", 1, "r1", "Fluency/Punctuation", "Major"),
            error("heron", 2, "r1", "Style/Awkward", "Neutral"),
            error("heron", 3, "r1", "Accuracy/Omission", "minor"),
        ]
    )
    assert board([(text.encode(), "mqm.tsv")]) == {
        "tern": {"d1:1": -2.55, "d1:2": -25, "d1:3": None},
        "heron": {"d1:1": -5, "d1:2": 0, "d1:3": -1},
    }
    assert not read_scores((text.encode(), "mqm.tsv")).lower_is_better
    refused(
        [((text + error("heron", 4, "r1", "Style", "Awful")).encode(), "mqm.tsv")],
        "line 9: the severity 'awful'",
    )
    refused([((text + "heron\td1\n").encode(), "mqm.tsv")], "line 9 has 2 columns instead of 9")


def counts(utterance: str, *csid: int) -> str:
    lines = ["ref  the  cat", "hyp  the  ***", "op    C    D", f"#csid {' '.join(map(str, csid))}"]
    return "".join(f"{utterance} {line}\n" for line in lines)


def test_kaldi() -> None:
    one = counts("spk1-a", 3, 1, 0, 0) + counts("spk1-b", 0, 0, 2, 0) + counts("spk2/a", 1, 1, 4, 0)
    two = counts("spk1-a", 2, 0, 0, 2) + counts("spk2/a", 2, 0, 0, 0)
    files = [
        (text.encode(), f"exp/{name}/decode/scoring_kaldi/wer_details/per_utt")
        for name, text in (("tri3", one), ("dnn", two))
    ]
    assert board(files) == {
        "tri3": {"spk1-a": 0.25, "spk1-b": None, "spk2/a": 2.5},
        "dnn": {"spk1-a": 0.5, "spk1-b": None, "spk2/a": 0},
    }
    assert board(files, metric="errors")["tri3"] == {"spk1-a": 1, "spk1-b": 2, "spk2/a": 5}
    assert read_scores(files).lower_is_better
    refused(
        [((one + "spk3 #csid 1 2 x 0\n").encode(), "a"), files[1]], "line 13: #csid should be four counts"
    )


def alignment(system: str, **utterances: str) -> str:
    head = "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\n"
    head += f"System name:   {system}\n\nSpeakers: \n    0:  spk1\n\n"
    body = "".join(
        f"id: ({name})\nFile: 2347\nChannel: A\nScores: (#C #S #D #I) {text}\nREF:  **\nHYP:  IS\nEval: I\n\n"
        for name, text in utterances.items()
    )
    return f"{head}Speaker sentences   0:  spk1   #utts: 2\n{body}"


def test_sclite_alignments() -> None:
    one = alignment("out/tern.ctm", u1="3 1 0 0", u2="0 0 0 1")
    two = alignment("out/heron.ctm", u1="2 0 2 1", u3="5 0 0 0")
    files = [(one.encode(), "x.pra"), (two.encode(), "y.pra")]
    expected = {
        "tern.ctm": {"u1": 0.25, "u2": None, "u3": None},
        "heron.ctm": {"u1": 0.75, "u2": None, "u3": 0},
    }
    assert board(files) == expected
    assert board(files, metric="errors") == {
        "tern.ctm": {"u1": 1, "u2": 1, "u3": None},
        "heron.ctm": {"u1": 3, "u2": None, "u3": 0},
    }
    words = {
        "tern": [("u1", 'C,"a","a":S,"b","x":C,"c","c":C,"d","d"'), ("u2", 'I,,"is"')],
        "heron": [("u1", 'C,"a","a":D,"b",:D,"c",:C,"d","d":I,,"e"'), ("u3", ":".join(['C,"a","a"'] * 5))],
    }
    marked = [
        (
            f'<SYSTEM title="out/{name}.ctm" ref_fname="r" format="2.4">\n<SPEAKER id="s">\n'.encode()
            + "".join(
                f'<PATH id="({own})" word_cnt="4" labels="&lt;o&gt;">\n{text}\n</PATH>\n'
                for own, text in paths
            ).encode()
            + b"</SPEAKER>\n</SYSTEM>\n",
            f"{name}.sgml",
        )
        for name, paths in words.items()
    ]
    assert board(marked) == expected
    assert board([*marked, files[0], files[1]]) == expected  # the same alignments in both forms
    refused(
        [(one.replace("3 1 0 0", "3 one").encode(), "x.pra"), files[1]],
        "line 14 should be the scores of an utterance",
    )


@pytest.mark.parametrize(("row", "ending"), [("25.0", "sys"), ("5", "raw")])
def test_sclite_summary_by_speaker(row: str, ending: str) -> None:
    def summary(name: str, *rows: tuple[str, str]) -> bytes:
        frame = "," + "-" * 70 + "."
        lines = [
            "          SYSTEM SUMMARY PERCENTAGES by SPEAKER",
            frame,
            f"|   {name}   |",
            "|" + "-" * 70 + "|",
        ]
        lines += ["| SPKR | # Snt # Wrd | Corr  Sub  Del  Ins  Err  S.Err |".replace("# W", "#W")]
        lines += [f"| {speaker} |  5  20 | 90 5 5 5 {err} 40 |" for speaker, err in rows]
        lines += ["| GAP |  5  0 | *0 *0 *0 *8 *8 *6 |".replace("*", "*" if ending == "sys" else "")]
        lines += ["|" + "=" * 70 + "|", "| Sum/Avg | 10  40 | 90 5 5 5 99.0 40 |"]
        return "\n".join(lines).encode()

    zero = "0.0" if ending == "sys" else "0"
    files = [
        (summary("tern", ("spk1", row), ("spk 2", zero)), f"a.{ending}"),
        (summary("heron", ("spk1", zero), ("spk 2", row)), f"b.{ending}"),
    ]
    assert board(files) == {
        "tern": {"spk1": 0.25, "spk 2": 0, "GAP": None},
        "heron": {"spk1": 0, "spk 2": 0.25, "GAP": None},
    }
    refused([(summary("tern", ("spk1", "many")), f"a.{ending}"), files[1]], "line 6 should have six numbers")


def test_trec_eval_several_measures_and_missing_topics() -> None:
    one = "num_ret\t301\t500\nmap  \t301\t0.5\nrelstring\t301\t'1100'\nmap\t30/2\t0.25\n"
    one += "runid\tall\tbm 25\nmap\tall\t0.4\n"
    two = "map  \t301\t1.0\nmap\t9\t0\nrunid\tall\tdpr\n"
    expected = {"bm 25": {"301": 0.5, "30/2": 0.25, "9": None}, "dpr": {"301": 1, "30/2": None, "9": 0}}
    assert board([(one.encode(), "a.out"), (two.encode(), "b.out")]) == expected
    assert board([((one + two).encode(), "both.out")]) == expected
    judged = "".join(f"301 0 CR93E-{i} 1\n" for i in range(9))
    refused(
        [(judged.encode(), "qrels")], "a list of relevance judgements, not scores; run trec_eval -q on it"
    )
