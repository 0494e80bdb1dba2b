"""Procedures and a setting as a newcomer writes them: one file each, added while a test runs."""
