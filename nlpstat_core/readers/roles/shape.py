"""From a table to scores: which shape it has, found or told, and what its columns are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, Sentence, shown
from nlpstat_core.readers.open.cells import is_missing, is_text, mostly_text
from nlpstat_core.readers.open.dialect import DELIMITER_NAMES, WHITESPACE
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Found, Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.columns_left_out import are_no_scores
from nlpstat_core.readers.roles.counts import is_counts, part_of, read_counts
from nlpstat_core.readers.roles.documents import label_role
from nlpstat_core.readers.roles.given import resolved, table_as_given, with_joined_systems
from nlpstat_core.readers.roles.header_shapes import (
    numbered_columns,
    one_header,
    runs_side_by_side,
    systems_and_metrics,
)
from nlpstat_core.readers.roles.layout import find_system, guessed_system, is_long, left_over_system
from nlpstat_core.readers.roles.long import read_long
from nlpstat_core.readers.roles.long_units import crosses, joint_units
from nlpstat_core.readers.roles.names import Kind, are_metrics, is_metric, normal, says
from nlpstat_core.readers.roles.odd_rows import settled_repeats, without_repeats
from nlpstat_core.readers.roles.odd_systems import mirrored_systems, unlike_systems
from nlpstat_core.readers.roles.record import Role, Roles, RolesNeeded
from nlpstat_core.readers.roles.runs import named_run_columns
from nlpstat_core.readers.roles.units import find_unit, named_id_columns
from nlpstat_core.readers.roles.unnamed import holds_scores, read_unnamed
from nlpstat_core.readers.roles.wide import read_wide
from nlpstat_core.readers.roles.wide_runs import read_by_run, read_side_by_side
from nlpstat_core.scores.matrix import first_repeat

HEAD_ROWS = 40
RIGHT_OR_WRONG = "give 1 for a right answer and 0 for a wrong one, or "
NO_FORMAT = "no known format; give one row per item and one column per system, with a header."


def read_table(table: Table, choices: Choices, told: str = "") -> Found:
    """The scores in a table with a header, whose shape may be told; raises ScoreFileError."""
    told_roles = choices.told_roles
    table, choices = table_as_given(table, choices)
    table = _one_name_a_column(table, choices)
    if told_roles:
        table, choices = prepared(table, choices)
    columns = len(table.header)
    if columns > choices.limits.max_columns:
        raise BoundsExceeded(f"{columns:,} columns are more than {choices.limits.max_columns:,}.")
    if not columns:
        raise ScoreFileError("there are no columns; give one row per item and one column per system.")
    shape = told or _shape_by_header(table, choices)
    if shape == "counts":
        reason = "as chosen" if told else "columns of counts per item (correct and total, or tp, fp and fn)"
        found = Found(part=read_counts(table, choices), format="counts", reason=reason, table=table)
    elif shape == "long-csv":
        found = _long(table, choices)
    else:
        found = _wide(table, choices)
    return found.but(reading={**found.part.reading, **told_roles})


def _one_name_a_column(table: Table, choices: Choices) -> Table:
    """The table, as a longer one where its columns are systems by metrics, or runs or raters."""
    table = one_header(table)
    if choices.systems_as_rows:
        return table
    told = [name for names in (choices.roles or {}).values() for name in names]
    told += [*(choices.label_columns or ()), *named_id_columns(choices, table.header)]
    told += [choices.metric] if choices.metric in table.header else []
    if any(name == choices.system_column or says(Kind.SYSTEM, name) for name in table.header):
        return numbered_columns(table, [name for name in told if name in table.header])
    return systems_and_metrics(table, told)


def prepared(table: Table, choices: Choices) -> tuple[Table, Choices]:
    """The table and the choices that told roles amount to."""
    roles = resolved(choices.roles, table.header)
    ignored = set(roles.get(Role.IGNORED, ()))
    table = table.keep([i for i, name in enumerate(table.header) if name not in ignored])
    more: dict[str, Any] = {"roles": roles}
    systems = roles.get(Role.SYSTEM, ())
    texts = [name for name in systems if mostly_text(table.texts(name), table.decimal)]
    is_named = len(systems) == 1 or Role.SCORE in roles or Role.COUNT in roles
    if systems and (len(texts) == len(systems) or is_named) and (is_named or texts):
        table, more["system_column"] = with_joined_systems(table, systems)
        roles.pop(Role.SYSTEM)
        if len(systems) > 1:  # the parts of the names are no labels
            table = table.keep([i for i, name in enumerate(table.header) if name not in systems])
    if Role.UNIT in roles:
        more["id_column"] = roles[Role.UNIT] or False
    return table, replace(choices, **more)


def _long(table: Table, choices: Choices, system: int | None = None) -> Found:
    part = read_long(table, choices, system)
    reason = f"column {shown(part.reading['system_column'])} names the system of each row"
    return Found(part=part, format="long-csv", reason=reason, table=table)


def _over_runs(table: Table, choices: Choices) -> Part:
    """A wide table with a column that was told to name runs."""
    part = read_by_run(table, choices)
    if part is None:
        names = " and ".join(map(shown, named_run_columns(choices, table.header)))
        raise ScoreFileError(
            f"no item appears in more than one run of {names}; give every run the same item ids, or "
            "name no column of runs",
            Remedy("run_column", "none", "aside"),
            ".",
        )
    return part


def _wide(table: Table, choices: Choices) -> Found:
    """A wide table; where its ids repeat under the values of another column, a long one."""
    sign = DELIMITER_NAMES.get(table.delimiter, "delimiter")
    reason = f"a {sign} between columns, one column per system"
    if runs_side_by_side(choices.named(Role.RUN)) is not None:
        part = read_side_by_side(table, choices)
    elif named_run_columns(choices, table.header):
        part = _over_runs(table, choices)
    else:
        try:
            part = read_wide(table, choices)
        except ScoreFileError as problem:
            system = None
            if "already" in str(problem) and first_repeat([name for name in table.header if name]) is None:
                system = guessed_system(Columns(table), choices)
            if system is not None:
                return _long(table, choices, system)
            of_runs = read_by_run(table, choices)
            if of_runs is None and choices.repeats in (None, "refuse"):
                raise _without_units(table, choices, problem) from None
            if of_runs is None:
                found = _wide(*settled_repeats(table, find_unit(Columns(table), choices), choices))
                return found.but(reading=without_repeats(found.part.reading, choices))
            part = of_runs
        system = None
        if len(part.systems) == 1:  # no board: the one column of numbers holds the scores of several
            system = guessed_system(Columns(table), choices)
        if part.units is None and system is None:
            system = left_over_system(Columns(table), choices)
        if system is not None:
            return _long(table, choices, system)
    given = choices.label_columns is not None or choices.roles or choices.systems_as_rows
    if not given and choices.id_column is None:
        _check_systems(table, part, choices)
    return Found(part=part, format="wide-csv", reason=reason, table=table)


def _without_units(table: Table, choices: Choices, problem: ScoreFileError) -> ScoreFileError:
    """The problem of ids that repeat, as one of units where the ids were names of systems."""
    together = joint_units(Columns(table)) if "already" in str(problem) and choices.id_column is None else ""
    if together:
        system = together.rpartition("system=")[2]
        text = f"column {shown(system)} seems to name systems, but no column alone names the items of each; "
        return ScoreFileError(text, Remedy("roles", together), " if these are the items.")
    named = find_system(table.header, choices) if choices.id_column is None else None
    if (
        named is None
        or "already" not in str(problem)
        or f"column {shown(table.header[named])}" not in str(problem)
    ):
        return problem
    system = table.header[named]
    places = [
        i
        for i, name in enumerate(table.header)
        if name and i != named and not is_metric(name) and not says(Kind.SCORE, name)
    ]
    others = [table.header[i] for i in places]
    lacks = f"column {shown(system)} names systems, but no column names items that appear under each of them"
    if not others:
        return ScoreFileError(f"{lacks}; add a column 'item'.")
    candidates = ", ".join(map(shown, others[:4])) + (" …" if len(others) > 4 else "")
    known = {i: codes(table.texts(i))[1] for i in (named, *places)}
    unit = next((table.header[i] for i in places if crosses([i], [named], known)), "")
    told = Remedy("roles", f"unit={unit},system={system}") if unit else Remedy("id_column")
    return ScoreFileError(f"{lacks} (there are {candidates}); add a column 'item', or ", told, ".")


def _check_systems(table: Table, part: Part, choices: Choices) -> None:
    """Ask where columns of numbers are named or filled as something else than the scores of systems."""
    there = np.flatnonzero(np.isfinite(part.values).any(axis=0)).tolist()
    systems = [part.systems[i] for i in there] or part.systems
    if choices.run_column is None and runs_side_by_side(systems) is not None:
        why = f"{shown(systems[0])} to {shown(systems[-1])} seem to be runs of one system, not systems"
        none = Remedy("run_column", "none", "aside", "if each is a system")
        ask_roles(table, part, why, Sentence("give one such file for each system", none), Role.RUN)
    if len(there) > 1 and (
        are_no_scores(part.values[:, there], systems)
        or all(says(Kind.NUMBER, name) or normal(name).startswith("rank_") for name in systems)
    ):
        first, second = systems[:2]
        why = f"{shown(first)} and {shown(second)} seem to hold times, counters or settings, not scores"
        ask_roles(table, part, why, one_or_two(first, second, "if they are systems"), Role.SYSTEM)
    measured = any(map(is_metric, systems)) and all(is_metric(name) or part_of(name) for name in systems)
    if are_metrics(systems) or (measured and len(systems) > 1):
        first, second = systems[:2]
        why = f"{shown(first)} and {shown(second)} are names of metrics, not of systems"
        ask_roles(table, part, why, one_or_two(first, second, "if they are systems"), Role.SCORE)
    gold = next((name for name in systems if says(Kind.GOLD, name)), None)
    if gold is not None and len(systems) > 1:
        why = f"{shown(gold)} seems to hold the right answers, so the others may hold answers, not scores"
        how = Sentence(RIGHT_OR_WRONG, Remedy("roles", f"ignored={gold}"), " if they are scores")
        ask_roles(table, part, why, how, Role.SYSTEM)
    if systems and all(says(Kind.ANSWER, name) for name in systems):
        why = f"{shown(systems[0])} seems to hold answers, not scores"
        how = Sentence(RIGHT_OR_WRONG, Remedy("roles", f"score={systems[0]}"), " if it is a score")
        ask_roles(table, part, why, how, Role.SYSTEM)
    unlike = None
    if len(there) > 1 and not choices.metric:
        values = part.values[:, there]
        unlike = unlike_systems(values, systems) or mirrored_systems(values, systems)
    if unlike:
        ask_roles(table, part, unlike, one_or_two(systems[0], systems[1], "if they are"), Role.SYSTEM)


def one_or_two(first: str, second: str, when: str) -> Sentence:
    """Advice on two columns that may be metrics of one system, or two systems."""
    return Sentence(
        "say what the columns are",
        Remedy("roles", f"score={first}", "aside", "for one system per file"),
        Remedy("roles", f"system={first},system={second}", "aside", when),
    )


def ask_roles(table: Table, part: Part, why: str, how: Sentence, role: Role) -> None:
    """Raise the question what the columns of numbers are."""
    roles = dict.fromkeys(table.header, Role.IGNORED)
    roles |= {name: label_role(name) for name in part.labels} | dict.fromkeys(part.systems, role)
    ids = part.reading.get("id_column")
    roles |= dict.fromkeys(ids if isinstance(ids, list) else [ids] if ids else [], Role.UNIT)
    guess = Roles(roles=roles, wide=True, certainty="unsure", question=why)
    raise RolesNeeded(Sentence(f"{why}; ", how, "."), table.header, table.head(8), guess)


def read_text(table: Table, choices: Choices, stem: str) -> Found:
    """The scores in delimited text: also without a header, of one column, or of systems that repeat.

    stem: Name of the only system in a file of one.
    """
    table, choices = table_as_given(table, choices)
    wanted = choices.format
    if wanted is None:
        wanted = _shape(table, choices)
    if wanted == "lines":
        return _one_column(table, choices, stem)
    if len(table.header) == 1 and not table.delimiter:
        raise ScoreFileError(
            "no comma, semicolon, tab or space separates columns; "
            "give one row per item and one column per system."
        )
    if wanted == "columns":
        named = table.without_header([f"column {i + 1}" for i in range(len(table.header))])
        part = read_unnamed(named, choices, stem)
        reason = f"{len(table.header)} columns of numbers without a header"
        found = Found(part=part, format="columns", reason=reason, table=named)
    elif wanted == "system-score":
        found = _systems_in_order(table, choices)
    else:
        found = read_table(table, choices, wanted)
    sign = {"delimiter": table.delimiter} if table.delimiter else {}
    return found.but(reading={**sign, **found.part.reading, **choices.told_roles})


def _shape(table: Table, choices: Choices) -> str:
    """Which text format a table is; empty where its header decides."""
    header, rows = table.header, table.head(HEAD_ROWS)
    if len(header) == 1:
        lines = [*([] if is_text(header[0]) else [header[0]]), *(row[0] for row in rows)]
        scores = [cell for cell in lines if not is_missing(cell)]
        if not table.delimiter and scores and not mostly_text(scores, table.decimal):
            return "lines"
        raise ScoreFileError(NO_FORMAT)
    spaced = table.delimiter in ("\t", WHITESPACE)
    if spaced and len(header) == 2 and _repeats_systems([header, *rows], table.decimal):
        return "system-score"
    if spaced and holds_scores(table) and not choices.roles:
        return "columns"
    return ""


def _repeats_systems(rows: Sequence[Sequence[str]], decimal: str) -> bool:
    """Whether the first of two columns holds names that repeat and the second scores."""
    if not all(is_text(row[0]) and not is_text(row[1], decimal) for row in rows):
        return False
    return first_repeat([row[0] for row in rows]) is not None


def _shape_by_header(table: Table, choices: Choices) -> str:
    if is_counts(table, choices):
        return "counts"
    return "long-csv" if is_long(table, choices) else "wide-csv"


def shape_of(table: Table, choices: Choices) -> str:
    """The text format that a table seems to have."""
    return _shape(table, choices) or _shape_by_header(table, choices)


def _one_column(table: Table, choices: Choices, stem: str) -> Found:
    """One score a line; the system's name is the file's unless a line above says another."""
    if len(table.header) != 1:
        raise ScoreFileError("there is more than one column; leave format out, or say format='columns'.")
    name = table.header[0]
    named = is_text(name)
    whole = table if named else table.without_header(["score"])
    columns = Columns(whole)
    own = named and not says(Kind.SCORE, name)
    part = Part(
        values=columns.values([0]),
        systems=[name if own else stem],
        metric=choices.metric,
        notes=(*columns.sign_notes([0]), *table.notes),
    )
    return Found(part=part, format="lines", reason="one score a line", table=whole)


def _systems_in_order(table: Table, choices: Choices) -> Found:
    """Lines of system and score; the first score of each belongs to one unit, the second to the next."""
    if len(table.header) != 2:
        raise ScoreFileError("there are more than two columns; leave format out, or say format='wide-csv'.")
    table = table.without_header(["system", "score"])
    columns = Columns(table)
    systems, places = codes(columns.texts(0))
    scores = columns.values([1])[:, 0]
    counts = np.bincount(places)
    if (counts != counts[0]).any():
        other = int(np.flatnonzero(counts != counts[0])[0])
        raise ScoreFileError(
            f"system {shown(systems[0])} has {counts[0]:,} scores and {shown(systems[other])} "
            f"{counts[other]:,}; items go by order here, so give every system one score per item."
        )
    order = np.argsort(places, kind="stable")
    part = Part(
        values=scores[order].reshape(len(systems), -1).T,
        systems=systems,
        metric=choices.metric,
        notes=table.notes,
    )
    reason = "two columns, systems that repeat and their scores"
    return Found(part=part, format="system-score", reason=reason, table=table)
