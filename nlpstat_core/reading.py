"""The keywords of `read_scores` that say how a file is read: options and links know them from here."""

# Keyword, help of its option, whose value is text.
READING = {
    "format": "format of the file, if the guess is wrong (see `formats`)",
    "metric": "metric to read, if the file has several",
    "dataset": "data set to read, if the file has several",
    "dataset_column": "label column that names the data sets",
    "id_column": "column of the item ids; several, separated by commas, together form the id; or none",
    "label_columns": "label columns, separated by commas",
    "system_column": "column of the system names in long data",
    "run_column": "column that names the runs (seeds); names: runs are part of the systems' names; or none",
    "delimiter": "separator between columns, or its name: tab, semicolon, comma, whitespace",
    "roles": "what the columns are, for example unit=utt_id,system=model,score=wer (see `formats`)",
    "sheet": "sheet of a workbook",
    "header_row": "line of a text file, or row of a sheet, that holds the column names",
    "drop_rows": "leave out rows with one of these words in a cell, separated by commas, such as Average; "
    "none keeps rows of means",
    "bad_cells": "text among scores: refuse (default), or missing: treat it as a missing score",
    "repeats": "repeated rows of one item and system: refuse (default), first, last or mean",
    "as_percent": "systems whose scores are multiplied by 100, separated by commas",
    "accept": "codes of doubts about the file to dismiss, separated by commas",
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
