"""Which checks are meant, and what an engine answers to them, one by one. Imports the data and the laws."""
