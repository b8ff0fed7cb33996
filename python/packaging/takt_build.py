"""Makes wheels and source archives of takt by CMake (PEP 517), with what the system has: no index, no network.

Settings of pip's --config-settings: build-dir=DIR is the build tree, build/wheel by default. One that is configured already is
taken as it is; else it is configured for the Python that runs this.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import tomllib
import zipfile
from typing import Any, Dict, Iterator, List, Optional, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = (
    "g++ cmake ninja-build pkg-config pybind11-dev python3-dev libboost-dev libgmp-dev nlohmann-json3-dev libfmt-dev "
    "libcli11-dev libgraphviz-dev libkainjow-mustache-dev libpugixml-dev librandom123-dev librsvg2-dev"
)
# What a build of the module does not read.
LEFT_OUT = ("tests/", "bench/", "debian/", "docs/", ".ci/", ".devcontainer/", "examples/compress/", "experiments/results/")
KEPT = ("docs/python.md",)
# Libraries that any system with Python has; the others are brought along.
SYSTEM = re.compile(r"(ld-linux.*|linux-vdso|libc|libdl|libgcc_s|libm|libpthread|librt|libstdc\+\+)\.so.*")
Settings = Optional[Dict[str, Any]]
# Of wheels: what a build in another minute has, too.
EPOCH = 315532800


def project() -> Dict[str, Any]:
    """The table [project] of pyproject.toml, its version that of CMake's project."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        table: Dict[str, Any] = tomllib.load(file)["project"]
    found = re.search(r"^project\(takt VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit("takt_build: found no version in CMakeLists.txt, expected project(takt VERSION ...)")
    return {**table, "version": found[1]}


def metadata() -> str:
    """The text of METADATA and PKG-INFO."""
    table = project()
    lines = ["Metadata-Version: 2.1", f"Name: {table['name']}", f"Version: {table['version']}"]
    lines += [f"Summary: {table['description']}", f"Author: {table['authors'][0]['name']}"]
    lines += [f"Keywords: {','.join(table['keywords'])}"]
    lines += [f"Classifier: {classifier}" for classifier in table["classifiers"]]
    lines += [f"Requires-Python: {table['requires-python']}"]
    lines += [f"Requires-Dist: {dependency}" for dependency in table["dependencies"]]
    for extra, dependencies in table["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"]
        lines += [f'Requires-Dist: {dependency} ; extra == "{extra}"' for dependency in dependencies]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / table["readme"]).read_text("utf-8")]
    return "\n".join(lines)


def tag() -> str:
    """Of the Python that runs this, such as cp311-cp311-linux_x86_64."""
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def name_and_version() -> str:
    table = project()
    return f"{table['name']}-{table['version']}"


def run(*command: str) -> None:
    """A program, whose output goes where pip's does."""
    print("+", *command, flush=True)
    ended = subprocess.run(command, cwd=ROOT, check=False)
    if ended.returncode != 0:
        raise SystemExit(f"takt_build: {command[0]} failed. It needs Debian 12's packages {PACKAGES}")


def most_jobs() -> int:
    """One for each core, as far as memory goes: 1.5 GiB each."""
    available = 0
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                available = int(line.split()[1])
    return max(1, min(len(os.sched_getaffinity(0)), available // (1536 * 1024)))


def built(settings: Settings) -> pathlib.Path:
    """The build tree, in which the module is made."""
    folder = ROOT / str((settings or {}).get("build-dir", "build/wheel"))
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            raise SystemExit(f"takt_build: found no {tool}. It needs Debian 12's packages {PACKAGES}")
    if not (folder / "CMakeCache.txt").exists():
        switches = {"TESTS": "OFF", "BENCHMARKS": "OFF", "PYTHON": "ON"}
        options = [f"-DTAKT_BUILD_{name}={value}" for name, value in switches.items()]
        run("cmake", "--preset", "release", "-B", str(folder), f"-DPython3_EXECUTABLE={sys.executable}", *options)
    if not (folder / "python").is_dir():
        raise SystemExit("takt_build: CMake found no pybind11, which the module needs: Debian's pybind11-dev, python3-dev")
    run("cmake", "--build", str(folder), "--parallel", str(most_jobs()), "--target", "takt_python")
    return folder


def files_of_package(folder: pathlib.Path) -> Iterator[Tuple[str, bytes]]:
    """The files of the package, as they are installed, by their names in a wheel."""
    with tempfile.TemporaryDirectory(prefix="takt-wheel-") as prefix:
        run("cmake", "--install", str(folder), "--component", "python", "--prefix", prefix)
        site = next(pathlib.Path(prefix).glob("lib/python3/dist-packages"))
        paths = sorted(path for path in site.rglob("*") if path.is_file())
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        modules = [path.name for path in paths if path.suffix == ".so"]
        if modules != [f"_core{suffix}"]:
            raise SystemExit(f"takt_build: {folder} has {modules}, of another Python, expected _core{suffix}")
        for path in paths:
            yield path.relative_to(site).as_posix(), path.read_bytes()


def files_of_libraries(module: bytes) -> Iterator[Tuple[str, bytes]]:
    """What the module is linked to and not every system has, with its copyright, by their names in a wheel."""
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(module)
        file.flush()
        listed = subprocess.run(["ldd", file.name], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (/\S+) \(", listed, re.MULTILINE):
        if SYSTEM.fullmatch(name):
            continue
        yield f"takt/_libs/{name}", pathlib.Path(path).read_bytes()
        for copyright_file in copyrights(path):
            licence = f"{name_and_version()}.dist-info/licenses/{copyright_file.parent.name}"
            yield licence, copyright_file.read_bytes()


def copyrights(library: str) -> List[pathlib.Path]:
    """Of the package of Debian's that has the library; none where that is not known."""
    if shutil.which("dpkg") is None:
        return []
    for path in (library, os.path.realpath(library), library.removeprefix("/usr")):
        owner = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False).stdout
        package = owner.partition(":")[0]
        found = pathlib.Path("/usr/share/doc") / package / "copyright"
        if package and found.is_file():
            return [found]
    return []


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    return []


def files_of_metadata() -> List[Tuple[str, bytes]]:
    wheel = f"Wheel-Version: 1.0\nGenerator: takt_build\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    folder = f"{name_and_version()}.dist-info"
    return [(f"{folder}/METADATA", metadata().encode()), (f"{folder}/WHEEL", wheel.encode())]


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    folder = pathlib.Path(metadata_directory) / f"{name_and_version()}.dist-info"
    folder.mkdir()
    for name, content in files_of_metadata():
        (folder.parent / name).write_bytes(content)
    return folder.name


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    folder = built(config_settings)
    package = list(files_of_package(folder))
    (module,) = (content for name, content in package if name.endswith(".so"))
    files = [*package, *files_of_libraries(module), *files_of_metadata()]
    record = f"{name_and_version()}.dist-info/RECORD"
    lines = []
    for name, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    files.append((record, "".join([*lines, f"{record},,\n"]).encode()))
    wheel = f"{name_and_version()}-{tag()}.whl"
    date = time.gmtime(max(EPOCH, int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))))[:6]
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name, date)
            info.external_attr = (0o755 if ".so" in name else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return wheel


def source_files() -> List[str]:
    """What the repository holds, or an archive of it, but for what a build does not read."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
        names = listed.stdout.rstrip("\0").split("\0")
    else:
        files = (path for path in ROOT.rglob("*") if path.is_file())
        names = [path.relative_to(ROOT).as_posix() for path in files]
    kept = (name for name in names if name in KEPT or not name.startswith((*LEFT_OUT, "build/")))
    return sorted(name for name in kept if (ROOT / name).is_file() and name != "PKG-INFO" and "__pycache__" not in name)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    archive = f"{name_and_version()}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / archive, "w:gz", format=tarfile.PAX_FORMAT) as file:
        for name in source_files():
            file.add(ROOT / name, f"{name_and_version()}/{name}")
        content = metadata().encode()
        info = tarfile.TarInfo(f"{name_and_version()}/PKG-INFO")
        info.size = len(content)
        file.addfile(info, io.BytesIO(content))
    return archive
