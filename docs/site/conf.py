# The documentation as a site, by Sphinx: scripts/site says how.
import pathlib
import re

DOCS = pathlib.Path(__file__).resolve().parents[1]
ANCHORS = sorted({name for page in DOCS.glob("*.md") for name in re.findall(r'<a id="([\w-]+)">', page.read_text())})

project = "takt"
html_title = "takt"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
master_doc = "README"
html_theme = "furo"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
myst_heading_anchors = 4
# Blocks show what takt prints and documents with remarks, which no lexer of JSON takes.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]


def link_to_anchors(app, docname, source):
    """MyST leads to headings alone: links to an <a id="..."> of a page become HTML's own."""
    anchors = "|".join(ANCHORS)
    source[0] = re.sub(
        rf"\[([^\]]*)\]\(([\w-]+\.md)?#({anchors})\)",
        lambda link: f'<a href="{(link[2] or "").replace(".md", ".html")}#{link[3]}">{link[1]}</a>',
        source[0],
    )


def setup(app):
    app.connect("source-read", link_to_anchors)
    return {"parallel_read_safe": True}
