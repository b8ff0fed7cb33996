"""Documents on their way in: dicts, files and those that were read before, as text for the program."""

from __future__ import annotations

import contextlib
import html
import json
import math
import os
import re
from decimal import Decimal
from numbers import Integral, Rational
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from takt import _core
from takt._errors import InvalidDocument

# What stands for a document that is no file, in results and where files are named.
NAME = "document"


class Document:
    """A document that was read once and found valid: give it to any function in place of a file or a dict.

    Documents are equal where they say the same, however it is written.
    """

    def __init__(self, core: _core.Document, text: str) -> None:
        self._core = core
        self._text = text

    @classmethod
    def parse(cls, text: Union[str, bytes], name: str = NAME) -> "Document":
        """The document of a JSON text. Messages call it by its name."""
        if isinstance(text, bytes):
            text = text.decode("utf-8", "surrogateescape")
        if not isinstance(text, str):
            raise TypeError(f"found {type(text).__name__}, expected the text of a document")
        return cls(_core.Document(text.encode("utf-8", "surrogateescape"), name), text)

    @property
    def fields(self) -> Dict[str, Any]:
        """The document as a dict, made anew each time: changing it leaves this document as it is."""
        return json.loads(self._text)  # type: ignore[no-any-return]

    @property
    def text(self) -> str:
        """Its JSON text, as it was read."""
        return self._text

    @property
    def name(self) -> str:
        """The file it was read from, or "document"."""
        return self._core.name

    @property
    def stages(self) -> List[str]:
        """The names of the stages, in order."""
        return self._core.stages

    @property
    def processors(self) -> List[str]:
        """The names of the processors, in order."""
        return self._core.processors

    @property
    def model(self) -> Optional[str]:
        """The communication model that it names, or None."""
        return self._core.model

    @property
    def has_units(self) -> bool:
        """Whether its numbers have units: times are in seconds then, rates per second."""
        return self._core.has_units

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self._core.text() == other._core.text()

    def __hash__(self) -> int:
        return hash(self._core.text())

    def __reduce__(self) -> Tuple[Any, ...]:
        return Document.parse, (self._text, self.name)

    def __copy__(self) -> "Document":
        return self

    def __deepcopy__(self, memo: Any) -> "Document":
        return self

    def __repr__(self) -> str:
        return f"<takt.Document {self.name}: {len(self.stages)} stages, {len(self.processors)} processors>"

    def _repr_html_(self) -> str:
        names = [("stages", self.stages), ("processors", self.processors)]
        rows = "".join(f"<tr><td>{what}</td><td>{html.escape(', '.join(of))}</td></tr>" for what, of in names)
        return f'<div class="takt-result"><p>{html.escape(repr(self)[1:-1])}</p><table>{rows}</table></div>'


# What functions take for an instance or a problem.
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], Document]


def load(path: Union[str, "os.PathLike[str]"]) -> Document:
    """Reads the document of a file, once for many calls."""
    name = path_text(path)
    with open(name, "rb") as file:
        text = file.read()
    return Document(_core.Document(text, name), text.decode("utf-8", "surrogateescape"))


def path_text(path: Union[str, "os.PathLike[str]"]) -> str:
    """The name of a file as text."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"found {type(path).__name__}, expected a path")
    return os.fsdecode(path)


def number_text(value: Any) -> str:
    """A number as takt reads it, exactly; of a float its shortest decimal, so that 0.1 is 1/10."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise TypeError("found a bool, expected a number")
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Rational):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Decimal) or _is_float(value):
        if not math.isfinite(value):
            raise ValueError(f"found {value}, expected a number that is finite")
        return str(value)
    raise TypeError(f"found {type(value).__name__}, expected a number")


def _is_float(value: Any) -> bool:
    # NumPy's narrower floats are no float, but have the shortest decimal of their own width as text.
    return isinstance(value, float) or type(value).__module__ == "numpy" and hasattr(value, "is_integer")


def _other_value(value: Any) -> Any:
    if hasattr(value, "tolist") and hasattr(value, "dtype") and getattr(value, "ndim", 0) > 0:
        return value.tolist()
    if isinstance(value, Integral):
        return int(value)
    try:
        return number_text(value)
    except TypeError:
        raise TypeError(f"found {type(value).__name__}, expected what JSON can hold, a Fraction or a Decimal") from None


def _pointer_of_nonfinite(value: Any, pointer: str = "") -> Optional[str]:
    if isinstance(value, float) and not math.isfinite(value):
        return pointer
    items: Any = ()
    if isinstance(value, Mapping):
        items = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    for key, item in items:
        found = _pointer_of_nonfinite(item, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
        if found is not None:
            return found
    return None


def json_text(fields: Mapping[str, Any]) -> bytes:
    """A dict as JSON text, its Fractions and Decimals exact."""
    if not isinstance(fields, dict):
        fields = dict(fields)
    try:
        text = json.dumps(fields, default=_other_value, allow_nan=False, ensure_ascii=False)
    except ValueError:
        pointer = _pointer_of_nonfinite(fields)
        if pointer is None:
            raise
        detail = "found a number that is not finite, expected a finite one"
        raise InvalidDocument(f"{pointer}: {detail}", pointer=pointer, detail=detail) from None
    return text.encode("utf-8", "surrogateescape")


class Input:
    """One document as an argument of the program: a file's name, or "-" and the text to be read there."""

    def __init__(self, source: Source) -> None:
        self.is_dict = isinstance(source, Mapping)
        self.text = b""
        self.name = NAME
        if isinstance(source, Document):
            self.name = source.name
            self.text = source.text.encode("utf-8", "surrogateescape")
            self.argument = "-"
        elif isinstance(source, Mapping):
            self.text = json_text(source)
            self.argument = "-"
        elif isinstance(source, (str, os.PathLike)):
            self.name = path_text(source)
            # Python's own words for a file that is not there.
            with open(self.name, "rb"):
                pass
            self.argument = f"./{self.name}" if self.name.startswith("-") else self.name
        else:
            raise TypeError(f"found {type(source).__name__}, expected a dict, a path or a takt.Document")

    def named(self, message: str) -> str:
        """A message with the document's name where it was read as standard input."""
        if self.argument != "-":
            return message
        return re.sub("^(takt: )?standard input(?=[:,])", lambda found: (found[1] or "") + self.name, message)

    @contextlib.contextmanager
    def places(self) -> Iterator[None]:
        """Lines and columns mean nothing in a dict: messages keep the pointer alone, of a Document its name."""
        try:
            yield
        except InvalidDocument as error:
            if not self.is_dict:
                if self.argument != "-":
                    raise
                file = error.file and self.name
                text = self.named(str(error))
                raise InvalidDocument(text, file, error.line, error.column, error.pointer, error.detail) from None
            text = f"{error.pointer}: {error.detail}" if error.pointer else error.detail
            raise InvalidDocument(text, pointer=error.pointer, detail=error.detail) from None


def document_of(source: Source) -> Document:
    """A document that is kept."""
    if isinstance(source, Document):
        return source
    given = Input(source)
    if given.argument != "-":
        return load(given.name)
    with given.places():
        return Document.parse(given.text, NAME)


def need_model(source: Source, model: Optional[str]) -> None:
    """An answer is of one model: that of the argument, else of the document."""
    if model is None:
        document_of(source)._core.need_model()


def need_count(name: str, count: Any, least: int = 0) -> None:
    """A number of things: an int, no less than that, that 64 bits hold, or None."""
    if count is None:
        return
    if isinstance(count, bool) or not isinstance(count, Integral):
        raise TypeError(f"{name}: found {type(count).__name__}, expected an int")
    if not least <= int(count) < 2**63:
        raise ValueError(f"{name}: found {str(count)[:60]}, expected {least} to 2**63 - 1")


def with_unit(source: Source, value: Any, unit: str) -> Any:
    """A number of a document with units: a bare one is in seconds, or per second. Text is as it says."""
    if value is None or isinstance(value, str) or not document_of(source).has_units:
        return value
    return number_text(value) + unit
