"""Tests: one file for each module, plus tests of the project itself."""
