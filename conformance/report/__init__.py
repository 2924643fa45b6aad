"""Reports of a run for people and programs: the terminal and files. Imports the run."""
