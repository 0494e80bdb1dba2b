"""The keywords of `read_scores` that say how a file is read: options and links know them from here."""

# Keyword, help of its option, whose value is text.
READING = {
    "format": "format of the file when the guess is wrong (see `formats`)",
    "metric": "metric to read when the file has several",
    "dataset": "data set to read when the file has several",
    "dataset_column": "label column that names the data sets",
    "id_column": "column of the item ids; several, separated by commas, form the id together; or none",
    "label_columns": "label columns, separated by commas",
    "system_column": "column of the system names in long data",
    "run_column": "column that names the runs (seeds); names where the systems' names hold them; or none",
    "delimiter": "separator between columns, or its name: tab, semicolon, comma, whitespace",
    "roles": "what the columns are, for example unit=utt_id,system=model,score=wer (see `formats`)",
    "sheet": "sheet of a workbook",
    "header_row": "line of a text, or row of a sheet, that holds the names of the columns",
    "drop_rows": "rows to leave out by a word in them, separated by commas, such as Average; none keeps "
    "means",
    "bad_cells": "text among scores: refuse (default), or missing to take it as no score",
    "repeats": "rows of one item and system: refuse (default), or the first, last or mean of them counts",
    "as_percent": "systems whose scores are multiplied by 100, separated by commas",
    "accept": "codes of reading problems to accept as right, separated by commas",
    "max_bytes": "refuse larger files",
    "max_unpacked_bytes": "refuse archives, workbooks and .gz files that hold more",
    "max_rows": "refuse tables with more rows, texts with more lines, JSON of more objects and lists",
    "max_columns": "refuse tables with more columns",
    "max_cells": "refuse tables with more cells",
}
# Keywords that are true, false or untold.
FLAGS = ("lower_is_better", "systems_as_rows", "quotes")
# Keywords whose text is several names, separated by commas.
LISTS = ("label_columns", "drop_rows", "as_percent", "accept")
# What a settings file or a link may say: all but how large a file may be.
KEYWORDS = frozenset(name for name in (*READING, *FLAGS) if not name.startswith("max_"))
