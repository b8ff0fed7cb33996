"""How many machines of which type for what was measured: the catalogue with those times, planned by takt."""
import json
import subprocess
import sys


def planned(path):
    """The metrics of a file, and the parts of the cheapest plan that serves them, each with its number of workers."""
    with open(path, encoding="utf-8") as file:
        metrics = json.load(file)
    with open(metrics["catalogue"], encoding="utf-8") as file:
        problem = json.load(file)
    stages = {stage["name"]: stage for stage in problem["application"]["stages"]}
    for name, times in metrics["time"].items():
        if name not in stages:
            sys.exit(f"{path}: /time: found \"{name}\", expected a stage of {metrics['catalogue']}: {', '.join(stages)}")
        stages[name]["time"].update(times)
    command = ["takt", "plan", "-", "--json", "--rate", metrics["rate"], "--headroom", metrics["headroom"]]
    ended = subprocess.run(command, input=json.dumps(problem), stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode != 0:
        # takt has said why, or its answer does.
        reasons = json.loads(ended.stdout).get("reasons", []) if ended.stdout else []
        sys.exit("\n".join([*(reason["text"] for reason in reasons), f"{path}: no plan, so nothing is scaled"]))
    parts = json.loads(ended.stdout)["parts"]
    for part in parts:
        # A worker for each core; one where a stage must see all data sets.
        is_replicable = all(stages[name].get("replicable", True) for name in part["stages"])
        part["workers"] = part.get("machine_cores", part["machine_count"]) if is_replicable else 1
    return metrics, parts


def name_of(part):
    """A part's stages as deployments and actors are named: "decode-detect" for two."""
    return "-".join(part["stages"])
