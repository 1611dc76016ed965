"""One call of polymend, and what became of each function."""
import dataclasses
import json
import math
import re
import resource
import signal
import subprocess
import time


@dataclasses.dataclass(frozen=True)
class Told:
    """What polymend said of a file: its exit code (None: it took too long), each function's outcome, its messages."""
    code: int
    seconds: float
    outcomes: dict  # name -> (outcome, reason)
    roundings: dict  # name -> types to which a correction rounds another part than the source does
    messages: str


def transform(polymend, source, result, options, limit):
    """Transforms `source` into `result`; `limit` is in seconds of the processor, so that a loaded machine makes no timeout; by
    the clock there is a far limit, for what waits for ever."""
    report = result.with_suffix(".json")
    began = time.monotonic()
    try:
        done = subprocess.run([polymend, source.name, "-o", result.name, f"--report={report.name}", *options], cwd=source.parent, timeout=60 * limit,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1)), capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL)
        code, messages = (None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done.returncode), done.stderr
    except subprocess.TimeoutExpired:
        code, messages = None, ""
    outcomes, roundings = {}, {}
    if code == 0 and report.exists():
        said = json.loads(report.read_text())
        outcomes = {f["name"]: (f["outcome"], f["reason"] or "") for f in said["functions"]}
        for d in said["dependences"]:
            roundings.setdefault(d["function"], set()).update((d["correction"] or {}).get("roundings", []))
    return Told(code, time.monotonic() - began, outcomes, roundings, messages)


def plain(reason):
    """A reason without the names and numbers of one program."""
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'…'", reason))[:160]
