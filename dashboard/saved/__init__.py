"""Saved boards in the app. Nothing here is imported where no database is configured."""
