"""Commands of the program, run in-process."""

from __future__ import annotations

import inspect
import json
import keyword
import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence, Union

from takt import _core
from takt._documents import Input, number_text
from takt._errors import FileError, Infeasible, LimitReached, UsageError

ANSWERED, NO, USAGE, BAD_INPUT, LIMIT = range(5)


class Output(NamedTuple):
    """What a command printed, and its exit status: 0 answered, 1 the answer is no, 4 a limit was reached."""

    status: int
    out: str
    err: str

    @property
    def messages(self) -> List[str]:
        """The lines on standard error, without the program's name."""
        return [line[6:] if line.startswith("takt: ") else line for line in self.err.splitlines()]


def run(arguments: Sequence[str], input: Union[str, bytes] = b"") -> Output:
    """Runs the program in-process, such as run(["evaluate", "a.json", "--json"]); "-" reads the input.

    Raises where the program's exit status is 2 or 3.
    """
    if isinstance(arguments, str) or not hasattr(arguments, "__iter__"):
        raise TypeError(f"arguments: found {type(arguments).__name__}, expected a sequence of texts")
    texts = list(arguments)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"arguments: found {type(text).__name__} in it, expected a sequence of texts")
        if "\0" in text:
            raise ValueError(f"arguments: found a NUL in {text[:60]!r}, expected texts without")
    if isinstance(input, str):
        input = input.encode("utf-8", "surrogateescape")
    if not isinstance(input, bytes):
        raise TypeError(f"input: found {type(input).__name__}, expected a text or bytes")
    status, out, err = _core.run(texts, input)
    return Output(status, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))


def options(**values: Any) -> List[str]:
    """Keyword arguments as options of a command: `time_limit=5` is "--time-limit=5", None and False are left out."""
    arguments = []
    for name, value in values.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, Mapping):
            pairs = ",".join(f"{key}={number_text(item)}" for key, item in value.items())
            arguments.append(f"{option}={pairs}")
        elif isinstance(value, (list, tuple)):
            arguments += [f"{option}={number_text(item)}" for item in value]
        else:
            try:
                arguments.append(f"{option}={number_text(value)}")
            except (TypeError, ValueError) as error:
                raise type(error)(f"{name}: {error}") from None
    return arguments


def own_options(function: Callable[..., Any], values: Mapping[str, Any], **others: Any) -> List[str]:
    """A function's keyword arguments as options of its command, in the order of its signature.

    `values` is the function's locals(); `others` are values that differ from these, or of positional arguments.
    """
    own: Dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            own.update(values[name])
        elif parameter.kind is parameter.KEYWORD_ONLY or name in others:
            own[name] = others.get(name, values[name])
    return options(**own)


def call(command: str, given: Input, arguments: Sequence[str]) -> Output:
    """Runs a command on a document, in words that fit Python."""
    try:
        with given.places():
            output = run([command, given.argument, *arguments], given.text)
    except (UsageError, FileError) as error:
        raise type(error)(in_python(given.named(str(error)))) from None
    return output._replace(err="".join(given.named(line) for line in output.err.splitlines(keepends=True)))


def in_python(text: str) -> str:
    """Options in a message as the keyword arguments they were."""
    return re.sub(r"--([a-z][a-z-]*)", lambda found: _keyword(found[1]), text)


def _keyword(option: str) -> str:
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def answer(output: Output, given: Input) -> Any:
    """The JSON that a command printed; an exception where it has none."""
    if output.out.strip():
        fields = json.loads(output.out)
        for item in fields if isinstance(fields, list) else [fields]:
            if "file" in item:
                item["file"] = given.name
        return fields
    raise failure(output)


def answered(output: Output) -> str:
    """The text that a command printed; an exception where that is no answer."""
    if output.status != ANSWERED:
        raise failure(output)
    return output.out


def failure(output: Output) -> Exception:
    """What a command without a result means."""
    text = in_python("\n".join(output.messages)) or "no result"
    return LimitReached(text) if output.status == LIMIT else Infeasible(text)
