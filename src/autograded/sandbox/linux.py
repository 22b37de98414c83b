"""The few Linux system calls that confine a fork, by way of libc."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import re
import resource
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

from autograded.sandbox.limits import Limits

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP = 1, 4, 22, 24
_PR_SET_NO_NEW_PRIVS, _PR_SET_CHILD_SUBREAPER, _PR_CAP_AMBIENT = 38, 36, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_LAST_CAPABILITY = 63

_MADV_COLLAPSE = 25
_HUGE_PAGE = 2 * 2**20

TRIED = 7
"""The exit status of a trial that succeeded."""

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Give this process (its children, for a pid namespace) namespaces of its own."""
    _checked(_libc.unshare(flags), "unshare")


def enter(namespace: int, kind: int) -> None:
    """Enter the namespace of an open `/proc/<pid>/ns/…` file."""
    _checked(_libc.setns(namespace, kind), "setns")


def _mount(kind: str, target: str, flags: int, data: str = "") -> None:
    result = _libc.mount(
        kind.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode() or None
    )
    _checked(result, f"mount {kind} on {target}")


def _bind(descriptor: int, place: Path) -> None:
    """Show an open file or folder at a place that is made for it, as read-only as it was."""
    source = Path(f"/proc/self/fd/{descriptor}")
    if source.is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    flags = ctypes.c_ulong(_MS_BIND | _MS_REC)
    result = _libc.mount(os.fsencode(source), os.fsencode(place), None, flags, None)
    _checked(result, f"bind {place}")


def _prctl(option: int, *arguments: int) -> int:
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return int(_libc.prctl(option, *(ctypes.c_ulong(argument) for argument in padded)))


def adopt_orphans() -> None:
    """Become the parent of descendants whose parent has ended."""
    _checked(_prctl(_PR_SET_CHILD_SUBREAPER, 1), "PR_SET_CHILD_SUBREAPER")


def die_with_parent(signal: int) -> None:
    """Have `signal` sent to this process when the thread that started it ends."""
    _checked(_prctl(_PR_SET_PDEATHSIG, signal), "PR_SET_PDEATHSIG")


def isolate(limits: Limits, uid: int, below_tmp: Sequence[str] = ()) -> None:
    """Confine this process, pid 1 of a new pid namespace, for good.

    It gets namespaces of its own, private temporary folders and a `/proc` that shows only its own
    processes, becomes `uid` in a user namespace that can have no children, and gives up every
    capability. Called with the capabilities of the surrounding user namespace. `below_tmp` are
    files and folders in the old `/tmp` that stay visible.
    """
    unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
    _libc.mount(None, b"/", None, ctypes.c_ulong(_MS_REC | _MS_PRIVATE), None)
    size = f"size={limits.disk_bytes},nr_inodes=20000,mode=1777"
    kept = [(place, os.open(place, os.O_PATH)) for place in below_tmp]
    _mount("tmpfs", "/tmp", _MS_NOSUID | _MS_NODEV, size)
    for place, descriptor in kept:
        _bind(descriptor, Path(place))
        os.close(descriptor)
    _mount("tmpfs", "/dev/shm", _MS_NOSUID | _MS_NODEV, size)
    _mount("proc", "/proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    # Per namespace since Linux 6.14; before that it is shared, and refused here.
    _try_write("/proc/sys/kernel/pid_max", str(max(limits.processes, 301)))
    _libc.sethostname(b"sandbox", 7)
    if uid != os.getuid():
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        _prctl(_PR_SET_DUMPABLE, 1)  # else /proc/self belongs to root
    gid = os.getgid()
    unshare(CLONE_NEWUSER)
    _try_write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")
    _write("/proc/sys/user/max_user_namespaces", "0")
    _drop_capabilities()


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _try_write(path: str, text: str) -> None:
    with contextlib.suppress(OSError):
        _write(path, text)


def _drop_capabilities() -> None:
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(_LAST_CAPABILITY + 1):
        if _prctl(_PR_CAPBSET_DROP, capability) != 0:
            break
    version_3 = struct.pack("=Ii", 0x20080522, 0)
    _checked(_libc.capset(version_3, bytes(24)), "capset")
    _checked(_prctl(_PR_SET_NO_NEW_PRIVS, 1), "PR_SET_NO_NEW_PRIVS")


def limit_resources(limits: Limits, address_space: int) -> None:
    """Set the resource limits of this process; `address_space` is what it has mapped already.

    Limits that are lower already stay.
    """
    for kind, value in (
        (resource.RLIMIT_AS, address_space + limits.memory_bytes),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 2**20),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        _lower(kind, value)
    _try_write("/proc/self/oom_score_adj", "1000")


def limit_processes(limits: Limits) -> None:
    """Limit processes and threads; before Linux 5.14 all of the user's would be counted."""
    version = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
    if version >= (5, 14):
        _lower(resource.RLIMIT_NPROC, limits.processes)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def mapped_bytes() -> int:
    """Return the size of this process's address space."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def gather_pages() -> None:
    """Have the kernel gather this process's own memory in pages of 2 MiB, where it can.

    Forking a process, and ending the fork, takes time for each page it holds: with torch loaded,
    some sixty thousand small ones. From Linux 6.1; elsewhere this changes nothing.
    """
    for line in Path("/proc/self/maps").read_text().splitlines():
        where, access, _offset, _device, _inode, *place = line.split()
        start, end = (int(address, 16) for address in where.split("-"))
        own = access.startswith("rw") and place in ([], ["[heap]"])
        if own and end - start >= _HUGE_PAGE:
            _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_COLLAPSE)


def own_bytes(pid: int | str) -> int:
    """Return the resident memory of a process that is not a file's; 0 when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in status.splitlines())
    kibibytes = [fields.get(name, "0 kB").split()[0] for name in ("RssAnon", "RssShmem")]
    return 1_024 * sum(map(int, kibibytes))


# System calls that no exercise needs and that reach far into the kernel, or reach what outlives a
# fork (keyrings, shared memory). (x86-64, arm64)
_REFUSED = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_EPERM = 1


def _filter(machine: str) -> bytes | None:
    """Assemble the seccomp program that answers EPERM to the refused system calls."""
    if machine not in _ARCHITECTURES:
        return None
    column, architecture = _ARCHITECTURES[machine]
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | _EPERM
    numbers = sorted(pair[column] for pair in _REFUSED.values())
    # Jumps count instructions to skip. The last two are "allow" and "refuse".
    program = [(load, 0, 0, 4), (equal, 0, len(numbers) + 3, architecture), (load, 0, 0, 0)]
    x32_calls = 0x40000000
    program.append((at_least, len(numbers) + 1, 0, x32_calls))
    for index, number in enumerate(numbers):
        program.append((equal, len(numbers) - index, 0, number))
    program += [(answer, 0, 0, allow), (answer, 0, 0, refuse)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def refuse_system_calls() -> bool:
    """Refuse system calls nobody needs here; return False on a machine we have no list for."""
    program = _filter(platform.machine())
    if program is None:
        return False
    instructions = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        """struct sock_fprog."""

        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    described = Program(len(program) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    _checked(_prctl(_PR_SET_NO_NEW_PRIVS, 1), "PR_SET_NO_NEW_PRIVS")
    filter_mode = 2
    result = _libc.prctl(
        _PR_SET_SECCOMP, ctypes.c_ulong(filter_mode), ctypes.byref(described), 0, 0
    )
    _checked(result, "PR_SET_SECCOMP")
    return True


def main(uid: int) -> None:
    """Confine a fork as the warm process does; end with `TRIED` when that works."""
    unshare(CLONE_NEWPID)
    pid = os.fork()
    if pid == 0:
        try:
            isolate(Limits(), uid)
            refuse_system_calls()
        except OSError as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(TRIED)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
