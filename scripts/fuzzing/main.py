"""scripts/fuzz: random programs, transformed and run beside their originals."""
import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

from fuzzing import driver, textual
from fuzzing.batch import FLAGS, Batch
from fuzzing.generator import SEVERAL, program
from fuzzing.headers import Headers
from fuzzing.options import level, options
from fuzzing.reduce import Reduction
from fuzzing.results import BAD, Results

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MANY = 24  # programs in one file


@dataclasses.dataclass
class Settings:
    polymend: str
    clang: str
    home: pathlib.Path
    library: pathlib.Path
    seed: int
    cases: int
    target: str
    threads: int
    openmp: str
    limit: float
    headers: Headers
    device: object = None


def arguments():
    p = argparse.ArgumentParser(prog="scripts/fuzz", description="Random loop nests: original, wide evaluation and result run beside one another.")
    p.add_argument("--minutes", type=float, help="stop after so many minutes (default: no limit where --programs is given, else 5)")
    p.add_argument("--programs", type=int, help="stop after so many programs")
    p.add_argument("--seed", type=int, help="default: drawn; printed")
    p.add_argument("--resume", action="store_true", help="go on with what the output folder holds")
    p.add_argument("--only", type=int, help="one program of the seed")
    p.add_argument("--jobs", type=int, default=1, help="batches at once")
    p.add_argument("--polymend", default=str(ROOT / "build/release/polymend"))
    p.add_argument("--out", default=str(ROOT / "build/fuzz"))
    p.add_argument("--target", choices=["cpp", "cuda"], default="cpp")
    p.add_argument("--emulate", action="store_true", help="run the text for CUDA on the emulated device (implied by --target=cuda)")
    p.add_argument("--options", help="flags of polymend instead of drawn ones")
    p.add_argument("--cases", type=int, default=14, help="calls of each program")
    p.add_argument("--limit", type=float, default=20, help="seconds of the processor that polymend may take for a program")
    p.add_argument("--known", help="a file of known failures, `seed number why` a line: told, but no failure of the run")
    p.add_argument("--reduce", type=float, default=2, help="minutes to make each failure smaller, where it is the first of its kind (0: not at all)")
    p.add_argument("--keep", action="store_true", help="keep the folder of each batch")
    return p.parse_args()


def prepared(given, out):
    """Builds what all batches link."""
    home, library = ROOT / "scripts/fuzzing", out / "runtime"
    library.mkdir(parents=True, exist_ok=True)
    clang = shutil.which("clang++-19") or "clang++"
    for name, more in (("narrow", []), ("wide", ["-DFUZZ_WIDE"])):
        subprocess.run([clang, *FLAGS, "-O1", *more, "-c", str(home / "runtime.cpp"), "-o", str(library / f"{name}.o")], check=True)
    openmp = pathlib.Path(subprocess.run([clang, "-print-file-name=libomp.so"], capture_output=True, text=True, check=True).stdout.strip()).resolve().parent
    device = None
    if given.target == "cuda":
        from fuzzing.device import Device

        device = Device(ROOT, library, clang)
    return Settings(str(pathlib.Path(given.polymend).resolve()), clang, home, library, given.seed, given.cases, given.target, 2, str(openmp), given.limit, Headers(clang, library), device)


def progress(results, began, last):
    """How far the run is: on a terminal after each batch, into a pipe once a minute and at the end."""
    s = results.summary()
    bad = sum(s["outcomes"].get(k, 0) for k in BAD)
    text = f"{s['programs']} programs, {100 * s['transformed']:.1f} % transformed, {bad} faults, {time.monotonic() - began:.0f} s"
    if sys.stdout.isatty():
        print("\r" + text, end="\n" if last else "", flush=True)
    elif last or time.monotonic() - progress.told >= 60:
        print(text, flush=True)
        progress.told = time.monotonic()


progress.told = time.monotonic()


def one(settings, given, out, batch):
    numbers = [given.only] if given.only is not None else list(range(batch * MANY, min((batch + 1) * MANY, given.programs or 1 << 60)))
    programs = [program(settings.seed, n) for n in numbers]
    fixed = given.options.split() if given.options is not None else None
    if fixed and "--target=cuda" in fixed:
        fixed.remove("--target=cuda")
    flags = options(settings.seed, batch, settings.target, fixed)
    folder = out / f"batch{batch}"
    made = Batch(settings, folder, numbers, programs, flags, level(batch))
    outcomes = made.done()
    if not given.keep:
        made.remove()
    return flags, programs, outcomes


def reduced(settings, given, out, results, flags, p, outcome):
    """The text of a failure made smaller, where it is the first of its kind, else as it is; and its outcome."""
    signature = Reduction.signature(outcome)
    if outcome.outcome not in BAD or outcome.outcome == "faulty" or not given.reduce or results.seen(signature):
        return driver.source([p]), outcome
    compiled = level(outcome.number // MANY)
    least, told = Reduction(settings, out, outcome.number, flags, compiled, outcome, 60 * given.reduce).least(p)
    return textual.smaller(settings, out / f"cvise{outcome.number}", driver.source([least]), flags, told, 60 * given.reduce), told


def main():
    given = arguments()
    out = pathlib.Path(given.out).resolve()
    kept = out / "run.json"
    if given.resume and kept.exists():
        given.seed = json.loads(kept.read_text())["seed"]
    if given.seed is None:
        given.seed = random.SystemRandom().randrange(SEVERAL, 1 << 31)
    if given.minutes is None and given.programs is None and given.only is None:
        given.minutes = 5
    results = Results(out, given.resume)
    kept.write_text(json.dumps({"seed": given.seed}))
    settings, began = prepared(given, out), time.monotonic()
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda came, _: stopped.append(came))
    done, next_batch, running = results.done(), 0, {}
    last = -(-given.programs // MANY) if given.programs else 1 << 60
    if given.only is not None:  # with the options that its batch drew
        next_batch, last = given.only // MANY, given.only // MANY + 1
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        while True:
            late = given.minutes is not None and time.monotonic() - began > 60 * given.minutes
            while not stopped and not late and len(running) < given.jobs and next_batch < last:
                if next_batch not in done:
                    running[pool.submit(one, settings, given, out, next_batch)] = next_batch
                next_batch += 1
            if not running:
                break
            finished, _ = concurrent.futures.wait(running, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED)
            for f in finished:
                batch = running.pop(f)
                flags, programs, outcomes = f.result()
                for p in programs:
                    outcome = outcomes[int(p.name[1:])]
                    text, told = reduced(settings, given, out, results, flags, p, outcome)
                    results.add(batch, given.seed, flags, p, outcome, text, told)
            progress(results, began, False)
    progress(results, began, True)
    if stopped:
        print(f"stopped; --resume --out={out} goes on behind it")
    summary = results.summary()
    (out / "summary.json").write_text(json.dumps(dict(summary, seed=given.seed, seconds=round(time.monotonic() - began)), indent=1) + "\n")
    print(json.dumps(summary["outcomes"]), f"seed {given.seed}, {out}/results.jsonl")
    known = {tuple(line.split()[:2]) for line in pathlib.Path(given.known).read_text().splitlines()} if given.known else set()
    fresh = [line for line in results.lines if line["outcome"] in BAD and (str(line["seed"]), str(line["number"])) not in known]
    for line in fresh:
        print(f"{line['outcome']} {line['seed']} {line['number']}: {line['detail']}")
    return 128 + stopped[0] if stopped else int(bool(fresh))


if __name__ == "__main__":
    sys.exit(main())
