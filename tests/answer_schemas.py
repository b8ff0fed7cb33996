"""Answers of jobs held to docs/schemas, where the variable TAKT_SCHEMA_CHECKER names the program that judges them."""
import json
import os
import pathlib
import subprocess

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "docs/schemas"


def fault_of(name, answer):
    """What is wrong with an answer; empty where it is as its schema says, or nobody judges."""
    checker = os.environ.get("TAKT_SCHEMA_CHECKER")
    if not checker:
        return ""
    ended = subprocess.run([checker, SCHEMAS, name], input=json.dumps(answer), capture_output=True, text=True,
                           check=False)
    return "" if ended.returncode == 0 else f"not as {name}.schema.json says: {ended.stdout}{ended.stderr}"
