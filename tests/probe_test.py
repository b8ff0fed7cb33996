#!/usr/bin/env python3
"""takt probe as an MPI job: times, sizes and links of stages that are made up, and of programs; takt map takes them.

Usage: probe_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import subprocess
import sys

import answer_schemas
import mpi_jobs

FAILED = 70
# Milliseconds, on machines whose other work may take this many times as long.
WORKS = {"cut": 5, "sew": 10}
SPEEDS = {"slow": 1, "fast": 2}
LONGEST = 20
PROBLEM = {
    "application": {"input": 0, "stages": [{"name": stage, "work": work, "output": 0} for stage, work in WORKS.items()]},
    "platform": {"processors": [{"name": name, "speed": speed} for name, speed in SPEEDS.items()], "bandwidth": 1,
                 "source": {}, "sink": {}},
}
# Three stages, of whose times nothing is known.
BARE = {
    "application": {"stages": [{"name": "number"}, {"name": "shout"}, {"name": "end"}]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "abc"]},
}
LINES = ["first line", "second line", "third line"]
PROGRAMS = ["--program", "number=sed -u s/^/17/", "--program", "shout=stdbuf -oL tr a-z A-Z", "--program", "end=cat",
            "--records", "lines", "--input", "input"]


class Probes:
    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder

    def run(self, *words):
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.run([self.takt, *words], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=120, check=False)

    def probe(self, problem, *options):
        """What was measured, and the document."""
        (self.folder / "problem.json").write_text(json.dumps(problem))
        ended = self.run("probe", "problem.json", "-o", "probed.json", "--json", *options)
        expect(ended, 0)
        expect(self.run("map", "probed.json", "--heuristic", "hedpm", "-o", "mapped.json"), 0)
        told = json.loads(ended.stdout)
        fault = answer_schemas.fault_of("probe", told)
        assert not fault, fault
        return told, json.loads((self.folder / "probed.json").read_text())


def expect(ended, status):
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)


def check_made_up(probes, kernel):
    told, document = probes.probe(PROBLEM, "--kernel", kernel, "--unit", "1ms", "--in-turn", "--misfit", "10000%",
                                  "--bytes", "2000")
    assert told["ranks"] == 5, told
    for stage in told["stage_times"]:
        assert set(stage["seconds_by_processor"]) == set(SPEEDS), stage
        assert stage["output_bytes"] == 2000, stage
        for processor, seconds in stage["seconds_by_processor"].items():
            nominal = WORKS[stage["name"]] / SPEEDS[processor] / 1000
            assert 0.999 * nominal <= seconds <= LONGEST * nominal, (stage, processor)
    # One pair of processors, and each with source and sink.
    ends = [(link["from"], link["to"], link.get("outer_end")) for link in told["links"]]
    assert ends == [("slow", "fast", None), (None, "slow", "source"), (None, "fast", "source"), ("slow", None, "sink"),
                    ("fast", None, "sink")], ends
    for link in told["links"]:
        assert len(link["seconds_by_size"]) == 5 and min(link["seconds_by_size"]) > 0, link
    assert document["platform"]["processors"][0]["speed"] == "1/s", document
    assert [link["processor"] for link in document["platform"]["sink"]["links"]] == list(SPEEDS), document


def check_programs(probes):
    (probes.folder / "input").write_text("".join(line + "\n" for line in LINES))
    # The last stage takes nothing but what the one before it makes of these lines.
    programs = {"number": "sed -u s/^/17/", "shout": "stdbuf -oL tr a-z A-Z",
                "end": "while read -r line; do case $line in 17*LINE) echo good;; *) exit 5;; esac; done"}
    words = [word for stage, command in programs.items() for word in ("--program", f"{stage}={command}")]
    words += ["--records", "lines", "--input", "input", "--repeat", "4", "--sizes", "0,1kB"]
    # Of the lines 1, 2, 3 and 1 again, 10, 11, 10 and 10 bytes long.
    for more in ((), ("--one-stage", "shout")):
        told, document = probes.probe(BARE, *words, *more)
        assert document["application"]["input"] == "10 B", document
        assert [stage["output_bytes"] for stage in told["stage_times"]] == [12, 12, 4], told
        measured = [len(stage["seconds_by_processor"]) for stage in told["stage_times"]]
        assert measured == ([1, 3, 1] if "--one-stage" in more else [3, 3, 3]), measured
    words[1] = "number=sed -u -e s/^/17/ -e 3q; echo the disk is gone >&2; exit 9"
    failed = probes.run("probe", "problem.json", *words)
    expect(failed, FAILED)
    assert "stage number, data set 2" in failed.stderr and "the disk is gone" in failed.stderr, failed.stderr


# A camera's frames are decoded on CPUs, looked at on GPUs, and stored where the disk is.
SOME = {
    "application": {"stages": [
        {"name": "number", "time": {"cpu1": 5, "cpu2": 5}},
        {"name": "shout", "time": {"gpu1": 10, "gpu2": 20}},
        {"name": "end", "work": 5, "runs on": ["disk"]}]},
    "platform": {"types": [{"name": "disk", "speed": 1}],
                 "processors": [{"name": "cpu1"}, {"name": "cpu2"}, {"name": "gpu1"}, {"name": "gpu2"},
                                {"name": "store", "type": "disk"}]},
}
WHERE = {"number": ["cpu1", "cpu2"], "shout": ["gpu1", "gpu2"], "end": ["store"]}


def check_some_machines(probes):
    """Stages are computed where they run, of what was made elsewhere; and run nowhere else in the document."""
    (probes.folder / "input").write_text("".join(line + "\n" for line in LINES))
    (probes.folder / "problem.json").write_text(json.dumps(SOME))
    options = ["probe", "problem.json", "-o", "probed.json", "--json", "--sizes", "0,1kB"]
    programs = ["--program", "number=sed -u s/^/17/", "--program", "shout=stdbuf -oL tr a-z A-Z", "--program",
                "end=while read -r line; do case $line in 17*LINE) echo good;; *) exit 5;; esac; done", "--records",
                "lines", "--input", "input", "--repeat", "4"]
    made_up = ["--kernel", "emulate", "--unit", "1ms", "--bytes", "2000"]
    for words in (programs, [*made_up, "--in-turn"], [*made_up, "--alike"], [*made_up, "--apart"]):
        ended = probes.run(*options, *words)
        expect(ended, 0)
        told = json.loads(ended.stdout)
        fault = answer_schemas.fault_of("probe", told)
        assert not fault, fault
        measured = {stage["name"]: list(stage["seconds_by_processor"]) for stage in told["stage_times"]}
        assert measured == WHERE, measured
        sizes = [stage["output_bytes"] for stage in told["stage_times"]]
        assert sizes == ([12, 12, 4] if words is programs else [2000] * 3), sizes
        # Nobody runs two of these stages: there is no speed but that of all.
        assert (told["misfit"] is None) == (not told["alike"]), told
        stages = json.loads((probes.folder / "probed.json").read_text())["application"]["stages"]
        for stage in stages:
            places = stage["runs on"] if told["alike"] else list(stage["time"])
            assert places == WHERE[stage["name"]], stage
        mapped = probes.run("map", "probed.json", "--heuristic", "exhaustive")
        expect(mapped, 0)
    text = probes.run(*(word for word in options if word != "--json"), *made_up, "--apart")
    expect(text, 0)
    assert "no speed of a processor follows from the times: each stage has times of its own where it runs" in text.stdout
    for option, more in (("--one-stage", ["shout"]), ("--times-file", ["times.csv"])):
        refused = probes.run("probe", "problem.json", "-o", "probed.json", *made_up, option, *more)
        expect(refused, 2)
        assert f'{option}: stage "number" does not run on "gpu1"' in refused.stderr, refused.stderr
    nowhere = json.loads(json.dumps(SOME))
    nowhere["application"]["stages"][2]["runs on"] = ["cpu1"]
    (probes.folder / "problem.json").write_text(json.dumps(nowhere))
    refused = probes.run("probe", "problem.json", *made_up)
    expect(refused, 3)
    assert 'stage "end", which runs on no processor' in refused.stderr, refused.stderr


def check_times_file(probes, words):
    """All repeats of all processors, which a run that adapts takes as they stand."""
    probes.probe(BARE, *words, "--repeat", "4", "--sizes", "0,1kB", "--times-file", "normal.csv")
    rows = [line.split(",") for line in (probes.folder / "normal.csv").read_text().splitlines()]
    assert rows[0] == ["data_set", "operation", "stages", "processor", "start", "end"], rows[0]
    assert [(row[0], row[2], row[3]) for row in rows[1:]] == [
        (str(4 * p + repeat), stage["name"], "abc"[p]) for p in range(3) for repeat in range(4)
        for stage in BARE["application"]["stages"]], rows
    assert all(float(row[4]) < float(row[5]) for row in rows[1:]), rows
    expect(probes.run("run", "mapped.json", *words, "--window", "4", "--adapt", "polish", "--normal", "normal.csv"), 0)
    refused = probes.run("probe", "problem.json", *words, "--one-stage", "shout", "--times-file", "normal.csv")
    expect(refused, 2)
    assert "--times-file needs the times of all stages" in refused.stderr, refused.stderr


def check_round_trip(probes):
    """What was probed is an instance that runs as it stands, under the model of the document, else the default one."""
    stages = [{"name": "number", "output": 1}, {"name": "shout", "output": 1}, {"name": "end"}]
    problem = {**BARE, "application": {"stages": [{"work": 1, **stage} for stage in stages]},
               "mapping": [{"stages": [stage["name"]], "processors": [processor]} for stage, processor in zip(stages, "abc")]}
    problem["platform"] = {**problem["platform"], "bandwidth": 1000}
    for model in (None, "strict"):
        if model:
            problem["model"] = model
        _, document = probes.probe(problem, *PROGRAMS, "--repeat", "4", "--sizes", "0,1kB")
        assert document.get("model") == model, document
        assert document["mapping"] == problem["mapping"], document
        journal = f"journal-{model}"
        expect(probes.run("run", "probed.json", *PROGRAMS, "--journal", journal), 0)
        results = probes.run("journal", journal, "--cat", "--lines")
        expect(results, 0)
        lines = results.stdout.splitlines()
        assert lines == [f"17{line.upper()}" for line in LINES], lines


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    probes = Probes(sys.argv[1], folder)
    check_made_up(probes, "emulate")
    check_made_up(probes, "spin")
    check_programs(probes)
    check_some_machines(probes)
    check_round_trip(probes)
    check_times_file(probes, PROGRAMS)


if __name__ == "__main__":
    main()
