"""The page of a judge that people correct."""
