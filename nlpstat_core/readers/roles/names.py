"""What column names say: unit ids, labels, systems, runs, scores."""

import re
from collections.abc import Sequence
from functools import lru_cache

IDS = "id|uid|qid|item|unit|seg|segment|topic|instance|sentence|sent|example|question|query|dataset|data_set"
MORE_IDS = "task|problem|prompt|sample|case|test_case|index|idx|row|line|unnamed_0|segid|sentid|itemid"
GROUPS = "topic|question|query|dataset|data_set|task|problem|prompt"  # ids that also group finer units
ROW_COUNTS = "index|idx|row|line|unnamed_0"
# Documents, whose units are compared together unless somebody says otherwise; groupings may be blocks, too.
DOCUMENTS = (
    "doc|docid|docno|docname|document|talk|talkid|dialog|dialogue|conversation|conv|thread|passage|article|story|"
    "lecture|meeting|transcript|block"
)
GROUPINGS = "repo|repository|cluster"
LABELS = (
    "domain|subject|genre|lang|language|lang_pair|language_pair|langpair|lp|category|split|testset|test_set"
)
MORE_LABELS = "corpus|subset|group|section|speaker|refset|benchmark|archive"
DATASETS = (
    "dataset|data_set|corpus|testset|test_set|benchmark|task|"
    "lang_pair|language_pair|langpair|lp|language|lang"
)
SYSTEMS = "system|sys|sysid|model|classifier|method|team|submission|participant|engine|runid"
# Names that mean systems, units and groups where a table is long in any case.
ACTORS = (
    "agent|llm|lm|alg|algo|algorithm|approach|framework|detector|learner|estimator|solver|optimizer|policy|net|network|"
    "architecture|clf|retriever|parser|translator|tagger|generator|checkpoint|pipeline|provider|"
    "model_(?:label|key|version)"
)
SETTINGS = "arm|run_id|variant|run_name|experiment|condition|system_prompt|prompt_template|prompt"  # or items
MORE_UNITS = (
    "utt|utterance|file|filename|file_name|filepath|path|image|img|audio|clip|video|pair|input|docno|guid|key|"
    "uuid|hash|record|entry|point|observation|turn|conversation|dialogue|passage|claim|source|src"
)
COMPANIONS = "turn|part|chunk|step|conversation|dialogue|doc|document"  # what ids start again in
RUNS = (
    "run|seed|random_seed|iteration|trial|repetition|repeat|replicate|rep|fold|attempt|epoch|init|initialization|"
    "restart|random_state"
)
RATERS = "rater|annotator|assessor|judge|evaluator|worker|coder"
SCORES = "score|scores|value|result"
METRICS = "metric|measure|criterion|criteria|dimension|aspect|score_type|metric_type|eval_metric"
SAMPLES = "sample|completion|generation|rollout|candidate|response|output|draw|repeat|k"  # of one prompt
_NUMBERED = "_(?:id|ids|no|nr|number|num|name|names|idx|index)"


LONGEST = 200  # no name that says something is longer; a cell may hold millions of signs
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\W_]+")


def _one_of(*stems: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(stems)})(?:{_NUMBERED})?")


_TIMES = (
    "(?:execution|response|inference|eval|evaluation|processing|generation|total|run|cpu|wall|wall_?clock|user|real|"
    "fit|train|training|test|prediction)_time"
)
# Columns of numbers that are no scores and no systems, unless their values look like those beside them.
_NEVER = (
    "(?:tstamp|timestamp|time_stamp|datetime|date|created|created_at|updated_at|start_time|end_time|"
    "seed|epoch|index|idx|turn|tokens?|n_tokens|num_tokens|token_count|tokens_used|latency(?:_m?s)?|cost|price|"
    f"length|len|duration|runtime|{_TIMES}|"
    "time_(?:spent|taken|used|in_seconds)|temperature|top_[pk]|n_shots?|num_shots?|confidence|logprobs?|log_probs?|difficulty|"
    "(?:num|n|number_of)_(?:words|chars|characters|sentences|turns|calls|retries|attempts)|(?:word|char|sentence)_count|"
    "contest_id|wall_clock|steps?|order|threshold|elapsed|wall_time|num_evaluated|n_evaluated|version|year)(?:_ms|_s|_sec|_usd)?"
)

# Of these, what a system's output costs: money, time, tokens, length.
_COST = (
    "(?:tokens?|n_tokens|num_tokens|token_count|tokens_used|latency(?:_m?s)?|latencies|costs?|price|dollars|"
    f"length|len|duration|runtime|{_TIMES}|time|seconds|"
    "time_(?:spent|taken|used|in_seconds)|wall_clock|elapsed|wall_time|"
    "(?:num|n|number_of)_(?:tokens|words|chars|characters|sentences|turns|calls|retries|attempts)|"
    "(?:token|word|char|character|sentence)_count)(?:_ms|_s|_sec|_seconds|_usd)?"
)


class Kind:
    """What a column name may say: a pattern of normal names for each."""

    MORE_SYSTEM = _one_of(ACTORS, SETTINGS)
    ACTOR = _one_of(SYSTEMS, ACTORS)
    MORE_UNIT = re.compile(f"(?:{MORE_UNITS})(?:{_NUMBERED})?|.*_(?:id|idx|uuid|guid|no|hash)")
    COMPANION = _one_of(COMPANIONS)
    NEVER = re.compile(f"(?:.*_)?{_NEVER}")
    ASIDE = _one_of(RATERS, RUNS, "time(?:_[a-z]+){0,2}|temp|weights?")  # but with no word before
    PLAINLY_NEVER = re.compile(f"(?:[a-z]+_)?{_NEVER}")  # not the end of a model's name, as 7b_250b_tokens
    COST = re.compile(f"(?:.*_)?{_COST}")
    NEVER_OF_ONE = re.compile(f"(?P<system>.+?)_{_NEVER}")
    # What systems were asked and said, in long tables, also where it is numbers.
    ANSWER = re.compile(
        "(?:.*_)?(?:answers?|expected|targets?|gold|golds|references?|predictions?|predicted|preds?|outputs?|"
        "responses?|ground_truth|labels?|completions?)"
    )
    # Right answers beside those of systems, which are answers then and no scores.
    GOLD = re.compile(
        "(?:y_)?(?:true|gold|golds|target|targets|ground_truth|expected)(?:_(?:label|labels|answer|answers))?"
        "|(?:correct|reference|right)_(?:label|answer)|labels?|answer_key"
    )
    SUMMARY = re.compile(
        "(?:macro_|micro_|grand_|row_|sub_?)?(?:average|avg|ave|mean|overall|totals?|sum|ø|σ|(?:gesamt)?mittel|mittelwert"
        "|durchschnitt|gesamt|summe|zwischensumme|moyenne|somme|promedio|suma|media|média|gemiddelde|平均|平均值|平均値"
        "|平均分|均值|总计|合計|среднее)(?:_(?:all|scores?|performance|results?|acc(?:uracy)?|auc|wer|bleu|f1|ndcg))?"
    )
    # What is told of items: flags, and numbers of something.
    PROPERTY = re.compile("(?:is|has|was|needs)_.+")
    COUNT_SIGN = re.compile(r"#(?:\s*[^\W\d_]{3}.*)?", re.DOTALL)  # "#", "# Dimensions"
    NUMBER = re.compile(
        "(?:n|num|nr|number_of|avg|total)_?(?:rows?|features|classes|samples|instances|items|dimensions|columns|labels)"
        "|(?:num|number_of)_[a-z_]+|.+_(?:perc|percent|percentage|pct|ratio|share|imbalance)"
    )
    # Columns of words that may stand empty.
    REMARK = re.compile("(?:.*_)?(?:notes?|comments?|remarks?|errors?|warnings?|todo|exception|reason|flag)")
    SPREAD = re.compile(
        "(?:.*_)?(?:std|st(?:andard|d)?_?(?:dev(?:iation)?|err(?:or)?)(?:_[sp])?|s_?d|s_?e|sem|var|variance|stabw|stdabw|"
        "standardabweichung|varianz|écart_type|desv(?:iación)?(?:_est(?:ándar)?|_típica)?|标准差|標準偏差|方差|分散)"
    )
    # What metrics are called, with what tools put around it ("feedback.correctness", "toxicity/v1/score").
    KNOWN_METRIC = re.compile(
        "(?:(?:feedback|metrics?|eval|scores?|test|val|cosine)_)?"
        "(?P<metric>[prf]|acc|accuracy|acc_norm|balanced_accuracy|exact_match|em|f1|f_1|precision|recall|mcc|auc|auroc|roc_auc"
        "|(?:sacre)?bleu(?:_?[1-4])?|chr_?f|chrf_?(?:pp|2)?|ter|wer|cer|mer|rouge_?(?:[12lw]|lsum|su?4?)?(?:_[prf])?"
        "|meteor|bert_?score(?:_(?:f1|[prf]))?|comet(?:kiwi)?|bleurt|map|mrr|ndcg|pass|spearman|pearson|g_?eval"
        "|perplexity|ppl|loss|mse|mae|rmse|[nrsmw]*_?(?:mase|mape|msis|msle)|wape|wql|crps|owa|faithfulness|groundedness"
        "|answer_(?:relevancy|relevance|similarity|correctness)|context_(?:precision|recall|relevancy|relevance)"
        "|relevance|relevancy|coherence|fluency|adequacy|consistency|correctness|conciseness|helpfulness|harmlessness"
        "|specificity|sensitivity|kappa|r2|nmi|ari|ami|purity|m?iou|dice|ssim|psnr|fid|lpips|cider|spice|gleu|ece|brier"
        "|top_?(?:1|5|10)|toxicity|hallucination|similarity|semantic_similarity|flesch_kincaid_grade_level|ari_grade_level"
        f"|{_TIMES}|runtime|memory)"
        "(?:_(?:at_)?[0-9]+)?(?:_v[0-9]+)?(?:_scores?)?"
    )
    # Parts of F1, which is read before them unless they are chosen.
    PART_OF_F = re.compile("(?:.*_)?(?:p|r|prec|precision|recall)")
    WHOLE_F = re.compile("(?:.*_)?(?:f|f1|f_1|fmeasure|f_measure|f_score)")
    TIME = re.compile(
        "(?:.*_)?(?:time_?stamp|date_?time|date|time|utc|created|updated|started|finished|ended|when|day)(?:_(?:at|on|utc))?"
    )
    # What stands in an item, or its fingerprint: the same for all systems.
    TEXT = re.compile(
        "(?:.*_)?(?:hash|md5|sha1|sha256|fingerprint|checksum)|(?:source|question|query|problem|reference)(?:_text)?|src|ref"
    )
    F1 = re.compile("f|f1|f_1|fmeasure|f_measure|(?:f|f1|f_1)_score")
    ID = _one_of(IDS, MORE_IDS)
    GROUP = _one_of(GROUPS)
    ROW_COUNT = _one_of(ROW_COUNTS)
    DOCUMENT = _one_of(DOCUMENTS)
    GROUPING = _one_of(DOCUMENTS, GROUPINGS)
    LABEL = _one_of(DOCUMENTS, GROUPINGS, LABELS, MORE_LABELS)
    DATASET = _one_of(DATASETS)
    SYSTEM = _one_of(SYSTEMS)
    RUN = _one_of(RUNS)
    RATER = _one_of(RATERS)
    SCORE = _one_of(SCORES)
    CORRECT = re.compile("(?:is_|was_)?(?:correct|right|solved|resolved|passed|success)")
    METRIC = _one_of(METRICS)
    SAMPLE = _one_of(SAMPLES)


@lru_cache(maxsize=50_000)
def normal(name: str) -> str:
    """A column name in lower case with underscores, to look it up.

    >>> normal("Segment ID"), normal("langPair"), normal("Unnamed: 0")
    ('segment_id', 'lang_pair', 'unnamed_0')
    """
    return _SEPARATORS.sub("_", _HUMP.sub("_", name[:LONGEST])).strip("_").lower()


def says(kind: re.Pattern[str], name: str) -> bool:
    """Whether a column name is of a kind.

    >>> says(Kind.DOCUMENT, "Doc ID"), says(Kind.ID, "dataset_name"), says(Kind.ID, "bert")
    (True, True, False)
    """
    return bool(kind.fullmatch(normal(name)))


def says_id(name: str, first: bool) -> bool:
    """Whether a name says that the column holds unit ids; in the first column no name says so too."""
    return says(Kind.ID, name) if normal(name) else first


def is_metric(name: str) -> bool:
    """Whether a name is that of a known metric or says that it is a score.

    >>> is_metric("pass@1"), is_metric("score"), is_metric("System B")
    (True, True, False)
    """
    return says(Kind.SCORE, name) or says(Kind.KNOWN_METRIC, name)


def are_metrics(names: Sequence[str]) -> bool:
    """Whether all of several names are known metrics, and not one metric with what tools put around it.

    >>> are_metrics(["BLEU", "toxicity/v1/score"]), are_metrics(["BLEU", "System B"])
    (True, False)
    """
    found = [Kind.KNOWN_METRIC.fullmatch(normal(name)) for name in names]
    return all(found) and len({one["metric"] for one in found if one}) > 1
