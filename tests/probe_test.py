#!/usr/bin/env python3
"""takt probe as an MPI job: what it writes can be mapped and run, and a program that fails is told.

Usage: probe_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import subprocess
import sys

import answer_schemas
import mpi_jobs

FAILED = 70
NAMES = ["number", "shout", "end"]
LINES = ["first line", "second line", "third line"]
PROBLEM = {
    "application": {"stages": [{"name": name, "work": 1, "output": 1} for name in NAMES]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "abc"], "bandwidth": 1000},
    "mapping": [{"stages": [stage], "processors": [processor]} for stage, processor in zip(NAMES, "abc")],
    "model": "strict",
}
# The last stage takes nothing but what the one before it makes of these lines.
PROGRAMS = {"number": "sed -u s/^/17/", "shout": "stdbuf -oL tr a-z A-Z",
            "end": "while read -r line; do case $line in 17*LINE) echo good;; *) exit 5;; esac; done"}
# A camera's frames are decoded on CPUs, looked at on GPUs, and stored where the disk is.
SOME = {
    "application": {"input": 1, "stages": [
        {"name": "number", "time": {"cpu1": 5, "cpu2": 5}},
        {"name": "shout", "time": {"gpu1": 10, "gpu2": 20}},
        {"name": "end", "work": 5, "runs on": ["disk"]}]},
    "platform": {"types": [{"name": "disk", "speed": 1}],
                 "processors": [{"name": "cpu1"}, {"name": "cpu2"}, {"name": "gpu1"}, {"name": "gpu2"},
                                {"name": "store", "type": "disk"}], "source": {}},
}
WHERE = {"number": ["cpu1", "cpu2"], "shout": ["gpu1", "gpu2"], "end": ["store"]}


class Probes:
    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder

    def run(self, *words, status=0):
        ended = subprocess.run([self.takt, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        assert ended.returncode == status, (words, ended.returncode, ended.stdout, ended.stderr)
        return ended

    def probe(self, problem, *options):
        """What was measured, and the document, which can be mapped."""
        (self.folder / "problem.json").write_text(json.dumps(problem))
        words = ["probe", "problem.json", "-o", "probed.json", "--json", "--sizes", "0,1kB"]
        told = json.loads(self.run(*words, *options).stdout)
        fault = answer_schemas.fault_of("probe", told)
        assert not fault, fault
        self.run("map", "probed.json", "--heuristic", "exhaustive", "-o", "mapped.json")
        return told, json.loads((self.folder / "probed.json").read_text())


def check_programs(probes):
    """All repeats of all processors, which a run that adapts takes as they stand; and the mapping and model stay."""
    words = [word for stage, command in PROGRAMS.items() for word in ("--program", f"{stage}={command}")]
    words += ["--records", "lines", "--input", "input"]
    told, document = probes.probe(PROBLEM, *words, "--repeat", "4", "--times-file", "normal.csv")
    # Of the lines 1, 2, 3 and 1 again, 10, 11, 10 and 10 bytes long.
    assert document["application"]["input"] == "10 B", document
    assert [stage["output_bytes"] for stage in told["stage_times"]] == [12, 12, 4], told
    assert all(set(stage["seconds_by_processor"]) == set("abc") for stage in told["stage_times"]), told
    assert (document["model"], document["mapping"]) == ("strict", PROBLEM["mapping"]), document
    rows = [line.split(",") for line in (probes.folder / "normal.csv").read_text().splitlines()]
    assert rows[0] == ["data_set", "operation", "stages", "processor", "start", "end"], rows[0]
    assert [(row[0], row[2], row[3]) for row in rows[1:]] == [
        (str(4 * p + repeat), name, "abc"[p]) for p in range(3) for repeat in range(4) for name in NAMES], rows
    assert all(float(row[4]) < float(row[5]) for row in rows[1:]), rows
    for more in (("mapped.json", "--window", "4", "--adapt", "polish", "--normal", "normal.csv"), ("probed.json",)):
        probes.run("run", *more, *words, "--rehearse")
    refused = probes.run("probe", "problem.json", *words, "--one-stage", "shout", "--times-file", "some.csv", status=2)
    assert "--times-file needs the times of all stages" in refused.stderr, refused.stderr
    words[1] = "number=sed -u -e s/^/17/ -e 3q; echo the disk is gone >&2; exit 9"
    failed = probes.run("probe", "problem.json", *words, status=FAILED)
    assert "stage number, data set 2" in failed.stderr and "the disk is gone" in failed.stderr, failed.stderr


def check_made_up(probes):
    """Stages run nowhere else in the document than where they were measured."""
    made_up = ["--kernel", "emulate", "--unit", "100us", "--bytes", "2000", "--repeat", "3", "--round-trips", "3"]
    told, document = probes.probe(SOME, *made_up, "--in-turn", "--apart")
    assert told["ranks"] == 7 and told["misfit"] is None and not told["alike"], told
    assert {stage["name"]: list(stage["seconds_by_processor"]) for stage in told["stage_times"]} == WHERE, told
    assert [stage["output_bytes"] for stage in told["stage_times"]] == [2000] * 3, told
    # A sleep is no shorter than it is told.
    for stage, units in zip(told["stage_times"], ([5, 5], [10, 20], [5])):
        assert all(took >= 0.000099 * n for took, n in zip(stage["seconds_by_processor"].values(), units)), stage
    # Ten pairs of processors, and each with the source.
    assert [link.get("outer_end") for link in told["links"]] == [None] * 10 + ["source"] * 5, told
    assert all(len(link["seconds_by_size"]) == 2 and min(link["seconds_by_size"]) > 0 for link in told["links"]), told
    assert {stage["name"]: list(stage["time"]) for stage in document["application"]["stages"]} == WHERE, document
    for option, more in (("--one-stage", ["shout"]), ("--times-file", ["times.csv"])):
        refused = probes.run("probe", "problem.json", "-o", "probed.json", *made_up, option, *more, status=2)
        assert f'{option}: stage "number" does not run on "gpu1"' in refused.stderr, refused.stderr
    SOME["application"]["stages"][2]["runs on"] = ["cpu1"]
    (probes.folder / "problem.json").write_text(json.dumps(SOME))
    refused = probes.run("probe", "problem.json", *made_up, status=3)
    assert 'stage "end", which runs on no processor' in refused.stderr, refused.stderr


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    (folder / "input").write_text("".join(line + "\n" for line in LINES))
    probes = Probes(sys.argv[1], folder)
    check_programs(probes)
    check_made_up(probes)


if __name__ == "__main__":
    main()
