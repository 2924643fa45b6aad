"""The site: the suite as pages to read, built from the repository's own data. Imports the reports, the
broken engines and the adapters.

Each fixture, rule, law, broken engine and card has an address that stays, and so has the documentation.
Results of engines come from the recordings. Read `build` first.
"""
