"""Campaigns: searches of hours or days, cut into shards that any number of workers plays. Imports the runs,
the broken engines and the pages.
"""
