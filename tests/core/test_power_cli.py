"""`power plan` and `power curve`: numbers, JSON, and one line for bad input."""

import json

import pytest

from nlpstat_core import cli

WIDE = "item,doc,A,B,C\n" + "".join(
    f"s{i},d{i // 4},{0.5 + i % 7 / 20:.2f},{0.45 + i % 5 / 20:.2f},{i % 2}\n" for i in range(40)
)


@pytest.fixture
def score_file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(WIDE, encoding="utf-8")
    return path


def run(capfdbinary, *arguments):
    status = cli.main(["power", *(str(argument) for argument in arguments)])
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def plan(capfdbinary, text):
    status, out, err = run(capfdbinary, "plan", *text.split(), "--json", "-")
    assert (status, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("--delta 0.2 --sd 1 --power 0.8 --alpha 0.05", "units", 199),
        ("--delta 0.2 --sd 1 --power 0.8", "units", 199),
        ("--delta 1 --sd 2 --power 0.8 --alternative greater", "units", 27),
        ("--effect 0.1 --power 0.9 --alpha 0.01", "units", 1492),
        ("--n 199 --delta 0.2 --sd 1", "power", 0.80169102),
        ("--units 199 --power 0.8 --sd 10", "delta", 1.995686),
        ("--units 199 --power 0.8 --effect 0.2", "alpha", 0.0493060),
        ("--test sign --win-share 0.6 --power 0.8", "units", 210),
        ("--delta 0.2 --sd 1 --power 0.8 --correction holm --systems 26", "comparisons", 325),
        # Systems were ignored unless a correction was named.
        ("--effect 0.2 --power 0.8 --systems 12", "units", 449),
        ("--effect 0.2 --power 0.8 --comparisons 66", "units", 449),
        ("--effect 0.2 --power 0.8 --systems 12 --correction none", "units", 199),
        ("--effect 0.2 --power 0.8 --per-document 10 --design-effect 0.5", "documents", 12),
    ],
)
def test_plan(capfdbinary, text, field, value):
    assert plan(capfdbinary, text)[field] == pytest.approx(value, rel=1e-5)


def test_plan_in_words(capfdbinary):
    status, out, err = run(capfdbinary, "plan", "--delta", "0.2", "--sd", "1", "--power", "0.8")
    assert (status, err) == (0, "")
    assert out.startswith("199 test items are needed")
    assert "noncentral t" in out


def test_curve(score_file, capfdbinary):
    status, out, err = run(capfdbinary, "curve", score_file, "A", "B", "--points", 4, "--iterations", 50)
    assert (status, err) == (0, "")
    assert out.splitlines()[0].split() == ["items", "power", "95", "%", "band"]
    assert len([line for line in out.splitlines() if "[" in line]) == 4
    assert "only restates the p-value" in out
    arguments = ("--sizes", "10,80", "--iterations", 50, "--shift", 0.05, "--test", "block-t", "--json", "-")
    status, out, _ = run(capfdbinary, "curve", score_file, "A", "B", *arguments, "--block-column", "doc")
    data = json.loads(out)
    assert status == 0
    assert (data["test"], data["sizes"], data["documents"]) == ("block-t", [10, 80], [2, 20])
    assert data["comparison_alpha"] == 0.05
    status, out, _ = run(capfdbinary, "curve", score_file, "A", "B", *arguments[:-2], "--block-column", "doc")
    lines = [line.split()[:2] for line in out.splitlines()]
    assert ["items", "documents"] in lines
    assert ["80", "20"] in lines
    status, out, _ = run(
        capfdbinary, "curve", score_file, "A", "B", "--correction", "holm", "--iterations", 5, "--json", "-"
    )
    assert json.loads(out)["comparison_alpha"] == 0.05 / 3


@pytest.mark.parametrize(
    "text",
    [
        "plan",
        "plan --power 0.8",
        "plan --delta 0.2 --power 0.8",
        "plan --delta 0.2 --sd 0 --power 0.8",
        "plan --delta 0.2 --sd 1 --effect 3 --power 0.8",
        "plan --effect x --power 0.8",
        "plan --effect nan --power 0.8",
        "plan --effect 0 --power 0.8",
        "plan --effect 0.2 --power 80",
        "plan --effect 0.2 --power 0.8 --alpha 0",
        "plan --effect 0.2 --power 0.8 --alpha 0.05 --units 9",
        "plan --effect 0.2 --power 0.8 --test sign",
        "plan --win-share 0.6 --power 0.8 --test t",
        "plan --win-share 1.6 --power 0.8 --test sign",
        "plan --effect 0.2 --power 0.8 --test welch",
        "plan --effect 0.2 --power 0.8 --alternative up",
        "plan --effect 0.2 --power 0.8 --systems 1",
        "plan --effect 0.2 --power 0.8 --systems 3 --comparisons 3",
        "plan --effect 0.2 --power 0.8 --decided 0 --test t",
        "plan --units 2.5 --power 0.8",
        "plan --frobnicate",
        "",
        "curve",
        "curve nowhere.csv A B",
        "curve FILE A A",
        "curve FILE A Z",
        "curve FILE A B --points 0",
        "curve FILE A B --iterations many",
        "curve FILE A B --sizes 1",
        "curve FILE A B --sizes 10;20",
        "curve FILE A B --method jackknife",
        "curve FILE A B --test mcnemar",
        "curve FILE A B --test block-t --block-column none",
        "curve FILE A B --alpha 2",
        "curve FILE A B --shift inf",
    ],
)
def test_bad_input_is_one_line(score_file, capfdbinary, text):
    words = [str(score_file) if word == "FILE" else word for word in text.split()]
    status, out, err = run(capfdbinary, *words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_curve_that_leaves_documents_out_says_so(tmp_path, capfdbinary):
    file = tmp_path / "scores.csv"
    rows = (f"u{i},d{i // 5},{i % 7}.5,{i % 5}.25" for i in range(60))
    file.write_text("\n".join(["item,doc,A,B", *rows]), encoding="utf-8")
    few = ("--points", 2, "--iterations", 5)
    for more, told in (((), True), (("--test", "recommended"), False), (("--block-column", "none"), False)):
        status, out, _ = run(capfdbinary, "curve", file, "A", "B", *few, *more)
        assert status == 0
        assert ("`analyse` compares the documents of 'doc'" in out) == told


def test_what_a_board_of_scores_or_of_outputs_could_tell_apart(score_file, tmp_path, capfdbinary):
    status, out, err = run(capfdbinary, "board", score_file, "--test", "t")
    assert status == 0
    assert "20 scores (first: system 'C', item 's0') are exactly 0" in err
    assert "For a typical pair, true differences below" in out
    gold, outputs = tmp_path / "gold.csv", tmp_path / "outputs.csv"
    rows = [
        (f"i{i}", "abc"[i % 3], "abc"[i % 3 if i % 4 else 0], "abc"[i % 3 if i % 3 else 1]) for i in range(60)
    ]
    gold.write_text("id,label\n" + "".join(f"{row[0]},{row[1]}\n" for row in rows))
    outputs.write_text("id,T,U\n" + "".join(f"{row[0]},{row[2]},{row[3]}\n" for row in rows))
    asked = ("board", outputs, "--gold", gold, "--measure", "macro-f1")
    status, out, err = run(capfdbinary, *asked)
    assert (status, err) == (0, "")
    assert "true differences in macro-F1 below" in out
    assert "Items needed to tell neighbours apart with a power of 80 %" in out
    found = json.loads(run(capfdbinary, *asked, "--json", "-")[1])
    assert found["measure"] == "macro-f1"
    assert [pair["n_units"] for pair in found["pairs"]] == [60]
    assert 0 < found["pairs"][0]["detectable"] < 1
    near = found["neighbours"][0]
    assert near["needed_at_least"] <= near["needed"]
    assert "posterior probability" in posterior_of(
        capfdbinary, outputs, "--gold", gold, "--measure", "macro-f1"
    )
    status, out, err = run(capfdbinary, "board", outputs, "--measure", "macro-f1")
    assert (status, out) == (2, "")
    assert "--measure goes with --gold" in err


def posterior_of(capfdbinary, *arguments):
    status = cli.main(["posterior", *(str(argument) for argument in arguments)])
    captured = capfdbinary.readouterr()
    assert (status, captured.err) == (0, b"")
    return captured.out.decode()
