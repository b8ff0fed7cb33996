#!/usr/bin/env python3
"""Stages of one's own: the examples do what their pages say, by the commands that stand there; stages that fail are
named.

Usage: stages_test.py SOURCE BUILD FOLDER   status 77 where there is no mpirun
"""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zlib

SKIPPED = 77
FAILED = 70
USAGE = 2
BAD_INPUT = 3

TWO_STAGES = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "second", "work": 1}]},
    "platform": {"processors": [{"name": "a", "speed": 1000}, {"name": "b", "speed": 1000}], "bandwidth": 1000},
    "mapping": [{"stages": ["first"], "processors": ["a"]}, {"stages": ["second"], "processors": ["b"]}],
}


def expect(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def commands_of(page, heading=None):
    """The indented lines of a page, up to a heading; a "\\" at the end goes on."""
    text = page.read_text(encoding="utf-8")
    if heading:
        text = text.split(f"\n## {heading}\n")[0]
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if re.match(r" {4,}\S", line)]
    return "\n".join(line.strip() for line in lines)


class Place:
    """A folder that looks like the root of the repository, with the programs of the build."""

    def __init__(self, source, build, folder):
        self.source, self.build, self.folder = source, build, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in ("examples", "tools", "tests"):
            (folder / name).symlink_to(source / name)
        self.environment = {**os.environ, "PATH": f"{build}:{os.environ['PATH']}"}

    def run(self, command):
        return subprocess.run(command, shell=isinstance(command, str), cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, check=False)

    def run_page(self, text):
        """All commands of a page, and what they print."""
        ended = self.run("set -e\n" + text.replace("build/release/", f"{self.build}/"))
        expect(ended.returncode == 0, f"{text}\nstatus {ended.returncode}: {ended.stdout}{ended.stderr}")
        return ended.stdout

    def files(self):
        names = (self.folder / "files.txt").read_text(encoding="utf-8").split()
        return [(self.folder / name).read_bytes() for name in names]

    def results(self, name):
        return [path.read_bytes() for path in sorted((self.folder / name).iterdir())]


def tidied(text):
    return re.sub(rb"[ \t\r]+$", b"", text, flags=re.MULTILINE)


def test_compress(place):
    printed = place.run_page(commands_of(place.source / "examples/compress/README.md", "With an installed takt"))
    results, files = place.results("archive"), place.files()
    expect(len(files) == 100 and len(results) == 100, f"{len(results)} results of {len(files)} files")
    for text, result in zip(files, results):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31, 9)
        expect(gzip.decompress(result) == tidied(text), "what was compressed is another file")
        expect(result == packer.compress(tidied(text)) + packer.flush(), "zlib makes other bytes of it")
    expect("100 data sets delivered in order, none lost, none twice" in printed, printed)
    expect(json.loads((place.folder / "measured.json").read_text(encoding="utf-8")), "no measured instance")


def test_filters(place):
    page = place.source / "examples/filters/README.md"
    printed = place.run_page(commands_of(page))
    shown = re.findall(r"^```\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    expect(len(shown) == 1 and shown[0] and shown[0] in printed, f"{page} shows\n{shown}\nfound\n{printed}")
    journal = place.run(["takt", "journal", "requests", "--cat", "--lines"]).stdout.splitlines()
    log = (place.source / "examples/filters/requests.log").read_text(encoding="utf-8").splitlines()
    expect(len(journal) == len(log), f"{len(journal)} results of {len(log)} lines")
    names = {}
    for line, result in zip(log, journal):
        address, path, status = re.fullmatch(r'(\S+) - - .* "GET (\S+) \S+" (\d+) \d+', line).groups()
        words = result.removeprefix("ERROR ").split(" ")
        is_marked = result.startswith("ERROR ")
        expect(is_marked == status.startswith("5") and words[1:] == [status, path], f"{line}: {result}")
        expect(names.setdefault(address, words[0]) == words[0], f"{address} has two names")
    expect(len(set(names.values())) == len(names), "a name for two addresses")
    expect(place.results("packed-files") == place.results("archive"), "programs and functions have other results")


def test_failures(place):
    program = str(place.build / "tests/failing_stages")
    (place.folder / "two.json").write_text(json.dumps(TWO_STAGES), encoding="utf-8")
    run = ["takt", "run", "two.json", "--model", "strict"]

    def expect_end(words, status, message):
        ended = place.run(run + words)
        lines = ended.stderr.splitlines()
        expect(ended.returncode == status and message in ended.stderr and "takt" in lines[0] and len(lines) <= 2,
               f"{words}: expected {status} and {message!r}, found {ended.returncode} and {ended.stderr!r}")

    inputs = place.folder / "words.txt"
    for word, message in {
        "throw": "processor b: stage second, data set 5: no more\\u000aof this",
        "exit": "stage second, data set 5: it called exit",
    }.items():
        inputs.write_text("\n".join(["fine"] * 5 + [word] + ["fine"] * 5) + "\n", encoding="utf-8")
        expect_end(["--executable", program, "--input", "words.txt"], FAILED, message)
    inputs.write_text("fine\n" * 11, encoding="utf-8")
    ended = place.run([*run, "--executable", program, "--input", "words.txt", "--journal", "fine"])
    expect(ended.returncode == 0, f"nothing fails, but {ended.returncode}: {ended.stderr}")
    printed = place.run(["takt", "journal", "fine", "--cat", "--lines"]).stdout
    expect(printed == "fine!\n" * 11, f"expected what the second stage makes of the lines, found {printed!r}")

    # A copy is the same program; one of other bytes is not.
    moved, rebuilt = place.folder / "moved", place.folder / "rebuilt"
    shutil.copy(program, moved)
    rebuilt.write_bytes(moved.read_bytes() + b"\n")
    rebuilt.chmod(0o755)
    inputs.write_text("fine\n" * 12, encoding="utf-8")
    going = ["--input", "words.txt", "--journal", "fine"]
    for words, status, message in (
            (["./rebuilt", *going], BAD_INPUT, "fine: a journal of other programs: found "),
            (["./moved", *going, "--data-sets", "11"], 0, ""),
            (["./rebuilt", *going, "--same-journal"], 0, "its programs differ from data set 11 on")):
        ended = place.run([*run, "--executable", *words])
        expect(ended.returncode == status and message in ended.stderr, f"{words}: {ended.returncode} {ended.stderr}")

    expect_end(["--executable", str(place.build / "examples/compress")], FAILED,
               "found functions for read, tidy, compress, verify; expected one for stage first, too")
    expect_end(["--executable", "/bin/true"], FAILED, "is /bin/true made with takt::live?")
    expect_end(["--executable", "./none"], USAGE, "--executable: found ./none, expected a program that can be run")
    expect_end(["--executable", "none"], USAGE, "--executable: found none, expected a program of PATH")
    expect_end(["--program", "first=cat"], USAGE, "stage second has no program; each stage needs one")


def main():
    place = Place(*(pathlib.Path(word).resolve() for word in sys.argv[1:4]))
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    test_compress(place)
    test_filters(place)
    test_failures(place)


main()
