"""What a submission can see, reach and leave behind: itself."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import autograded
from autograded.sandbox.client import Sandbox
from autograded.sandbox.program import Execution

from .conftest import LIMITS, ROOT, Run, answer, printed, program


def lines(execution: Execution, cell: int = 0) -> list[str]:
    assert execution.cells[cell].error is None, execution.cells[cell].error
    return printed(execution.cells[cell]).splitlines()


def test_nothing_of_the_course_is_visible(run: Run) -> None:
    names = ("graders", "solutions", "classroom", "course.yml", "exercises", "tests", ".git")
    places = [str(ROOT / name) for name in names]
    assert any(Path(place).exists() for place in places)
    found = lines(run(f"import os\nfor place in {places}: print(os.path.exists(place))"))
    assert found == ["False"] * len(places)


def test_the_file_system_is_an_allow_list(run: Run) -> None:
    allowed = ("/etc/alternatives", "/etc/fonts", "/etc/ld.so", "/etc/localtime", "/etc/timezone")
    prefixes = (sys.prefix, sys.base_prefix, str(Path(autograded.__file__).parent))
    walk = (
        "import os\n"
        "for name in sorted(os.listdir('/')): print('/', name)\n"
        "for top in os.listdir('/'):\n"
        "    if top in ('proc', 'usr', 'dev', 'tmp', 'nix', 'gnu') or os.path.islink('/' + top):\n"
        "        continue\n"
        "    for folder, inner, files in os.walk('/' + top):\n"
        f"        if folder.startswith({(*allowed, *prefixes)}): inner.clear(); continue\n"
        "        for name in files: print(os.path.join(folder, name))\n"
    )
    seen = lines(run(walk))
    top = {line[2:] for line in seen if line.startswith("/ ")}
    ours = {part.parts[1] for part in (Path(sys.prefix), Path(sys.base_prefix), ROOT)}
    system = {"bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "tmp", "usr"}
    assert top <= system | ours | {"scenarios", "nix", "gnu"}
    scenarios = ["/scenarios/0/squares/scenarios.py"]
    files = [line for line in seen if not line.startswith(("/ ", *allowed))]
    assert files == scenarios


def test_nothing_outside_the_temporary_folder_can_be_written(run: Run) -> None:
    package = Path(autograded.__file__).parent
    places = ["/", "/usr", "/etc", "/dev", "/proc/sys", "/scenarios", sys.prefix, str(package)]
    source = (
        "import os\n"
        f"for place in {places}:\n"
        "    try:\n"
        "        open(os.path.join(place, 'mark'), 'w').close()\n"
        "        print('written', place)\n"
        "    except OSError:\n"
        "        pass\n"
        "for name in ('core_pattern', 'pid_max', 'hostname'):\n"
        "    try:\n"
        "        open('/proc/sys/kernel/' + name, 'w').write('x')\n"
        "        print('written', name)\n"
        "    except OSError:\n"
        "        pass\n"
    )
    assert lines(run(source)) == []


def test_secrets_of_the_environment_are_not_passed_on(
    scenario_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = secrets.token_hex(8)
    monkeypatch.setenv("AUTOGRADED_SEED", secret)
    monkeypatch.setenv("GITHUB_TOKEN", secret)
    monkeypatch.setenv("CI", "true")
    source = (
        "import os, glob\n"
        "seen = str(dict(os.environ))\n"
        "for file in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline'):\n"
        "    try: seen += open(file).read()\n"
        "    except OSError: pass\n"
        f"print({secret!r} in seen, 'CI' in os.environ)"
    )
    with Sandbox("bubblewrap", limits=LIMITS) as sandbox, sandbox.open(program(source)) as session:
        assert lines(session.execution()) == ["False False"]


def test_only_its_own_processes_are_visible(run: Run) -> None:
    source = (
        "import os\n"
        "seen = sorted(int(n) for n in os.listdir('/proc') if n.isdigit())\n"
        "print(seen, os.getpid(), os.getppid())"
    )
    assert lines(run(source)) == ["[1] 1 0"]


def test_killing_everything_kills_only_itself(confined: Sandbox) -> None:
    source = (
        "import os, signal\n"
        "for pid in [-1, os.getppid(), *range(2, 3000)]:\n"
        "    try: os.kill(pid, signal.SIGKILL)\n"
        "    except OSError: pass\n"
        "print('done')"
    )
    with confined.open(program("def f():\n    return 1")) as neighbour:
        with confined.open(program(source)) as session:
            session.execution()
        assert neighbour.call("f", (), {}).value == 1
    assert answer(confined, "def f():\n    return 1").value == 1


def test_it_has_no_network(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        source = (
            "import socket\n"
            f"for address in (('127.0.0.1', {port}), ('192.0.2.1', 80), ('::1', {port})):\n"
            "    try:\n"
            "        socket.create_connection(address, timeout=0.3)\n"
            "        print('connected')\n"
            "    except OSError: pass\n"
            "try:\n    print(socket.getaddrinfo('example.org', 80))\n"
            "except OSError: pass\n"
            "import os\n"
            "print(os.listdir('/sys/class/net') if os.path.exists('/sys') else 'no /sys')\n"
            "print([line.split(':')[0].strip() for line in open('/proc/net/dev')][2:])"
        )
        assert lines(run(source)) == ["no /sys", "['lo']"]


def test_it_inherits_no_descriptor_but_its_socket(run: Run) -> None:
    source = (
        "import os\n"
        "for fd in sorted(map(int, os.listdir('/proc/self/fd'))):\n"
        "    try: print(fd, os.readlink(f'/proc/self/fd/{fd}').split(':')[0])\n"
        "    except OSError: pass"
    )
    assert lines(run(source)) == ["0 /dev/null", "1 /dev/null", "2 /dev/null", "3 socket"]


def test_it_has_no_power_to_regain(run: Run) -> None:
    source = (
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "sets = ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb')\n"
        "print([status[name].strip('\\t\\n0') for name in sets])\n"
        "print(status['NoNewPrivs'].strip(), status['Seccomp'].strip())\n"
        "print([libc.unshare(flag) for flag in (0x10000000, 0x00020000, 0x20000000)])\n"
        "print(libc.mount(b'tmpfs', b'/tmp', b'tmpfs', 0, None), libc.umount2(b'/tmp', 2))\n"
        "print(libc.ptrace(0, 0, 0, 0), libc.syscall(250, 0, 0, 0), libc.chroot(b'/tmp'))\n"
        "child = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)\n"  # clone(CLONE_NEWUSER)
        "print(child)\n"
    )
    assert lines(run(source)) == [
        "['', '', '', '', '']",
        "1 2",
        "[-1, -1, -1]",
        "-1 -1",
        "-1 -1 -1",
        "-1",
    ]


def test_it_is_nobody_towards_files(run: Run) -> None:
    uid = int(lines(run("import os\nprint(os.getuid())"))[0])
    assert uid != 0
    assert uid == (os.getuid() or 65_533)


def test_no_frame_or_object_holds_anything_of_a_grader(run: Run) -> None:
    source = (
        "import gc, sys\n"
        "print([name for name in sys.modules if name.startswith('autograded.grading')])\n"
        "print([name for name in sys.modules if 'grader' in name or 'solution' in name])\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('pytest', '_pytest')])\n"
        "print(any('expected' in f.f_locals for f in [sys._getframe()]))"
    )
    assert lines(run(source)) == ["[]", "[]", "[]", "False"]


@pytest.mark.parametrize(
    "leave",
    [
        "open('/tmp/mark', 'w').close()",
        "open('mark', 'w').close()",
        "open('/dev/shm/mark', 'w').close()",
        "from multiprocessing.shared_memory import SharedMemory\n"
        "m = SharedMemory('mark', create=True, size=64)",
        "import ctypes\nctypes.CDLL(None).shmget(1234, 4096, 0o1666)\n"
        "ctypes.CDLL(None).semget(1234, 1, 0o1666)\nctypes.CDLL(None).msgget(1234, 0o1666)",
        "import ctypes\nctypes.CDLL(None).syscall(248, b'user', b'mark', b'x', 1, -3)",
        "import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0mark')\ns.listen()",
        "import torch\ntorch.mark = True\nimport autograded\nautograded.mark = True",
    ],
    ids=["tmp", "folder", "shm", "shared memory", "System V", "keyring", "abstract", "modules"],
)
def test_nothing_is_left_for_the_next(run: Run, confined: Sandbox, leave: str) -> None:
    look = (
        "import os, ctypes, socket, torch, autograded\n"
        "print([p for p in ('/tmp/mark', 'mark', '/dev/shm/mark', '/dev/shm/psm_mark')"
        " if os.path.exists(p)], os.listdir('/dev/shm'))\n"
        "libc = ctypes.CDLL(None)\n"
        "print(libc.shmget(1234, 0, 0), libc.semget(1234, 0, 0), libc.msgget(1234, 0))\n"
        "print(libc.syscall(249, b'user', b'mark', None, -3))\n"
        "print(socket.socket(socket.AF_UNIX).connect_ex('\\0mark') != 0)\n"
        "print(hasattr(torch, 'mark'), hasattr(autograded, 'mark'))\n"
    )
    clean = ["[] []", "-1 -1 -1", "-1", "True", "False False"]
    with confined.open(program(leave)) as beside:
        beside.execution()
        assert lines(run(look)) == clean
    assert lines(run(look)) == clean


def marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if mark in " ".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            pass
    return found


HIDING = """
import os, signal, subprocess, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "MARK"])
        time.sleep(60)
    os._exit(0)
time.sleep(0.3)
subprocess.Popen(["sleep", "MARK"], start_new_session=True)
"""


@pytest.mark.parametrize("how", ["close", "exit", "kill"])
def test_everything_it_started_ends_with_it(sandbox: Sandbox, how: str) -> None:
    mark = f"6{secrets.randbelow(10**9):09}"
    endings = {"close": "", "exit": "os._exit(0)", "kill": "os.kill(os.getpid(), 9)\nos.abort()"}
    with sandbox.open(program(HIDING.replace("MARK", mark), endings[how])) as session:
        session.execution()
        if how == "close":
            assert len(marked(mark)) == 2
    assert marked(mark) == []


@pytest.mark.parametrize("level", ["bubblewrap", "off"])
def test_everything_ends_with_the_trusted_process(level: str) -> None:
    mark = f"6{secrets.randbelow(10**9):09}"
    script = (
        "import os, sys, time\n"
        "from autograded.sandbox.client import Sandbox\n"
        "from autograded.sandbox.program import CodeCell, Program\n"
        f"sandbox = Sandbox({level!r})\n"
        f"source = {HIDING.replace('MARK', mark)!r} + 'time.sleep(9)'\n"
        "session = sandbox.open(Program((CodeCell(source, 'c'),), 'x'))\n"
        "time.sleep(2)\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert marked(mark)
        process.kill()
    deadline = time.monotonic() + 10
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert marked(mark) == []


FORGERY = """
import gc, socket, struct, json, threading, time
from autograded.sandbox import wire
ours = socket.socket(fileno=3)
def forged(token):
    value = {"$": "dict", "v": {"value": 42, "autograd_runs": 0}}
    return {"token": token, "reply": value}
"""


@pytest.mark.parametrize(
    "source",
    [
        FORGERY + "wire.send(ours, forged('x' * 32), {})\ndef f():\n    return 1",
        FORGERY + "def f():\n    wire.send(ours, forged('x' * 32), {})\n    return 1",
        FORGERY + "def f():\n    ours.sendall(b'\\xff' * 64)\n    return 1",
        FORGERY + "def f():\n    ours.sendall(struct.pack('<Q', 2**62))\n    return 1",
        FORGERY + "def f():\n    ours.sendall(struct.pack('<Q', 8) + bytes(8))\n    return 1",
        FORGERY
        + "def f():\n"
        + "    head = ('[' * 10**6).encode()\n"
        + "    ours.sendall(struct.pack('<QQ', len(head) + 8, len(head)) + head)\n    return 1",
    ],
    ids=["before", "unasked", "noise", "oversized", "empty", "nested"],
)
def test_forged_messages_are_never_an_answer(confined: Sandbox, source: str) -> None:
    with confined.open(program(source)) as session:
        first, second = session.call("f", (), {}), session.call("f", (), {})
    for reply in (first, second):
        assert reply.value is None
        assert reply.error is not None
        assert reply.error.kind in ("malformed", "died")


def test_an_answer_kept_for_the_next_question_is_none(confined: Sandbox) -> None:
    source = (
        "import threading, time\n" + FORGERY + "def late():\n"
        "    time.sleep(0.3)\n    wire.send(ours, forged('x' * 32), {})\n"
        "def f():\n    threading.Thread(target=late).start()\n    return 1\n"
        "def g():\n    time.sleep(0.6)\n    return 2"
    )
    with confined.open(program(source)) as session:
        assert session.call("f", (), {}).value == 1
        error = session.call("g", (), {}).error
    assert error is not None
    assert error.kind == "malformed"


def test_a_reply_that_never_ends_costs_its_limit(confined: Sandbox) -> None:
    source = (
        FORGERY + "def f():\n    ours.sendall(struct.pack('<Q', 10**6))\n"
        "    while True:\n        ours.sendall(b'x')\n        time.sleep(0.01)"
    )
    start = time.monotonic()
    with confined.open(program(source)) as session:
        session.execution()
        assert session.call("f", (), {}).error is not None
    assert time.monotonic() - start < LIMITS.call_seconds + 2
