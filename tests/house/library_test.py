#!/usr/bin/env python3
"""The programs of docs/library.md, against an installed copy: each compiles, runs and prints what the page shows.

Usage: library_test.py SOURCE BUILD WORK CXX CXX_FLAGS GENERATOR IS_STRIPPED
Holds the page's table to the public headers, these to including no Boost.Graph, the shared library to being whole, and
stripped libraries to naming no folder of whoever built them.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

PROGRAMS = ["period", "proof", "mapping", "search", "ratio"]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def programs_of(page):
    """Name, source and output of each program."""
    found = re.findall(r"```cpp\n// (\w+)\.cpp\n(.*?)```\n```text\n(.*?)```", page, re.DOTALL)
    names = [name for name, _, _ in found]
    if names != PROGRAMS:
        sys.exit(f"docs/library.md: found the programs {names}, expected {PROGRAMS}")
    return found


def included_by(header):
    return set(re.findall(r'^#include "([^"]+)"', header.read_text(), re.MULTILINE))


def check_table(source, page):
    table = page.split("| header, below `takt/` |", 1)[1].split("\n\n", 1)[0]
    listed = {name for line in table.splitlines() for name in re.findall(r"`([a-z_/]+\.hpp)`", line.split("|")[1])}
    public = included_by(source / "library/takt.hpp") | included_by(source / "library/cycle_ratio.hpp")
    if listed != public:
        sys.exit(f"docs/library.md lists {sorted(listed - public)}, which the public headers do not include, "
                 f"and not {sorted(public - listed)}, which it does")


def check_headers(work, prefix, compiler):
    only = work / "only.cpp"
    only.write_text("#include <takt/takt.hpp>\n")
    included = run(*compiler, f"-I{prefix / 'include'}", "-M", only)
    if "/boost/" in included:
        sys.exit("takt/takt.hpp includes a header of Boost")


def check_output(what, program, expected):
    found = run(program)
    if found != expected:
        sys.exit(f"{what}: docs/library.md shows\n{expected}\nand the program prints\n{found}")


def check_shared(prefix, build, work, compiler, program):
    name, _, expected = program
    library = build / "library/libtakt.so"
    soname = re.search(r"\(SONAME\).*\[(.+)\]", run("readelf", "-d", library))[1]
    if not re.fullmatch(r"libtakt\.so\.\d+\.\d+", soname):
        sys.exit(f"the shared library is called {soname}, without its version")
    linked = work / "with_shared"
    run(*compiler, f"-I{prefix / 'include'}", work / f"{name}.cpp", library, f"-Wl,-rpath,{library.parent}", "-Wl,--no-undefined",
        "-lgmpxx", "-lgmp", "-o", linked)
    check_output("with the shared library", linked, expected)


def check_paths(source, prefix):
    for archive in prefix.glob("lib/*.a"):
        if str(source).encode() in archive.read_bytes():
            sys.exit(f"{archive.name} names the folder that it was built in")


def main():
    source, build, work = (pathlib.Path(path) for path in sys.argv[1:4])
    cxx, flags, generator, is_stripped = sys.argv[4:]
    compiler = [cxx, *shlex.split(flags), "-std=c++20"]
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    prefix = work / "prefix"
    run("cmake", "--install", build, "--prefix", prefix, "--component", "development")

    page = (source / "docs/library.md").read_text()
    programs = programs_of(page)
    check_table(source, page)
    check_headers(work, prefix, compiler)
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(library LANGUAGES CXX)", "find_package(takt 0.2 REQUIRED)"]
    for name, text, _ in programs:
        (work / f"{name}.cpp").write_text(text)
        lines += [f"add_executable({name} {name}.cpp)", f"target_link_libraries({name} PRIVATE takt::takt)"]
    (work / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    run("cmake", "-S", work, "-B", work / "build", "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_CXX_FLAGS={flags}")
    run("cmake", "--build", work / "build")
    for name, _, expected in programs:
        check_output(name, work / "build" / name, expected)
    check_shared(prefix, build, work, compiler, programs[0])
    if is_stripped in ("1", "ON"):
        check_paths(source, prefix)
    print(f"{len(programs)} programs")


main()
