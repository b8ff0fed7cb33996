"""What goes wrong has a place, and a name in Python."""
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import threading
from fractions import Fraction

import pytest

import takt
from conftest import ROOT, program


def test_a_dict_has_a_pointer_and_no_line(example_a):
    example_a["mapping"][1]["processors"][0] = "P99"
    with pytest.raises(takt.InvalidDocument) as found:
        takt.evaluate(example_a, model="strict")
    error = found.value
    assert isinstance(error, ValueError) and isinstance(error, takt.TaktError)
    assert error.pointer == "/mapping/1/processors/0"
    assert (error.file, error.line, error.column) == (None, None, None)
    assert str(error) == f"{error.pointer}: {error.detail}"
    assert error.detail == 'found the unknown processor "P99", expected the name of a processor of the platform'


def test_of_two_wrong_arguments_the_first_is_named():
    with pytest.raises(ValueError, match="^heuristic: found nan"):
        takt.map("examples/hedpm-problem.json", math.nan, seed=math.nan)
    with pytest.raises(ValueError, match="^seed: found nan"):
        takt.generate("skeleton-pair", stages=math.inf, draw=math.nan, seed=math.nan)


def test_a_file_has_a_place(example_a, tmp_path):
    example_a["mapping"][1]["processors"][0] = "P99"
    path = tmp_path / "a:b.json"
    path.write_text(json.dumps(example_a), encoding="utf-8")
    with pytest.raises(takt.InvalidDocument) as found:
        takt.evaluate(path, model="strict")
    assert found.value.file == str(path)
    assert found.value.line == 1 and found.value.column > 1
    assert found.value.pointer == "/mapping/1/processors/0"
    assert "takt: " + str(found.value) == program("evaluate", path, "--model", "strict")[2].strip()


def test_what_is_found_while_folding_names_the_file(tmp_path):
    path = tmp_path / "a:b:c.json"
    path.write_bytes((ROOT / "examples/batches.json").read_bytes())
    with pytest.raises(takt.InvalidDocument) as found:
        takt.sensitivity(path, model="bounded", rooms=1)
    assert str(found.value).startswith(f"{path}: {found.value.pointer}: found ")
    with pytest.raises(takt.InvalidDocument) as found:
        takt.sensitivity(json.loads(path.read_text(encoding="utf-8")), model="bounded", rooms=1)
    assert str(found.value) == f"{found.value.pointer}: {found.value.detail}"


def test_a_value_of_the_wrong_type_has_a_pointer(example_a):
    example_a["application"]["stages"][0]["name"] = 7
    with pytest.raises(takt.InvalidDocument) as found:
        takt.evaluate(example_a, model="strict")
    assert found.value.pointer == "/application/stages/0/name"


def test_syntax_has_a_line(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text('{"application":\n {]', encoding="utf-8")
    with pytest.raises(takt.InvalidDocument) as found:
        takt.evaluate(path, model="strict")
    assert (found.value.line, found.value.pointer) == (2, "")


@pytest.mark.parametrize("call", [takt.evaluate, takt.report, takt.verify, takt.sensitivity, takt.gantt, takt.draw])
def test_a_model_must_be_named(call):
    with pytest.raises(takt.UsageError, match='say model="overlap" or model="strict"'):
        call("examples/example-a.json")


def test_arguments_are_told_in_pythons_words():
    with pytest.raises(takt.UsageError, match="^model: ") as found:
        takt.evaluate("examples/example-a.json", model="loose")
    assert "overlap" in str(found.value)
    with pytest.raises(takt.UsageError, match="time_limit"):
        takt.evaluate("examples/example-a.json", model="strict", time_limit=-1)
    with pytest.raises(ValueError, match="max_rows"):
        takt.evaluate("examples/example-a.json", model="strict", max_rows=math.nan)
    with pytest.raises(takt.UsageError, match="unknown"):
        takt.map("examples/hedpm-problem.json", "bsc", nonsense=1)
    with pytest.raises(TypeError):
        takt.evaluate("examples/example-a.json", model="strict", nonsense=1)


def test_files_that_are_not_there():
    with pytest.raises(FileNotFoundError):
        takt.evaluate("no-such-file.json", model="strict")
    with pytest.raises(IsADirectoryError):
        takt.verify("examples", model="strict")
    with pytest.raises(TypeError):
        takt.evaluate(7, model="strict")


def test_what_a_command_does_not_find_in_a_document_is_of_takt():
    document = json.loads((ROOT / "tests/data/world/plan-workflow-python.json").read_text(encoding="utf-8"))
    with pytest.raises(takt.TaktError, match="^document: /application/stages: found a workflow"):
        takt.plan(document, rate=1)
    assert issubclass(takt.FileError, takt.TaktError) and issubclass(takt.FileError, OSError)


def test_numbers_that_are_none(example_a):
    example_a["application"]["stages"][0]["output"] = math.nan
    with pytest.raises(takt.InvalidDocument) as found:
        takt.evaluate(example_a, model="strict")
    assert found.value.pointer == "/application/stages/0/output"
    example_a["application"]["stages"][0]["output"] = object()
    with pytest.raises(TypeError, match="object"):
        takt.evaluate(example_a, model="strict")


def test_numpy_numbers(example_a):
    numpy = pytest.importorskip("numpy")
    plain = takt.evaluate(example_a, model="strict").period
    link = example_a["platform"]["links"][1]
    for value in (numpy.int64(link["time"]), numpy.float32(link["time"]), numpy.float64(link["time"])):
        example_a["platform"]["links"][1] = dict(link, time=value)
        assert takt.evaluate(example_a, model="strict").period == plain


def test_a_heuristic_without_a_mapping():
    problem = {
        "application": {"stages": [{"name": "S0", "work": 1, "output": 1}, {"name": "S1", "work": 1}]},
        "platform": {"processors": [{"name": "P0", "speed": 1}], "bandwidth": 1},
    }
    with pytest.raises(takt.Infeasible, match="one-to-one|processor") as found:
        takt.map(problem, "exhaustive", class_="one-to-one")
    assert found.value.fields["infeasible"] is True


def test_hostile_documents_raise_and_nothing_else():
    paths = sorted((ROOT / "tests/attack").glob("*.json"))
    endless = {"long-numbers.json", "residue-limits.json"}
    assert endless < {path.name for path in paths}
    for path in paths:
        if path.stat().st_size > 300_000:
            continue
        try:
            takt.evaluate(path, model="strict", time_limit=1e-9 if path.name in endless else None)
        except (takt.TaktError, RecursionError):
            pass


def test_ctrl_c_ends_a_long_call_that_lets_other_threads_go_on():
    """The thread has its turn only within the call, as nobody is made to give way; the call would take for ever."""
    problem = takt.generate("skeleton-pair", seed=1, stages=12, processors=30)
    is_called = threading.Lock()

    def interrupt():
        with is_called:
            os.kill(os.getpid(), signal.SIGINT)

    is_called.acquire()
    thread = threading.Thread(target=interrupt)
    thread.start()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    with pytest.raises(KeyboardInterrupt):
        is_called.release()
        takt.map(problem, "exhaustive", time_limit=10**6)
    sys.setswitchinterval(usual)
    thread.join()
    # The next call is not interrupted.
    assert takt.evaluate("examples/example-a.json", model="strict").period == Fraction(692, 3)


def test_threads_have_the_same_answers():
    answers = []

    def work():
        for _ in range(10):
            answers.append(takt.evaluate("examples/example-b.json", model="strict").period)
            answers.append(takt.gantt("examples/example-a.json", model="strict")._repr_svg_())
            answers.append(takt.evaluate("examples/example-a.json", model="strict").net._repr_svg_())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 120 and len(set(answers)) == 3


def test_random_calls_answer_or_raise_what_is_documented(tmp_path):
    count, seed = os.environ.get("TAKT_PYTHON_CALLS", "600"), os.environ.get("TAKT_PYTHON_SEED", "1")
    last = tmp_path / "last"
    fuzz = [sys.executable, "-W", "error", "-B", pathlib.Path(__file__).with_name("fuzz_calls.py"), count, seed, last, "0"]
    package = str(pathlib.Path(takt.__file__).parents[1])
    ended = subprocess.run(fuzz, env={**os.environ, "PYTHONPATH": package}, capture_output=True, text=True, check=False)
    under_way = last.read_bytes().rstrip()[:500]
    assert ended.returncode == 0, f"{under_way}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
    outcomes = {line.split()[1]: int(line.split()[0]) for line in ended.stdout.splitlines()}
    assert sum(outcomes.values()) == int(count)
    assert {"answered", "InvalidDocument", "TypeError", "UsageError", "ValueError"} <= set(outcomes)
    assert outcomes["answered"] > int(count) / 10


def test_messages_name_documents_and_arguments_of_python(example_a):
    document = takt.load("examples/example-a.json")
    with pytest.raises(takt.InvalidDocument, match="^examples/example-a.json: /predicted_period: "):
        takt.verify(document, model="strict")
    large = takt.load("examples/example-c.json")
    with pytest.raises(takt.LimitReached, match="^examples/example-c.json: .* with collapse, or raise max_transitions$"):
        takt.dot(large, model="strict")
    with pytest.raises(takt.LimitReached, match="^document: "):
        takt.dot(large.fields, model="strict")
    with pytest.raises(takt.UsageError, match="^from_ goes with to$"):
        takt.gantt(document, model="strict", from_=3)


@pytest.mark.parametrize("call, error, text", [
    (lambda: takt.run(["evaluate", "\0"]), ValueError, "arguments: found a NUL"),
    (lambda: takt.run("evaluate"), TypeError, "arguments: found str, expected a sequence of texts"),
    (lambda: takt.run(["evaluate", 7]), TypeError, "arguments: found int in it, expected"),
    (lambda: takt.run(["evaluate", "-"], 7), TypeError, "input: found int, expected a text or bytes"),
    (lambda: takt.generate(7), TypeError, "generator: found int, expected"),
    (lambda: takt.load(7), TypeError, "found int, expected a path"),
    (lambda: takt.Document.parse(7), TypeError, "found int, expected the text of a document"),
    (lambda: takt.simulate("examples/example-a.json", model="strict", data_sets=2**70), ValueError, "data_sets: found "),
    (lambda: takt.simulate("examples/example-a.json", model="strict", data_sets=1.5), TypeError, "data_sets: found float"),
    (lambda: takt.simulate("examples/example-a.json", model=7), TypeError, "model: found int, expected the name"),
    (lambda: takt.Evaluator("examples/example-a.json", 7), TypeError, "model: found int, expected the name"),
    (lambda: takt.Evaluator("examples/example-a.json", "bounded", -1), ValueError, "rooms: found -1, expected 1 to"),
    (lambda: takt.simulate("examples/example-a.json", model="bounded", rooms=0), ValueError, "rooms: found 0, expected 1"),
    (lambda: takt.to_pandas(7), TypeError, "found int, expected a sequence of answers"),
    (lambda: takt.cycle_ratio([0], [0], [1], [float("nan")]), TypeError, "tokens: found values of type float64"),
])
def test_arguments_of_the_wrong_kind_are_told(call, error, text):
    with pytest.raises(error) as found:
        call()
    assert str(found.value).startswith(text)
