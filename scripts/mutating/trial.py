"""A fault and the tests that come by it, the nearest first, until one fails."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

MEMORY = 6 << 30
PATIENCE, IDLE = 20, 0.02  # so many times is it waited; less processor time than this in between is none


def bounded(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


def used(session):
    """The seconds of processor time that the processes of a session have had."""
    total = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[3]) == session:
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def ended(running, seconds):
    """The exit code, or nothing where it stands still: one that gets little of a busy machine is waited for."""
    before = 0
    for _ in range(PATIENCE):
        try:
            return running.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            now = used(running.pid)
            if abs(now - before) < IDLE:
                break
            before = now
    return None


def fails(program, cases, number, root):
    """Runs some tests of a program with a fault: what failed, or nothing."""
    usual = sum(c.time for c in cases)
    environment = dict(os.environ, POLYMEND_FAULTS="error", POLYMEND_MUTANT=str(number), GTEST_FAIL_FAST="1")
    words = [str(program), "--gtest_brief=1", "--gtest_filter=" + ":".join(c.name for c in cases)]
    with tempfile.TemporaryFile() as out:
        running = subprocess.Popen(words, cwd=root, env=environment, stdout=out, stderr=subprocess.STDOUT, preexec_fn=bounded(int(5 + 4 * usual)), start_new_session=True)
        code = ended(running, 20 + 12 * usual)
        try:
            os.killpg(running.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        running.wait()
        if code == 0:
            return None
        out.seek(0)
        told = out.read().decode(errors="replace")
    failed = re.search(r"\[  FAILED  \] ([^\s,]+)", told)
    if failed and code == 1:
        return failed[1]
    return f"{cases[0].name}{' …' if len(cases) > 1 else ''} ({'time' if code in (None, -signal.SIGXCPU, -signal.SIGKILL) else f'signal {-code}' if code < 0 else f'exit {code}'})"


def tried(site, number, batches, folder, root):
    """What becomes of a fault: a line of the results."""
    began, spent = time.monotonic(), 0
    line = {"id": site.id, "room": site.room, "kind": site.kind, "file": site.file, "line": site.line, "function": site.function, "text": site.text}
    killer = None
    for program, cases in batches:
        killer = fails(pathlib.Path(folder) / program, cases, number, root)
        spent += len(cases)
        if killer:
            break
    outcome = "killed" if killer else "survived" if batches else "unreached"
    return dict(line, outcome=outcome, by=f"{program}: {killer}" if killer else "", tests=spent, seconds=round(time.monotonic() - began, 1))
