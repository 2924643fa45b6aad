"""How strong the suite is, and how fast. Imports the search and all below it."""
