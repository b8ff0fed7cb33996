"""Drawings and pages, and the files that commands write."""

from __future__ import annotations

import html
import os
from typing import Dict, List, Optional, Tuple, Union

from takt._documents import Input
from takt._program import Output, call, failure


class _Text:
    """A text that can be kept in a file."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<takt.{type(self).__name__} of {len(self._text)} characters>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Text) or type(other) is not type(self):
            return NotImplemented
        return self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)


class Drawing(_Text):
    """An SVG drawing. A notebook shows it; str() is its text."""

    def _repr_svg_(self) -> str:
        # What may stand within a page of HTML.
        return self._text[self._text.index("<svg") :]


class Page(_Text):
    """A report as a page of HTML, which needs no other file and no network. A notebook shows it; str() is its text."""

    def _repr_html_(self) -> str:
        # A document of its own: its style and the notebook's leave each other alone.
        return (
            f'<iframe srcdoc="{html.escape(self._text)}" style="width: 100%; height: 40em; border: 0" '
            'title="report"></iframe>'
        )


def draw_net(given: Input, arguments: List[str]) -> Drawing:
    """What `takt dot` draws."""
    return Drawing(written_file("dot", given, arguments, "net.svg"))


def written_file(command: str, given: Input, arguments: List[str], name: str) -> str:
    """The text of the file that a command writes."""
    texts, output = written_files(command, given, arguments, {"-o": name})
    text = texts["-o"]
    if text is None:
        raise failure(output)
    return text


def written_files(
    command: str, given: Input, arguments: List[str], names: Dict[str, str]
) -> Tuple[Dict[str, Optional[str]], Output]:
    """The texts of the files that a command writes, by the option that names each; None where it wrote none."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="takt-") as folder:
        paths = {option: os.path.join(folder, name) for option, name in names.items()}
        placed = [text for option, path in paths.items() for text in (option, path)]
        output = call(command, given, [*arguments, *placed])
        texts: Dict[str, Optional[str]] = {}
        for option, path in paths.items():
            try:
                with open(path, encoding="utf-8", errors="surrogateescape") as file:
                    texts[option] = file.read()
            except FileNotFoundError:
                texts[option] = None
        return texts, output
