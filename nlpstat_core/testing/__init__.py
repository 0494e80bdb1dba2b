"""Gates as assertions, for pytest and any other runner of tests; the plugin for pytest stands beside them."""

from nlpstat_core.testing.assertions import assert_better, assert_not_worse

__all__ = ["assert_better", "assert_not_worse"]
