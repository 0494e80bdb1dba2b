"""The page of metrics judged by people."""
