"""Machines of one's own on this one: network, mount, host name and clock for each, which share no folder for temporary
files. `Hosts` makes them, and they are gone with it, whatever becomes of the process that made them."""
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

SKIPPED = 77
HOLDER = "import signal; signal.pause()"


def missing():
    """What this machine lacks or does not permit, in words; empty where nothing is."""
    for program in ("ip", "unshare", "nsenter", "mpirun"):
        if shutil.which(program) is None:
            return f"there is no {program}"
    tried = subprocess.run(["unshare", "--net", "--mount", "--uts", "--time", "--monotonic", "1", "--fork", "sh", "-c",
                            "mount -t tmpfs none /tmp && ip link add bridge0 type bridge"],
                           capture_output=True, text=True, check=False)
    return f"machines cannot be made here: {tried.stderr.strip()}" if tried.returncode else ""


def words_of_process(pid):
    """A line: its number, parent, state, what each of its threads waits for, and its command."""
    entry = pathlib.Path(f"/proc/{pid}")
    try:
        status = dict(line.split(":\t", 1) for line in (entry / "status").read_text().splitlines())
        waits = [thread.joinpath("wchan").read_text() for thread in (entry / "task").iterdir()]
        command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return f"\n  {pid}, parent {status['PPid']}, {status['State']}, waits {waits}: {command[:300]}"
    except OSError:
        return f"\n  {pid}, gone meanwhile"


class Hosts:
    """`count` machines, named host0, host1, ...; the first is where launchers are started. The clock of host k is
    `ahead` * k seconds ahead."""

    def __init__(self, folder, count, ahead=1000):
        self.folder = pathlib.Path(folder)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir(parents=True)
        self.names = [f"host{k}" for k in range(count)]
        self.holders = []
        self.shells = []
        try:
            for k, name in enumerate(self.names):
                self._make(k, name, ahead * k)
            self._connect()
        except BaseException:
            self.remove()
            raise
        agent = self.folder / "agent"
        cases = "\n".join(f"  {name}) holder={pid};;" for name, pid in zip(self.names, self.holders))
        agent.write_text(f"#!/bin/sh\n# What mpirun uses in place of ssh.\nhost=$1\nshift\ncase $host in\n{cases}\n"
                         "  *) echo no such host: $host >&2; exit 1;;\nesac\n"
                         f"exec nsenter -t $holder -n -m -u -T env TMPDIR={shlex.quote(str(self.temporary))} "
                         "sh -c \"$*\"\n")
        agent.chmod(0o755)
        self.agent = agent

    def _make(self, k, name, ahead):
        # --kill-child, and a holder whose parent is unshare: where this process dies, they end.
        shell = subprocess.Popen(["unshare", "--net", "--mount", "--uts", "--time", "--monotonic", str(ahead), "--fork",
                                  "--kill-child", sys.executable, "-c", HOLDER], preexec_fn=self._die_with_parent)
        self.shells.append(shell)
        children = pathlib.Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
        end = time.monotonic() + 10
        holder = ""
        while not holder or pathlib.Path(f"/proc/{holder}/ns/net").stat().st_ino == pathlib.Path(
                "/proc/self/ns/net").stat().st_ino:
            if time.monotonic() > end:
                raise RuntimeError(f"{name} was not made")
            time.sleep(0.01)
            holder = children.read_text().strip()
        self.holders.append(int(holder))
        lines = [f"hostname {name}", f"mount -t tmpfs none {shlex.quote(str(self.temporary))}",
                 "mount -t tmpfs none /dev/shm", "ip link set lo up"]
        self.on(k, "sh", "-e", "-c", "\n".join(lines), check=True)

    @staticmethod
    def _die_with_parent():
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    def _connect(self):
        self.on(0, "sh", "-e", "-c", "ip link add bridge0 type bridge; ip addr add 10.77.0.1/24 dev bridge0; "
                "ip link set bridge0 up", check=True)
        for k in range(1, len(self.names)):
            self.on(0, "sh", "-e", "-c", f"ip link add to{k} type veth peer name eth0 netns {self.holders[k]}; "
                    f"ip link set to{k} master bridge0 up", check=True)
            self.on(k, "sh", "-e", "-c", f"ip addr add 10.77.0.{k + 1}/24 dev eth0; ip link set eth0 up", check=True)

    def words(self, k):
        """The words before a command that have it run on a machine."""
        return ["nsenter", "-t", str(self.holders[k]), "-n", "-m", "-u", "-T", "env", "-C", os.getcwd(),
                f"TMPDIR={self.temporary}"]

    def on(self, k, *words, **options):
        """Runs a command there; as subprocess.run."""
        return subprocess.run([*self.words(k), *map(str, words)], **options)

    def launcher(self, slots, more=""):
        """What takt is to start jobs with: this many ranks on each machine."""
        hosts = ",".join(f"{name}:{n}" for name, n in zip(self.names, slots))
        return (f"mpirun --oversubscribe --bind-to none --host {hosts} --mca plm_rsh_agent {self.agent} "
                f"--mca orte_keep_fqdn_hostnames 1 {more}").strip()

    def processes(self, k):
        """All processes there but those that hold the machine."""
        namespace = os.stat(f"/proc/{self.holders[k]}/ns/net").st_ino
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.stat(entry / "ns/net").st_ino == namespace:
                    found.append(int(entry.name))
            except OSError:
                continue
        return [pid for pid in found if pid not in (self.holders[k], self.shells[k].pid)]

    def remove(self):
        for shell in self.shells:
            shell.kill()
            shell.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()
