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


def report_as_page(app, docname, source):
    """A report of an experiment: docs/experiments.md leads to it, no menu does; its headings begin at the first level."""
    if docname.startswith("experiments/results/"):
        source[0] = "---\norphan: true\n---\n\n" + re.sub(r"^##", "#", source[0], flags=re.MULTILINE)


def setup(app):
    app.connect("source-read", link_to_anchors)
    app.connect("source-read", report_as_page)
    return {"parallel_read_safe": True}
