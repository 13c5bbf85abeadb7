"""How Sphinx makes the site of the pages that `pages.py` has laid out."""

project = "Gamekeeper"
root_doc = "index"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Gamekeeper"
html_show_sphinx = False
html_copy_source = False
# Headings have the anchors that hosts of repositories give them.
myst_heading_anchors = 5
# Some examples are not whole programs.
suppress_warnings = ["misc.highlighting_failure"]
