"""Boards whose pairs don't fit into memory: computed in blocks, kept in files, decided exactly."""
