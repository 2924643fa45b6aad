"""The version of the suite, which its package gets too."""

VERSION = "0.1.0"
