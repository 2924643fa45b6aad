"""What can be wrong with a file whose every word can be read. Imports the model and the files."""
