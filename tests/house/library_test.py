#!/usr/bin/env python3
"""An installed copy, and the programs of docs/library.md against it: each compiles, runs and prints what the page shows.

Usage: library_test.py SOURCE BUILD WORK CXX CXXFLAGS=FLAGS GENERATOR IS_STRIPPED VERSION HAS_MPI HAS_EXAMPLE
Holds what is installed to its components and folders, the page's table to the public headers, these to including no
Boost.Graph, the shared library to being whole, and stripped libraries to naming no folder of whoever built them.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

PROGRAMS = ["period", "proof", "mapping", "search", "ratio"]
INCLUDES = "#include <iostream>\n#include <takt/takt.hpp>\n"


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
    if "/boost/" in run(*compiler, f"-I{prefix / 'include'}", "-M", only):
        sys.exit("takt/takt.hpp includes a header of Boost")
    found = sorted(path.name for path in (prefix / "include").iterdir())
    if found != ["takt"]:
        sys.exit(f"the include path holds takt alone, not {found}")
    # Each include of theirs leads to where it was installed.
    everything = work / "all_headers.cpp"
    headers = sorted((prefix / "include").rglob("*.hpp"))
    everything.write_text("".join(f"#include <{header.relative_to(prefix / 'include')}>\n" for header in headers))
    run(*compiler, "-fsyntax-only", f"-I{prefix / 'include'}", everything)


def check_installed(source, build, prefix, is_stripped, version, has_mpi):
    """The programs, and files that point to nowhere but the prefix."""
    for rules in build.rglob("cmake_install.cmake"):
        if "Unspecified" in rules.read_text():
            sys.exit(f"{rules}: something is installed without a COMPONENT: program, development, mpi or python")
    programs = sorted(path.name for path in (prefix / "bin").iterdir())
    if programs != (["takt", "takt-live", "takt-mpi"] if has_mpi else ["takt"]):
        sys.exit(f"found the programs {programs}")
    if is_stripped and ".symtab" in run("readelf", "--sections", "--wide", prefix / "bin/takt"):
        sys.exit("the installed program is not stripped: it has a symbol table")
    packages = list(prefix.rglob("*.cmake"))
    if not packages:
        sys.exit(f"no CMake package was installed under {prefix}")
    for package in packages:
        if str(source) in package.read_text().replace(str(prefix), ""):
            sys.exit(f"{package} points back into the source tree")
    check_output("the installed program", [prefix / "bin/takt", "--version"], f"takt {version}\n")


def object_of(work, name):
    return work / f"build/CMakeFiles/{name}.dir/{name}.cpp.o"


def check_by_hand(prefix, work, compiler, program):
    """As pkg-config says: the include path that it was compiled with, and all that it is linked to."""
    name, _, expected = program
    os.environ["PKG_CONFIG_PATH"] = f"{prefix}/lib/pkgconfig"
    flags = shlex.split(run("pkg-config", "--cflags", "takt"))
    if [os.path.normpath(flag) for flag in flags] != [f"-I{prefix}/include"]:
        sys.exit(f"pkg-config --cflags takt says {flags}")
    libraries = shlex.split(run("pkg-config", "--static", "--libs", "takt"))
    run(*compiler, object_of(work, name), *libraries, "-o", work / "by_hand")
    check_output("linked by hand", [work / "by_hand"], expected)


def check_stages(source, prefix, example, work):
    """A program of stages, started by the installed takt."""
    if shutil.which("mpirun") is None:
        return
    (work / "files.txt").write_text(f"{source}/README.md\n" * 10)
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    instance = source / "examples/compress/compress.json"
    run(prefix / "bin/takt", "run", instance, "--executable", example, "--input", work / "files.txt")
    run(prefix / "bin/takt", "run", instance, "--data-sets", "10")


def check_output(what, command, expected):
    found = run(*command)
    if found != expected:
        sys.exit(f"{what}: docs/library.md shows\n{expected}\nand the program prints\n{found}")


def check_shared(build, work, compiler, program):
    name, _, expected = program
    library = build / "library/libtakt.so"
    soname = re.search(r"\(SONAME\).*\[(.+)\]", run("readelf", "-d", library))[1]
    if not re.fullmatch(r"libtakt\.so\.\d+\.\d+", soname):
        sys.exit(f"the shared library is called {soname}, without its version")
    linked = work / "with_shared"
    run(*compiler, object_of(work, name), library, f"-Wl,-rpath,{library.parent}", "-Wl,--no-undefined", "-lgmpxx", "-lgmp",
        "-o", linked)
    check_output("with the shared library", [linked], expected)


def check_paths(source, prefix):
    for archive in prefix.glob("lib/*.a"):
        if str(source).encode() in archive.read_bytes():
            sys.exit(f"{archive.name} names the folder that it was built in")


def main():
    source, build, work = (pathlib.Path(path) for path in sys.argv[1:4])
    cxx, flags, generator, is_stripped, version, has_mpi, has_example = sys.argv[4:]
    flags = flags.removeprefix("CXXFLAGS=")
    is_stripped, has_mpi, has_example = (word in ("1", "ON") for word in (is_stripped, has_mpi, has_example))
    compiler = [cxx, *shlex.split(flags), "-std=c++20"]
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    prefix = work / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    check_installed(source, build, prefix, is_stripped, version, has_mpi)

    page = (source / "docs/library.md").read_text()
    programs = programs_of(page)
    check_table(source, page)
    check_headers(work, prefix, compiler)
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(library LANGUAGES CXX)", "find_package(takt 0.2 REQUIRED)"]
    for name, text, _ in programs:
        (work / f"{name}.cpp").write_text(text)
        lines += [f"add_executable({name} {name}.cpp)", f"target_link_libraries({name} PRIVATE takt::takt)"]
        if text.startswith(INCLUDES):  # these are read once
            precompiled = "REUSE_FROM period" if name != "period" else "PRIVATE <iostream> <takt/takt.hpp>"
            lines.append(f"target_precompile_headers({name} {precompiled})")
    if has_example:
        lines.append(f"add_subdirectory({source}/examples/compress compress)")
    (work / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    run("cmake", "-S", work, "-B", work / "build", "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_CXX_FLAGS={flags}")
    run("cmake", "--build", work / "build")
    for name, _, expected in programs:
        check_output(name, [work / "build" / name], expected)
    check_shared(build, work, compiler, programs[0])
    check_by_hand(prefix, work, compiler, programs[1])
    if has_example:
        check_stages(source, prefix, work / "build/compress/compress", work)
    if is_stripped:
        check_paths(source, prefix)
    print(f"{len(programs)} programs")


main()
