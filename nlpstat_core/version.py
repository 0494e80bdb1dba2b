"""The version of the statistical core, stated once."""

VERSION = "0.2.0"
