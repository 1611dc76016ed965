"""One call of polymend, and what became of each function."""
import dataclasses
import json
import math
import re
import resource
import signal
import subprocess
import time


OWN_FAULTS = ("validation failed", "internal error")  # what a function is left for that is polymend's


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
        outcomes = wholes(said["functions"])
        for d in said["dependences"]:
            roundings.setdefault(whole(d["function"]), set()).update((d["correction"] or {}).get("roundings", []))
    return Told(code, time.monotonic() - began, outcomes, roundings, messages)


def whole(name):
    """The function that a part of it, `NAME_part_2`, stands in."""
    return re.sub(r"_part_\d+$", "", name)


def wholes(functions):
    """What became of each function: a part that is left by a fault of polymend counts for most, then one that is transformed."""
    def weight(outcome):
        return 2 if any(fault in outcome[1] for fault in OWN_FAULTS) else int(outcome[0] == "transformed")

    outcomes = {}
    for f in functions:
        outcome = (f["outcome"], f["reason"] or "")
        outcomes[whole(f["name"])] = max(outcomes.get(whole(f["name"]), outcome), outcome, key=weight)
    return outcomes


def plain(reason):
    """A reason without the names and numbers of one program."""
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'…'", reason))[:160]
