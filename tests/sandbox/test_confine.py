"""Confinement in real processes: what each layer refuses, and that a missing one is named and leaves the others standing."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from worldwright.sandbox.confine import LAYERS, layers_here
from worldwright.sandbox.seccomp import compiled

FILE = Path(__file__).parents[2] / "src" / "worldwright" / "sandbox" / "confine.py"
LOAD = f"""
import ctypes, errno, importlib.util, json, os, resource, signal, socket, subprocess, sys, time
spec = importlib.util.spec_from_file_location("confine", {str(FILE)!r})
confine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(confine)
def tried(step):
    try:
        got = step()
    except OSError as fault:
        return errno.errorcode.get(fault.errno, str(fault))
    return "done" if got is None or not isinstance(got, int) or got >= 0 else errno.errorcode[ctypes.get_errno()]
libc = ctypes.CDLL(None, use_errno=True)
def write(path):
    with open(path, "w") as file:
        file.write("x")
def say(value): print(json.dumps(value), flush=True)
"""


def confined(tmp_path: Path, code: str, limits: str = "{}", before: str = "", **more: Any) -> Any:
    """What the code says, after confinement to a folder `scratch`; `layers` is there."""
    (tmp_path / "scratch").mkdir(exist_ok=True)
    kept = [sys.prefix, sys.base_prefix, str(FILE.parent), str(tmp_path / "kept")]
    start = f"scratch, kept = {str(tmp_path / 'scratch')!r}, {kept!r}\n{before}\nlayers = confine.confine([scratch], kept, {limits})\n"
    done = subprocess.run([sys.executable, "-c", LOAD + start + code], capture_output=True, text=True, timeout=60, check=False, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return layers_here()


def needs(here: dict[str, str], *names: str) -> None:
    missing = [f"{name}: {here[name]}" for name in names if here[name]]
    if missing:
        pytest.skip(f"not on this machine: {missing}")


def test_every_layer_is_named(here):
    assert tuple(here) == LAYERS
    assert here["rlimits"] == ""


def test_writes_stay_in_scratch(tmp_path, here):
    needs(here, "landlock")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a").write_text("mine", encoding="utf-8")
    code = """
paths = [f"{scratch}/a", kept[-1] + "/new", kept[-1] + "/a", "/etc/new", "/new", os.path.expanduser("~/new")]
say([[tried(lambda: write(path)) for path in paths], tried(lambda: os.unlink(kept[-1] + "/a")), tried(lambda: os.rename(kept[-1] + "/a", scratch + "/b")),
    open(kept[-1] + "/a").read(), tried(lambda: write("/dev/null")), tried(lambda: write("/tmp/new"))])
"""
    writes, deleted, moved, text, nothing, temporary = confined(tmp_path, code)
    assert writes[0] == "done"
    assert set(writes[1:]) <= {"EROFS", "EACCES", "EPERM", "ENOENT"}
    assert {deleted, moved} <= {"EROFS", "EACCES", "EPERM", "EXDEV"}
    assert (text, nothing) == ("mine", "done")
    assert (temporary == "done") == (not here["tmp"])
    assert not os.path.exists("/tmp/new")
    if not here["scratch"]:
        assert list((tmp_path / "scratch").iterdir()) == []


def test_homes_show_only_what_is_needed(tmp_path, here):
    needs(here, "hidden", "proc")
    code = """
import pwd
homes = {os.path.expanduser("~"), pwd.getpwuid(os.getuid()).pw_dir} - {"/"}
say([[name for home in homes if os.path.isdir(home) for name in os.listdir(home)], len([name for name in os.listdir("/proc") if name.isdigit()]),
    sorted(os.listdir("/dev")), os.listdir("/run") if os.path.isdir("/run") else []])
"""
    names, processes, devices, run = confined(tmp_path, code)
    assert not {".ssh", ".bashrc", ".profile", ".config", ".cache"} & set(names)
    assert processes == 1
    assert set(devices) <= {"fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero"}
    assert run == []


def test_nobody_is_reached_but_within(tmp_path, here):
    needs(here, "seccomp")
    code = """
def reach(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(5)
        one.connect(address)
def within():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as one:
        one.sendall(b"x")
say([tried(lambda: reach(socket.AF_INET, ("127.0.0.1", port))), tried(lambda: reach(socket.AF_INET, ("192.0.2.1", 80))),
    tried(lambda: socket.socket(40, socket.SOCK_STREAM)), tried(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    tried(within), tried(lambda: [one.close() for one in socket.socketpair()])])
"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        own, other, vm, raw, within, pair = confined(tmp_path, code, before=f"port = {server.getsockname()[1]}")
    assert "done" not in (own, other, vm, raw)
    assert within == ("done" if not here["net"] else "EPERM")
    assert pair == "done"


def test_the_kernel_is_not_asked_for_what_nothing_needs(tmp_path, here):
    needs(here, "seccomp", "no_new_privs", "capabilities")
    code = """
numbers = {"x86_64": (321, 250, 425, 298, 310, 323, 435, 272), "aarch64": (280, 219, 425, 241, 270, 282, 435, 97)}[os.uname().machine]
said = [tried(lambda: libc.ptrace(16, os.getpid(), 0, 0)), tried(lambda: libc.mount(b"none", scratch.encode(), b"tmpfs", 0, None)),
    tried(lambda: libc.umount2(b"/tmp", 2)), tried(lambda: libc.unshare(0x10000000)), tried(lambda: libc.chroot(b"/")), tried(lambda: libc.sethostname(b"x", 1))]
said += [tried(lambda: libc.syscall(number, 0, 0, 0, 0, 0)) for number in numbers[:-2]]
status = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
say([said, tried(lambda: libc.syscall(numbers[-2], 0, 0)), tried(lambda: libc.syscall(numbers[-1], 0)), [int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd")],
    status["NoNewPrivs"], status["Seccomp"], subprocess.run(["true"]).returncode])
"""
    refused, clone3, harmless, capabilities, privileges, filtered, started = confined(tmp_path, code)
    assert set(refused) == {"EPERM"}
    assert (clone3, harmless, started) == ("ENOSYS", "done", 0)
    assert (capabilities, privileges, filtered) == ([0, 0, 0], "1", "2")


def test_limits_hold(tmp_path):
    code = """
def big(): write_big(300 << 10)
def write_big(size):
    with open(f"{scratch}/big", "wb") as file: file.write(bytes(size))
def hold():
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
def raised():
    try: resource.setrlimit(resource.RLIMIT_NOFILE, (4000, 4000))
    except ValueError: raise OSError(1, "no")
try: bytearray(3 << 30); memory = "done"
except MemoryError: memory = "refused"
say([tried(big), tried(lambda: write_big(100)), tried(hold), tried(raised), memory])
"""
    limits = "{'file_size': 100 << 10, 'open_files': 60, 'address_space': 1 << 30}"
    assert confined(tmp_path, code, limits) == ["EFBIG", "done", "EMFILE", "EPERM", "refused"]


def test_processes_outside_are_out_of_reach(tmp_path, here):
    needs(here, "pid")
    code = "say([tried(lambda: os.kill(outside, 9)), tried(lambda: os.kill(1, 9)), os.getpid(), os.getppid()])"
    with subprocess.Popen(["sleep", "60"]) as outside:
        assert confined(tmp_path, code, before=f"outside = {outside.pid}") == ["ESRCH", "done", 1, 0]
        assert outside.poll() is None
        outside.kill()


def test_letting_go_of_the_leash_ends_everything(tmp_path, here):
    needs(here, "pid")
    (tmp_path / "scratch").mkdir()
    ours, theirs = socket.socketpair()
    code = (
        LOAD
        + f"confine.confine([{str(tmp_path / 'scratch')!r}], {[sys.prefix, sys.base_prefix]!r}, {{}}, 0)\nprint('ready', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=theirs.fileno(), stdout=subprocess.PIPE) as process:
        theirs.close()
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        ours.close()
        assert process.wait(30) == 128 + signal.SIGKILL


def test_without_namespaces_the_rest_still_stands(tmp_path, here):
    """Within one confinement another can have no namespaces: what it says, and what still holds."""
    needs(here, "seccomp", "landlock")
    before = (
        "confine.confine([scratch], kept, {}); os.makedirs(scratch + '/inner', exist_ok=True); whole, scratch = scratch, scratch + '/inner'"
    )
    code = """
say([layers, tried(lambda: write(scratch + "/a")), tried(lambda: write(whole + "/b")), tried(lambda: write("/tmp/c")), tried(lambda: socket.socket(socket.AF_INET)),
    tried(lambda: socket.socket(socket.AF_UNIX)), tried(lambda: [one.close() for one in socket.socketpair()])])
"""
    layers, inner, outer, temporary, internet, unix, pair = confined(tmp_path, code, before=before)
    assert all(
        layers[name] for name in ("user", "mount", "pid", "net", "ipc", "uts", "scratch", "tmp", "hidden", "proc", "read_only", "devices")
    )
    assert not any(layers[name] for name in ("rlimits", "capabilities", "no_new_privs", "landlock", "seccomp"))
    assert layers["tmp"] == "there is no mount namespace"
    assert inner == "done"
    assert {outer, temporary} <= {"EACCES", "EPERM", "EROFS"}
    assert (internet, unix, pair) == ("EPERM", "EPERM", "done")


def test_a_path_that_is_needed_is_not_hidden_and_that_is_said(tmp_path, here):
    needs(here, "mount")
    before = "kept.append(os.path.expanduser('~')); kept.append('/tmp')"
    code = "say([layers, tried(lambda: write('/tmp/worldwright-y')), tried(lambda: write(scratch + '/a')), os.path.isdir(os.path.expanduser('~'))])"
    home = tmp_path / "home"
    home.mkdir()
    layers, temporary, own, there = confined(tmp_path, code, before=before, env={**os.environ, "HOME": str(home)})
    assert "/tmp is needed to read /tmp" in layers["tmp"]
    assert "is needed to read" in layers["hidden"]
    assert (own, there) == ("done", True)
    assert temporary != "done"
    assert not os.path.exists("/tmp/worldwright-y")


def test_mounts_can_be_made_read_only_one_by_one(tmp_path, here):
    needs(here, "mount")
    program = f"""{LOAD}
confine._load_neighbours()
confine.namespaces.enter()
confine.mounts._mount("none", "/", "", confine.mounts._RECURSIVE | confine.mounts._PRIVATE)
confine.mounts.remount_read_only()
say([tried(lambda: write({str(tmp_path / "x")!r})), tried(lambda: write("/dev/shm/worldwright-x"))])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == ["EROFS", "EROFS"]


@pytest.mark.parametrize("machine, mark", [("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)])
def test_the_filter_is_well_formed_for_each_architecture(machine, mark):
    """Every jump lands within, every path ends in a verdict, and verdicts are what they should be."""
    steps = [struct.unpack_from("=HBBI", compiled([2], machine), at) for at in range(0, len(compiled([2], machine)), 8)]
    assert len(steps) < 4096
    for at, (operation, yes, no, _) in enumerate(steps):
        if operation & 7 == 5:
            assert max(at + 1 + yes, at + 1 + no) < len(steps)
    assert steps[-1][0] == 6

    def verdict(number: int, arguments: tuple[int, ...] = (), architecture: int = mark) -> int:
        data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
        at = held = 0
        while True:
            operation, yes, no, operand = steps[at]
            at += 1
            if operation == 0x20:
                (held,) = struct.unpack_from("=I", data, operand)
            elif operation == 0x06:
                return operand
            else:
                taken = {0x15: held == operand, 0x35: held >= operand, 0x45: bool(held & operand)}[operation]
                at += yes if taken else no

    allow, refuse, unknown = 0x7FFF0000, 0x00050001, 0x00050026
    column = 0 if machine == "x86_64" else 1
    assert verdict((0, 63)[column]) == allow  # read
    assert verdict((101, 117)[column]) == refuse  # ptrace
    assert verdict((0, 63)[column], architecture=0x40000003) == refuse
    assert verdict(435) == unknown
    clone, sockets, control = (56, 220)[column], (41, 198)[column], (16, 29)[column]
    assert (verdict(clone, (0x11,)), verdict(clone, (0x10000011,))) == (allow, refuse)
    assert [verdict(sockets, (family,)) for family in (1, 2, 10, 40)] == [refuse, allow, refuse, refuse]
    assert (verdict(control, (0, 0x5401)), verdict(control, (0, 0x5412))) == (allow, refuse)
    if machine == "x86_64":
        assert verdict(0x40000000 | 41, (2,)) == refuse


def test_other_architectures_are_refused_by_name():
    with pytest.raises(OSError, match="m68k are not listed"):
        compiled([], "m68k")


def test_what_can_not_confine_itself_says_so():
    with pytest.raises(OSError, match="could not confine itself"):
        layers_here("/bin/false")
