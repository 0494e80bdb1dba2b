"""From gold and the outputs of systems, in the shapes shared tasks keep them in, to one record."""

from nlpstat_core.readers.submissions.read import read_outputs

__all__ = ["read_outputs"]
