"""Metrics beside human judgements: which one is human, cells that both have, how metrics compare."""
