"""Tests of counts in categories: chi-square, Fisher, Cramér's V."""
