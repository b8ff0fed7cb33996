"""The wheel and the source archive of the Python module: made offline by pip, imported in a fresh environment of every
Python of the system that it is for, linked to what is expected, Graphviz loaded only to draw.

Usage: python_wheel_test.py BUILD ROOT FOLDER   BUILD: a build tree with the module; FOLDER: for what is made
Ends with status 77 where pip (Debian's python3-pip) or readelf is not there.
"""
import glob
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

# The libraries that the module may name, and the Debian packages that have them.
LIBRARIES = {
    "libgmp.so.10": "libgmp10",
    "libfmt.so.9": "libfmt9",
    "libpugixml.so.1": "libpugixml1v5",
    "libgomp.so.1": "libgomp1",
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
    "libm.so.6": "libc6",
    "libc.so.6": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
}
# Any system with Python has them.
EVERYWHERE = {name for name in LIBRARIES if LIBRARIES[name] in ("libc6", "libstdc++6", "libgcc-s1")}
# As where the system has none of them.
BROUGHT = """
from takt._libraries import load
loaded = load()
maps = open("/proc/self/maps").read()
assert len(loaded) >= 3 and all(path in maps for path in loaded), loaded
"""
IMPORTED = """
import sys, takt
maps = lambda: open("/proc/self/maps").read()
assert "site-packages/takt" in takt.__file__, takt.__file__
result = takt.evaluate(sys.argv[1], model="strict")
assert str(result.period) == "692/3", result
assert takt.check(sys.argv[1], result.certificate) is None
assert "libgvc" not in maps() and "libcgraph" not in maps(), "Graphviz is loaded before anything is drawn"
assert "numpy" not in sys.modules and "pandas" not in sys.modules
assert result.net._repr_svg_().startswith("<svg")
assert "libgvc" in maps()
print(takt.__version__)
"""


def run(*command, **options):
    ended = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False, **options)
    assert ended.returncode == 0, f"{command}: {ended.stdout[-3000:]}{ended.stderr[-3000:]}"
    return ended.stdout


def made_wheel(build, root, folder):
    """As pip makes it where there is no network."""
    offline = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1"}
    offline.pop("PYTHONPATH", None)
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--config-settings",
        f"build-dir={build}", "--wheel-dir", folder, root, env=offline, cwd=folder)
    (wheel,) = pathlib.Path(folder).glob("takt-*.whl")
    return wheel


def linked_libraries(shared_object):
    """What it names, as readelf has it; ldd must find all of it."""
    named = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", shared_object))
    assert "not found" not in run("ldd", shared_object)
    return set(named)


def expect_links(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        archive.extractall(folder)
    modules = [name for name in names if name.endswith(".so")]
    assert len(modules) == 1 and modules[0].startswith("takt/_core."), modules
    named = linked_libraries(pathlib.Path(folder) / modules[0])
    assert named <= set(LIBRARIES), f"linked to {sorted(named - set(LIBRARIES))}"
    assert {"takt/py.typed", "takt/_core.pyi", "takt/__init__.py"} <= set(names)
    # What not every system with Python has comes along, with its copyright.
    brought = {name.removeprefix("takt/_libs/") for name in names if name.startswith("takt/_libs/")}
    assert brought == named - EVERYWHERE, brought
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {LIBRARIES[name] for name in brought}
    dynamic = run("readelf", "-d", pathlib.Path(folder) / modules[0])
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic
    text = next(pathlib.Path(folder).glob("takt-*.dist-info/METADATA")).read_text(encoding="utf-8")
    assert "Requires-Dist: numpy" in text and 'Requires-Dist: pandas>=1.5 ; extra == "tables"' in text
    print("linked to", ", ".join(f"{name} ({LIBRARIES[name]})" for name in sorted(named)))


def pythons(wheel):
    """Those of the system that the wheel is for: a minor version has one name."""
    version = re.search(r"-cp3(\d+)-", wheel.name)[1]
    found = [path for path in sorted(glob.glob("/usr/bin/python3.*")) if re.fullmatch(r".*/python3\.\d+", path)]
    others = [path for path in found if not path.endswith(f".{version}")]
    print("Pythons of the system that it is not for:", ", ".join(others) or "none")
    return [path for path in found if path.endswith(f".{version}")]


def expect_import(python, wheel, root, folder):
    environment = pathlib.Path(folder) / "environment"
    shutil.rmtree(environment, ignore_errors=True)
    run(python, "-m", "venv", "--without-pip", environment)
    inside = environment / "bin/python"
    run(sys.executable, "-m", "pip", "--python", inside, "install", "--no-index", "--no-deps", wheel)
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    example = pathlib.Path(root) / "examples/example-a.json"
    version = run(inside, "-I", "-c", IMPORTED, example, env=clean, cwd=folder).strip()
    run(inside, "-I", "-c", BROUGHT, env=clean, cwd=folder)
    assert run(inside, "-I", "-m", "takt", "--version", env=clean, cwd=folder).split()[1] == version
    assert f"-{version}-" in wheel.name
    print("imported by", python, "in a fresh environment")


def expect_source_archive(root, folder):
    """It has what a build reads: CMake configures it, and every source that the module is made of is there."""
    backend = pathlib.Path(root) / "python/packaging"
    made = run(sys.executable, "-B", "-c", f"import takt_build; print(takt_build.build_sdist({str(folder)!r}))",
               env={**os.environ, "PYTHONPATH": str(backend)}, cwd=root).split()[-1]
    with tarfile.open(pathlib.Path(folder) / made) as archive:
        archive.extractall(folder)
    unpacked = pathlib.Path(folder) / made.removesuffix(".tar.gz")
    assert (unpacked / "PKG-INFO").read_text(encoding="utf-8").startswith("Metadata-Version: ")
    tree = pathlib.Path(folder) / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    run("cmake", "--preset", "release", "-B", tree, "-DTAKT_BUILD_TESTS=OFF", "-DTAKT_BUILD_BENCHMARKS=OFF",
        f"-DPython3_EXECUTABLE={sys.executable}", cwd=unpacked)
    inputs = [pathlib.Path(path) for path in run("ninja", "-C", tree, "-t", "inputs", "takt_python").splitlines()]
    # Sources that are compiled several at a time stand in files of CMake.
    several = [path.read_text(encoding="utf-8") for path in tree.rglob("Unity/*.cxx")]
    inputs += [pathlib.Path(path) for text in several for path in re.findall(r'^#include "(.*)"$', text, re.MULTILINE)]
    sources = [path for path in inputs if path.is_relative_to(unpacked)]
    assert len(sources) > 100 and all(path.is_file() for path in sources)
    assert (unpacked / "pyproject.toml").is_file() and not (unpacked / "tests").exists()
    assert "_core" in run("ninja", "-C", tree, "-t", "commands", "takt_python")
    print("the source archive has", sum(1 for path in unpacked.rglob("*") if path.is_file()), "files")


def main(build, root, folder):
    for module, package in (("pip", "python3-pip"), ("venv", "python3-venv")):
        if importlib.util.find_spec(module) is None:
            print(f"no {module} (Debian's {package}): wheels are not tested")
            return 77
    if shutil.which("readelf") is None:
        print("no readelf (Debian's binutils): wheels are not tested")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    wheel = made_wheel(build, root, folder)
    expect_links(wheel, os.path.join(folder, "unpacked"))
    for python in pythons(wheel):
        expect_import(python, wheel, root, folder)
    expect_source_archive(root, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:])))
