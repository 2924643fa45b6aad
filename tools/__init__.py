"""What keeps the project in order: pages, golden files, ids, measures. `python -m tools` lists it."""
