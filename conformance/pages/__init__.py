"""Pages and pictures: self-contained HTML and SVG made from values, with templates and one stylesheet.
Imports the explanations.
"""
