"""Long work cut into shards: who plays them, where results are kept, and how a run resumes and parts join.
Imports the model and the files.
"""
