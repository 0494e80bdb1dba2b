"""Calibration: how often tests reject true null hypotheses and intervals hold the truth, measured."""
