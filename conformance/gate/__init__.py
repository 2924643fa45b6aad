"""Which disagreements are known and which are news: the list, the configuration. Imports the results."""
