#!/usr/bin/env python3
"""scripts/sweep.slurm under stand-ins for sbatch and scontrol, which do what Slurm does with its jobs, one by one.

Usage: sweep_slurm_test.py TAKT SCRIPT FOLDER
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import mpi_jobs

DESCRIPTION = {
    "name": "array",
    "seed": 3,
    "study": "evaluate",
    "generator": {"name": "replicated-mapping", "stages": 3},
    "grid": {"draws": 60, "processors": [4, 6]},
    "chunk": "10 ms",
    "report": [{"kind": "table", "columns": [{"mean": "period"}]}],
}

# Runs the jobs at once, one after the other, as jobs 100, 101, ..., with the environment that Slurm gives them.
SBATCH = r"""#!/usr/bin/env python3
import json, os, pathlib, subprocess, sys
log = pathlib.Path(os.environ["STAND_IN_LOG"])
options = []
words = sys.argv[1:]
while words and words[0].startswith("-"):
    options.append(words.pop(0))
job = 100 + len(log.read_text().splitlines()) if log.exists() else 100
with log.open("a") as file:
    file.write(json.dumps({"job": job, "options": options, "script": words}) + "\n")
said = dict(option.lstrip("-").split("=", 1) for option in options if "=" in option)
dependency = said.get("dependency")
if dependency is not None and dependency != f"afterany:{job - 1}":
    sys.exit(f"sbatch: error: dependency {dependency} of job {job}")
environment = {**os.environ, "SLURM_JOB_ID": str(job), "SLURM_CPUS_PER_TASK": "2"}
if "array" in said:
    first, last = said["array"].split("-")
    for task in range(int(first), int(last) + 1):
        ended = subprocess.run(["bash", *words], env={**environment, "SLURM_ARRAY_TASK_ID": str(task)},
                               stdout=subprocess.DEVNULL)
        if ended.returncode != 0:
            print(f"task {task}: {ended.returncode}", file=sys.stderr)
else:
    ended = subprocess.run(["bash", *words], env=environment, stdout=subprocess.DEVNULL)
    if ended.returncode != 0:
        print(f"job {job}: {ended.returncode}", file=sys.stderr)
print(f"{job};cluster")
"""
SCONTROL = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$STAND_IN_LOG.scontrol"
"""


def fail(text):
    sys.exit(f"error: {text}")


def main():
    takt, script, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    for name, text in (("sbatch", SBATCH), ("scontrol", SCONTROL)):
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    description = folder / "array.json"
    description.write_text(json.dumps(DESCRIPTION))
    environment = {**os.environ, "TAKT": takt, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    for name in [name for name in environment if name.startswith("SLURM_")]:
        del environment[name]

    def submit(run, **more):
        log = folder / f"{run}.log"
        ended = subprocess.run([script, "3", str(description), "-o", str(folder / run)], check=False,
                               env={**environment, "STAND_IN_LOG": str(log), **more}, capture_output=True, text=True)
        if ended.returncode != 0 or ended.stderr:
            fail(f"{run}: status {ended.returncode}: {ended.stderr}")
        return [json.loads(line) for line in log.read_text().splitlines()], ended.stdout

    def takt_says(*words):
        return subprocess.run([takt, "experiment", *words], check=False, capture_output=True, text=True)

    # All parts in one directory, then the report of the whole.
    jobs, said = submit("common", SWEEP_SBATCH="--partition=long --account=me")
    if [job["options"] for job in jobs] != [
            ["--parsable", "--partition=long", "--account=me", "--array=1-3"],
            ["--parsable", "--partition=long", "--account=me", "--dependency=afterany:100"]]:
        fail(f"other jobs than an array and its report: {jobs}")
    if "submitted: 3 parts as job 100, and its report\n" not in said:
        fail(f"other words: {said}")
    if takt_says("status", str(folder / "common")).returncode != 0:
        fail("the array did not do all of it")
    report = (folder / "common/report.md").read_text()
    if "120 draws" not in report or "Not complete" in report:
        fail(f"another report: {report}")
    if json.loads((folder / "common/report.json").read_text())["draws_done"] != 120:
        fail("report.json is of other draws")

    # A directory for each part; the chunks of all are those that were chosen first.
    submit("apart", SWEEP_SEPARATE="1")
    if takt_says("status", str(folder / "apart")).returncode != 0:
        fail("the parts were not merged")
    for k in (1, 2, 3):
        manifests = [(folder / name / "manifest.json").read_text() for name in ("apart", f"apart.{k}")]
        if manifests[0] != manifests[1]:
            fail(f"part {k} has other chunks")
        if takt_says("status", str(folder / f"apart.{k}")).returncode != 4:
            fail(f"part {k} did more than its part")
    rows = [takt_says("rows", str(folder / name), "--exact").stdout for name in ("common", "apart")]
    if rows[0] != rows[1] or not rows[0]:
        fail("parts apart have other rows")

    # A part whose time is up stores what it has, ends well and asks to be queued again; then it goes on. Each time it
    # stands at the gate on its tenth draw.
    gate = mpi_jobs.Gate(folder)
    server = f"n=0; while read -r problem; do n=$((n+1)); [ $n = 10 ] && {{ {gate.stop}; }}; echo '{{}}'; done"
    description.write_text(json.dumps({
        **DESCRIPTION, "study": "heuristics", "generator": "skeleton-pair", "models": ["strict"], "chunk": 1,
        "grid": {"draws": 90, "processors": [3], "stages": [3]}, "heuristics": [{"name": "own", "server": server}]}))
    directory = folder / "long"
    job = {**environment, "STAND_IN_LOG": str(folder / "long.log"), "SLURM_JOB_ID": "77", "SLURM_ARRAY_TASK_ID": "2"}
    command = ["bash", script, "3", str(description), "-o", str(directory)]
    for times in (1, 2):
        process = subprocess.Popen(command, env=job, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        gate.arrival()
        process.send_signal(signal.SIGTERM)
        errors = process.communicate()[1]
        if process.returncode != 0 or "sweep: part 2 of 3 goes on later\n" not in errors:
            fail(f"a part whose time is up: status {process.returncode}: {errors}")
        if (folder / "long.log.scontrol").read_text() != "requeue 77\n" * times:
            fail("it was not queued again")
        done = json.loads(takt_says("status", str(directory), "--json").stdout)["chunks_done"]
        if done != 9 * times:
            fail(f"{done} chunks were done before the {times}. end")

    # What is wrong is said before anything is submitted.
    for words, says in ((["0", "x", "-o", "y"], "the number of parts"), (["2", "x", "y", "z"], "there is no -o DIR"),
                        (["2", "x", "-o", "y", "--jobs", "2"], "is not for you to say"), (["2"], "usage:")):
        ended = subprocess.run([script, *words], env={**environment, "STAND_IN_LOG": str(folder / "none.log")},
                               check=False, capture_output=True, text=True)
        if ended.returncode != 2 or says not in ended.stderr:
            fail(f"{words}: status {ended.returncode}: {ended.stderr}")
    if (folder / "none.log").exists():
        fail("something was submitted")
    print("an array, its report, parts apart, and two time limits")


main()
