#!/usr/bin/env python3
"""examples/scaling: what its scripts print for metrics is what `takt plan` says, and without a plan they scale nothing.

Usage: scaling_examples_test.py TAKT SOURCES FOLDER
"""
import json
import os
import pathlib
import subprocess
import sys

TAKT, SOURCES, FOLDER = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
METRICS = "examples/scaling/metrics.json"


def ended(name, metrics=METRICS):
    command = [sys.executable, "-B", f"examples/scaling/to_{name}.py", str(metrics), "--dry-run"]
    path = f"{TAKT.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(command, cwd=SOURCES, env={**os.environ, "PATH": path}, capture_output=True, text=True,
                          check=False)


def output(name, metrics=METRICS):
    result = ended(name, metrics)
    assert result.returncode == 0, result.stderr
    return result.stdout


def changed(name, change):
    metrics = json.loads((SOURCES / METRICS).read_text())
    change(metrics)
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(metrics))
    return path


def plan_of(metrics):
    problem = json.loads((SOURCES / metrics["catalogue"]).read_text())
    for stage in problem["application"]["stages"]:
        stage["time"].update(metrics["time"].get(stage["name"], {}))
    answer = subprocess.run([TAKT, "plan", "-", "--rate", metrics["rate"], "--headroom", metrics["headroom"], "--json"],
                            input=json.dumps(problem), capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)["parts"]


def test_counts():
    seen = set()
    for rate in ("20/s", "180/s", "250/s"):
        path = changed("counts", lambda metrics: metrics.update(rate=rate))  # pylint: disable=cell-var-from-loop
        parts = plan_of(json.loads(path.read_text()))
        counts = {"-".join(part["stages"]): part["machine_count"] for part in parts}
        commands = [f"kubectl scale deployment {'-'.join(part['stages'])}-{part['type']} "
                    f"--replicas={part['machine_count']}" for part in parts]
        assert output("kubernetes", path).splitlines() == sorted(commands)
        pools = json.loads(output("ray", path))
        assert {name: pool["concurrency"] for name, pool in pools.items()} == counts
        assert [pool["resources"] for pool in pools.values()] == [{part["type"]: 1} for part in parts]
        requirements = json.loads(output("flink", path))
        assert [needed["parallelism"]["upperBound"] for needed in requirements.values()] == [
            part["machine_count"] for part in parts for _ in part["stages"]]
        assert list(requirements) == ["d1", "d2", "d3", "d4"]
        seen.add(str(counts))
    assert len(seen) == 3, "the rates have one plan"


def test_readme_shows_what_is_printed():
    readme = (SOURCES / "examples/scaling/README.md").read_text()
    assert f"```\n{output('kubernetes')}```" in readme


def test_cores():
    problem = json.loads((SOURCES / "examples/catalogue.json").read_text())
    for kind in problem["platform"]["types"]:
        kind["cores"] = 4
    catalogue = FOLDER / "cores_catalogue.json"
    catalogue.write_text(json.dumps(problem))
    path = changed("cores", lambda metrics: metrics.update(catalogue=str(catalogue)))
    parts = plan_of(json.loads(path.read_text()))
    pools = json.loads(output("ray", path))
    for part in parts:
        workers = 1 if "track" in part["stages"] else 4 * part["machine_count"]
        assert pools["-".join(part["stages"])]["concurrency"] == workers, (part, pools)


def test_without_a_plan_nothing_is_scaled():
    for change, said in ((lambda metrics: metrics.update(rate="100000/s"), "no plan, so nothing is scaled"),
                         (lambda metrics: metrics["time"].update(dream={"small": "1 ms"}), "found \"dream\"")):
        for name in ("kubernetes", "flink", "ray"):
            result = ended(name, changed("wrong", change))
            assert (result.returncode, result.stdout) == (1, ""), result
            assert said in result.stderr, result.stderr


FOLDER.mkdir(parents=True, exist_ok=True)
tests = [value for name, value in list(globals().items()) if name.startswith("test_")]
for test in tests:
    test()
print(f"{len(tests)} tests passed")
