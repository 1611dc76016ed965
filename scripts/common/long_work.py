"""What long work shares: it ends cleanly on a signal, tells how far it is, and goes on from lines that it left."""
import json
import os
import signal
import subprocess
import sys
import tempfile


class Stopped(BaseException):
    """A signal asked for the end; programs that were started are ended on the way out, by run() with their children."""

    def __init__(self, number):
        super().__init__(signal.Signals(number).name)
        self.number = number


def stop(number, _frame):
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    raise Stopped(number)


def until_stopped(work, again):
    """The exit status of `work()`; stopped by a signal it is 128 and its number, and `again` says how to go on."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        return work()
    except Stopped as stopped:
        print(f"\nstopped by {stopped}; {again}", file=sys.stderr, flush=True)
        return 128 + stopped.number


def run(words, timeout=None, env=None, **more):
    """As subprocess.run with captured text; whatever ends it early ends all that the program started, as a compiler's driver does, and its temporary files."""
    with tempfile.TemporaryDirectory(prefix="polymend-") as folder:
        told = dict(os.environ if env is None else env, TMPDIR=folder)
        started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=told, start_new_session=True, **more)
        try:
            out, errors = started.communicate(timeout=timeout)
        except BaseException:
            os.killpg(started.pid, signal.SIGKILL)
            started.communicate()
            raise
    return subprocess.CompletedProcess(words, started.returncode, out, errors)


def progress(text, last=False):
    """One line on a terminal, written over by the next; into a pipe nothing."""
    if sys.stderr.isatty():
        print("\r\033[K" + text, end="\n" if last else "", file=sys.stderr, flush=True)


def lines_of(path):
    """The lines of JSON that a file holds; what a kill cut off is left out."""
    found = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return found
