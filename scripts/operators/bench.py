"""Checks and times every operator of DIR beside its peers; writes operators.json, .md, .svg and .log.

The cases run in a process of their own, one after another: where one ends it (an illegal address stays with the process) or
does not come back, that case is reported as failed and the others go on in a new process.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import threading

import report
from cases import cases
from ranking import joined, ranked
from resume import earlier

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from long_work import until_stopped  # noqa: E402


def options():
    parser = argparse.ArgumentParser(prog="scripts/bench_operators run")
    parser.add_argument("folder", type=pathlib.Path)
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--quick", dest="extent", action="store_const", const="quick", default="default")
    extent.add_argument("--all", dest="extent", action="store_const", const="all")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--patience", type=int, default=120, metavar="SECONDS", help="after which a case counts as hung")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=LIBRARY")
    parser.add_argument("--alone", action="store_true", help="without the libraries that are installed, in more rounds: texts beside --peer")
    parser.add_argument("--resume", action="store_true", help="keep what OUT/operators.json has of the same texts, and go on behind it")
    parser.add_argument("--jax", action="store_true", help="afterwards also what JAX computes, in a process of its own")
    return parser.parse_args()


def worker(script, arguments, log):
    """A process that measures some cases and prints one line of JSON for each; the rest goes to a log."""
    command = [sys.executable, "-u", str(pathlib.Path(__file__).with_name(script)), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)


def measure(asked, patience, start, lost, save, kept=({}, [])):
    """What the processes say: (about the run, one result a case); nothing where the first of them says nothing. `kept` is what an
    earlier run said, on the same device.

    `start(n)` begins a process for the cases from n on; where none of its lines comes for `patience` seconds it is ended, and
    `lost(case, why)` is the result of the case that it was at.
    """
    wanted, about, results = cases(asked.extent), dict(kept[0]), list(kept[1])
    while len(results) < len(wanted):
        process, before = start(len(results)), len(results)
        watch = None

        def rearm():
            nonlocal watch
            if watch:
                watch.cancel()
            watch = threading.Timer(patience, process.kill)
            watch.start()

        rearm()
        for line in process.stdout:
            if not line.startswith("{"):
                continue
            rearm()
            said = json.loads(line)
            if "about" in said:
                device, before_it = said["about"].get("device"), about.get("device")
                if device and before_it and device != before_it:
                    process.kill()
                    watch.cancel()
                    sys.exit(f"bench_operators: what was measured before is of another device, {before_it}; this is {device}")
                about.update({k: v for k, v in said["about"].items() if k not in about})
                continue
            results.append(said)
            show(said)
            save(about, results)
        watch.cancel()
        process.wait()
        if not about:
            break
        if len(results) < len(wanted) and (process.returncode != 0 or len(results) == before):
            results.append(lost(wanted[len(results)], f"the process ended ({process.returncode}), see operators.log"))
            show(results[-1])
            save(about, results)
    return about, results


def own(asked, save, log, kept):
    """The texts, the given libraries and PyTorch's peers."""
    def start(first):
        alone = ["--alone"] if asked.alone else []
        return worker("measure.py", [str(asked.folder), asked.extent, str(first), *alone, *asked.peer], log)

    def lost(case, why):
        return dict(operator=case.operator.name, label=case.label(), kind=case.operator.kind, contenders={}, failed=why)

    return measure(asked, asked.patience, start, lost, save, kept)


def jax(asked, save, log):
    """JAX's peers of the same cases; its compiler takes its time where tiles are searched for."""
    def start(first):
        return worker("jax_measure.py", [asked.extent, str(first)], log)

    def lost(case, why):
        return dict(label=case.label(), unit=case.work()[0], contenders={"JAX": dict(failed=why, peer=True)})

    return measure(asked, 3 * asked.patience, start, lost, save)


def show(result):
    result = ranked(result)
    print(f"{result['label']:34} " + result.get("failed", ""), end="")
    for name, got in result["contenders"].items():
        if "ms" in got:
            print(f" {name} {got['ms']:.3f} ms {got['rate']:.0f} {result['unit']} err {got['error']:.1e}"
                  + ("" if got.get("ok", True) else " WRONG: " + got["wrong"]) + ";", end="")
        else:
            print(f" {name}: {got['failed']};", end="")
    print(f" {result['ratio']:.2f}x" if result["ratio"] else "", end="")
    print("".join(f" {share:.2f} of {name}" for name, share in result["shares"].items()), flush=True)


def main():
    asked = options()
    out = asked.out or asked.folder
    out.mkdir(parents=True, exist_ok=True)
    notes = {n: json.loads((asked.folder / f"{n}.json").read_text()) for n in ("generate", "build")}

    def save(about, results):
        report.write(out, about, results, notes)

    with open(out / "operators.log", "w") as log:
        kept = earlier(out / "operators.json", cases(asked.extent), notes["build"]) if asked.resume else ({}, [])
        if kept[1]:
            print(f"{len(kept[1])} cases were measured before", flush=True)
        about, results = own(asked, save, log, kept)
        if not about:
            sys.exit(f"bench_operators: nothing could be measured, see {out}/operators.log")
        if asked.jax:
            more, further = jax(asked, lambda more, further: save({**more, **about}, joined(results, further)), log)
            about, results = {**more, **about}, joined(results, further)
            if not more:
                print(f"bench_operators: JAX could not be measured, see {out}/operators.log")
    save(about, results)
    print(f"\n{(out / 'operators.md').read_text()}")
    wrong = [r["label"] for r in results
             if r.get("failed") or not all(c.get("given") or c.get("ok", True) for c in r["contenders"].values())]
    if wrong:
        print("bench_operators: wrong or failed: " + "; ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(until_stopped(main, "--resume goes on behind the cases that are in operators.json"))
