"""Quantities of samples that several families of procedures share, each computed once for a batch."""
