"""Problems of files that can be read but are wrong. Imports the model and the files."""
