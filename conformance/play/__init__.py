"""Selecting checks, and playing them on an engine one by one. Imports the data and the laws."""
