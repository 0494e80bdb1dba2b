"""Examples at the end of every command's help; a test runs them all."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        "nlpstat example > scores.csv",
        "nlpstat analyse scores.csv",
        "nlpstat analyse scores.csv --correction bonferroni --out results/",
    ),
    "analyse": (
        "nlpstat analyse scores.csv",
        "nlpstat analyse scores.csv --test wilcoxon --correction none --out results/ --also xlsx,figures",
        "nlpstat example | nlpstat analyse - --csv pairs --quiet > pairs.csv",
        "nlpstat analyse tracks.csv --each dataset --out results/",
        "nlpstat analyse alder.txt birch.txt cedar.txt --json > analysis.json",
    ),
    "compare": ("nlpstat compare scores.csv Alder Cedar --points 3 --iterations 100",),
    "changes": ("nlpstat changes before.csv scores.csv",),
    "gate": (
        "nlpstat gate new.csv --baseline main.csv --margin 0.5",
        "nlpstat gate scores.csv --baseline Cedar --margin 0 --markdown --junit gate.xml",
    ),
    "metrics": ("nlpstat metrics metrics.csv --human people --resamples 100",),
    "correlate": (
        "nlpstat correlate --r 0.9,0.8,0.7 --n 20",
        "nlpstat correlate metrics.csv --of chrF,people",
    ),
    "composite": ("nlpstat composite en.csv de.csv --weights en=2",),
    "cost": ("nlpstat cost costs.csv --cost tokens",),
    "judge": ("nlpstat judge labels.csv --human people --judge GEMBA",),
    "preferences": ("nlpstat preferences battles.jsonl --ties davidson",),
    "score": ("nlpstat score gold.csv outputs.csv --measure macro-f1,accuracy",),
    "submissions": ("nlpstat submissions gold.csv outputs.csv --measure macro-f1 --csv",),
    "diagnose": ("nlpstat diagnose scores.csv",),
    "posterior": ("nlpstat posterior scores.csv --margin 1",),
    "audit": ("nlpstat audit scores.csv --test t --boards 100",),
    "power plan": (
        "nlpstat power plan --delta 0.2 --sd 1 --power 0.8",
        "nlpstat power plan --units 1000 --power 0.8 --sd 12 --systems 15",
    ),
    "power board": ("nlpstat power board outputs.csv --gold gold.csv --measure macro-f1",),
    "power curve": ("nlpstat power curve scores.csv Alder Cedar --points 3 --iterations 100",),
    "boards": (
        "nlpstat boards list --database boards.sqlite",
        "nlpstat boards export 'Task 1' task-1.board --database boards.sqlite",
    ),
    "serve": ("nlpstat serve", "nlpstat serve scores.csv --port 8600 --no-browser"),
    "formats": ("nlpstat formats",),
    "methods": ("nlpstat methods",),
    "example": ("nlpstat example > scores.csv", "nlpstat example long-csv"),
    "completion": (
        'eval "$(nlpstat completion bash)"',
        "nlpstat completion fish > ~/.config/fish/completions/nlpstat.fish",
    ),
}
