"""Results: fields of JSON, with what people want of them within reach."""

from __future__ import annotations

import html
import json
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from takt import _core
from takt._documents import Input, Source, number_text
from takt._errors import LimitReached
from takt._notebook import html_of_table
from takt._program import Output, answer, call, failure, options

if TYPE_CHECKING:
    import numpy
    import pandas  # type: ignore


def exact(number: Any) -> Fraction:
    """An exact number of a result or a document: Fraction(692, 3) of "692/3", and 1/10 of 0.1."""
    return Fraction(number_text(number))


class Answer(Dict[str, Any]):
    """A result of the program's --json as a dict (docs/formats.md). Exact numbers are text: see takt.exact.

    `messages` is what takt says beside it.
    """

    messages: List[str] = []


class _Text:
    """A text that can be kept in a file."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

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


class Result:
    """What takt.evaluate found. The fields of the program's --json are attributes: `resources`, `bottleneck`, ...

    `period` is exact, a Fraction in time units per data set. Certificate, table and drawing are made when asked for.
    """

    def __init__(self, core: _core.Evaluated, source: Source, drawn: Dict[str, Any]) -> None:
        self._core = core
        self._source = source
        self._drawn = drawn
        self._fields: Optional[Dict[str, Any]] = None

    @property
    def fields(self) -> Dict[str, Any]:
        """All of it, as docs/formats.md describes results; exact numbers are text."""
        if self._fields is None:
            self._fields = json.loads(self._core.json())
        return self._fields

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.fields:
            return self.fields[name]
        raise AttributeError(f"a takt.Result has no {name!r}; its fields are {', '.join(self.fields)}")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.fields]

    @property
    def period(self) -> Fraction:
        """The exact period. Raises LimitReached, which has the bounds, where it is known as an interval only."""
        if self._core.is_exact:
            return self._core.lower
        lower, upper = self.bounds
        raise LimitReached(
            f"the period lies between {lower} and {upper}: {self._core.limit}", lower, upper
        )

    @property
    def throughput(self) -> Fraction:
        """Data sets per time unit: 1 / period."""
        return 1 / self.period

    @property
    def bounds(self) -> Tuple[Fraction, Fraction]:
        """What is proved: the period is no less than the first and no more than the second."""
        return self._core.lower, self._core.upper

    @property
    def is_exact(self) -> bool:
        """Whether the two bounds are one."""
        return self._core.is_exact

    @property
    def certificate(self) -> Dict[str, Any]:
        """What proves it to takt.check: the JSON that `takt evaluate --certificate` writes, as a dict."""
        return json.loads(self._core.certificate())

    @property
    def messages(self) -> List[str]:
        """What takt says beside the result: the limit that a search for the latency met, if one did."""
        return [f"latency: {self._core.latency_limit}"] if self._core.latency_limit else []

    def table(self) -> str:
        """The table of `takt evaluate`."""
        return self._core.table()

    @property
    def net(self) -> Drawing:
        """The timed Petri net, its critical circuit marked: as it is up to 600 transitions, beyond that folded."""
        given = Input(self._source)
        limit = options(**self._drawn)
        try:
            return draw_net(given, limit)
        except LimitReached:
            return draw_net(given, [*limit, "--collapse"])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        lower, upper = self.bounds
        period = str(lower) if self.is_exact else f"{lower} to {upper}"
        return f"<takt.Result {self.fields['file']}, {self.fields['model']}: period {period}>"

    def _repr_html_(self) -> str:
        return html_of_table(self.table())


def draw_net(given: Input, arguments: List[str]) -> Drawing:
    """What `takt dot` draws."""
    return Drawing(written_file("dot", given, arguments, "net.svg"))


def written_file(command: str, given: Input, arguments: List[str], name: str) -> str:
    """The text of the file that a command writes."""
    texts, output = written_files(command, given, arguments, {"-o": name})
    if texts["-o"] is None:
        raise failure(output)
    return texts["-o"]


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


def json_answer(command: str, given: Input, arguments: List[str]) -> Answer:
    """A command's --json, of one object."""
    output = call(command, given, ["--json", *arguments])
    result = Answer(answer(output, given))
    result.messages = output.messages
    return result


class Mapped(Dict[str, Any]):
    """A mapped document, a dict: give it to takt.evaluate or takt.verify, or write it with json.dump.

    `report` is what the program's --json says of it, of all heuristics where all were asked; `messages` is what takt says
    beside it.
    """

    def __init__(self, document: Dict[str, Any], report: Any, messages: List[str]) -> None:
        super().__init__(document)
        self.report = report
        self.messages = messages

    @property
    def predicted_period(self) -> Fraction:
        """What the heuristic says the period is, under the document's model; in seconds where that has units."""
        best = self.report[0] if isinstance(self.report, list) else self.report
        return exact(best["predicted_period"])


class Plan(Answer):
    """What takt.plan found: the object of the program's --json (docs/formats.md).

    `document` is the plan as a mapped document, `certificate` what proves it; each None where there is none.
    """

    document: Optional[Dict[str, Any]] = None
    certificate: Optional[Dict[str, Any]] = None


class Firings:
    """When the operations of the first data sets take place, as early as they may: arrays, one entry an operation.

    Times are exact: start_ticks / scale and end_ticks / scale time units. `columns` says what each column does: its
    kind, "compute" or "transfer", part, and first and last stage.
    """

    def __init__(self, fields: Dict[str, Any]) -> None:
        self.data_set: "numpy.ndarray" = fields["data_set"]
        self.column: "numpy.ndarray" = fields["column"]
        self.start_ticks: "numpy.ndarray" = fields["start_ticks"]
        self.end_ticks: "numpy.ndarray" = fields["end_ticks"]
        self.scale: int = fields["scale"]
        self.columns: List[Tuple[str, int, int, int]] = fields["columns"]

    def __len__(self) -> int:
        return len(self.data_set)

    def __repr__(self) -> str:
        return f"<takt.Firings: {len(self)} operations of {len(self) // max(len(self.columns), 1)} data sets>"

    @property
    def start(self) -> "numpy.ndarray":
        """Start times in time units, to the precision of float64."""
        return self.start_ticks / self.scale

    @property
    def end(self) -> "numpy.ndarray":
        """End times in time units, to the precision of float64."""
        return self.end_ticks / self.scale

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame of data_set, column, kind, part, start and end; pandas must be installed."""
        import numpy
        import pandas

        kinds = ["compute", "transfer"]
        codes = numpy.array([kinds.index(column[0]) for column in self.columns])
        parts = numpy.array([column[1] for column in self.columns])
        return pandas.DataFrame(
            {
                "data_set": self.data_set,
                "column": self.column,
                "kind": pandas.Categorical.from_codes(codes[self.column], kinds),
                "part": parts[self.column],
                "start": self.start,
                "end": self.end,
            }
        )
