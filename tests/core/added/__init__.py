"""Procedures as a newcomer writes them: one file each, added to the catalogues while a test runs."""
