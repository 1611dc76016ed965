"""scripts/mutants: faults put into the rooms, one at a time, and the tests that must see them."""
import argparse
import concurrent.futures
import json
import pathlib
import random
import subprocess
import sys
import time

from clang import cindex

from mutating import cover, drawn, sites, trial
from mutating.build import Build

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTS = ROOT / "tests/mutants"
# The test programs, with the tests of each that only compile, or that build and run what was printed and take longest.
PROGRAMS = {"machine": ("*", ""), "algebra": ("*", ""), "deps": ("*", ""), "relax": ("*", ""), "schedule": ("*", ""), "tile": ("*", ""),
            "device": ("*", ""), "print": ("*-*RoleText.Compiles*", ""), "check": ("*", ""), "pipeline": ("*Decisions*:*Verdicts*:Entry*:*Mutants*", "*-*Decisions*:*Verdicts*:Entry*:*Mutants*")}
NEEDED = 0.95


def arguments():
    p = argparse.ArgumentParser(prog="scripts/mutants", description="Faults in the rooms, one at a time: at least 95 in 100 must fail a test.")
    p.add_argument("--list", action="store_true", help="tell the faults that are kept and where each stands, run nothing")
    p.add_argument("--draw", type=int, metavar="SEED", help="draw new faults where the lists are short or no longer apply")
    p.add_argument("--room", action="append", choices=drawn.ROOMS, help="these rooms alone")
    p.add_argument("--only", action="append", metavar="ID", help="these faults alone")
    p.add_argument("--sample", type=int, metavar="N", help="N of the faults, by a seed that is the day")
    p.add_argument("--budget", type=float, default=40, help="seconds of tests that a fault may outlive (as they take without one)")
    p.add_argument("--near", action="store_true", help="without the tests of the pipeline that build and run what was printed")
    p.add_argument("--program", action="append", choices=list(PROGRAMS), help="these test programs alone")
    p.add_argument("--jobs", type=int, default=1, help="faults at once, and files compiled at once")
    p.add_argument("--resume", action="store_true", help="go on with what the output folder holds")
    p.add_argument("--again", action="store_true", help="with --resume: try again what survived")
    p.add_argument("--release", default=str(ROOT / "build/release"), help="a finished release build")
    p.add_argument("--out", default=str(ROOT / "build/mutants"))
    return p.parse_args()


def progress(text, last=False):
    if sys.stdout.isatty():
        print("\r\033[K" + text, end="\n" if last else "", flush=True)
    elif last:
        print(text, flush=True)


def library():
    """The parser of the installed Clang."""
    if cindex.Config.loaded:
        return
    for name in ("llvm-config-19", "/usr/lib/llvm-19/bin/llvm-config"):
        try:
            folder = subprocess.run([name, "--libdir"], capture_output=True, text=True, check=True).stdout.strip()
            cindex.Config.set_library_file(folder + "/libclang.so")
            return
        except FileNotFoundError:
            continue


def parsed(task):
    folder, path, command = task
    library()
    return sites.cached(folder, ROOT, path, command)


def everything(build, out, rooms, jobs):
    """All sites of the rooms, numbered among those that are alike."""
    folder = out / "sites"
    folder.mkdir(parents=True, exist_ok=True)
    files = [f for room in rooms for f in sorted((ROOT / "src" / room).rglob("*.cpp")) if f.name != "dump.cpp"]
    found = []
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for n, part in enumerate(pool.map(parsed, [(folder, f, build.command(f)) for f in files]), 1):
            found += [sites.Site(**s) for s in part]
            progress(f"read {n} of {len(files)} files")
    return sites.numbered(found)


def kept(given, everywhere, rooms):
    """The faults of the lists as they stand in the tree, by number, and the names of those that no longer apply."""
    lists = {room: drawn.listed(LISTS / f"{room}.txt") for room in rooms}
    found = drawn.found([row for rows in lists.values() for row in rows], everywhere)
    result, lost = {}, []
    for room, rows in lists.items():
        here = [found.get(row["id"]) for row in rows]
        lost += [f"{room} {row['id']}" for row, s in zip(rows, here) if not s]
        here = [s if s and s.room == room else None for s in here] + [s for s in found.values() if s.room == room and s.name not in {row["id"] for row in rows}]
        if given.draw is not None:
            here += [None] * (drawn.SHARE[room] - len(here))
            new = drawn.draw([s for s in everywhere if s.room == room and s.id not in found], room, here.count(None), given.draw, [s for s in here if s])
            here = [s or new.pop(0) for s in here]
            drawn.write(LISTS / f"{room}.txt", here)
        result |= {1000 * drawn.ROOMS.index(room) + n: s for n, s in enumerate(here) if s}
    return result, [] if given.draw is not None else lost


def built(build, chosen, folder, names):
    """These test programs with all faults in them, and the numbers of faults that do not compile."""
    refused, files = build.objects(chosen, progress)
    more, programs = [build.own("runtime.cpp"), build.own("listener.cpp")], {}
    rooms = build.libraries(files, folder)
    for name in names:
        progress(f"links test_{name}")
        programs[f"test_{name}"] = build.link(f"tests/test_{name}", more, rooms, folder)
    return refused, programs


def covered(programs, folder, near, jobs):
    """The tests with what each comes by."""
    result, parts = [], [(name, part, chosen) for name in programs for part, chosen in enumerate(PROGRAMS[name[5:]][:1] if near else PROGRAMS[name[5:]]) if chosen]

    def one(task):
        name, part, chosen = task
        return cover.cases(name, cover.traced(programs[name], chosen, folder / f"{name}{part}", 1000 * len(drawn.ROOMS), ROOT, 1800))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for n, cases in enumerate(pool.map(one, parts), 1):
            progress(f"{n} of {len(parts)} programs without a fault")
            result += cases
    return result


def wanted(given, faults):
    """The faults that are to be tried."""
    result = [(n, s) for n, s in faults.items() if not given.only or s.id in given.only]
    if given.sample and given.sample < len(result):
        result = random.Random(time.strftime("%Y-%m-%d")).sample(result, given.sample)
    random.Random(1).shuffle(result)  # so that a run that is broken off has tried some of each room
    return result


def told(lines, lost, refused, explained):
    """Prints the summary; is it good enough?"""
    killed = sum(line["outcome"] == "killed" for line in lines)
    alive = [line for line in lines if line["outcome"] != "killed"]
    unknown = [line for line in alive if line["id"] not in explained]
    for room in drawn.ROOMS:
        own = [line for line in lines if line["room"] == room]
        if own:
            print(f"{room}: {sum(line['outcome'] == 'killed' for line in own)} of {len(own)} killed")
    for line in alive:
        why = " ".join(explained.get(line["id"], ("NOT EXPLAINED",)))
        print(f"{line['file']}:{line['line']}: {line['id']} {line['outcome']}, {line['kind']} in {line['function']}: {line['text'][:90]}: {why}")
    for name in lost:
        print(f"no longer applies: {name}")
    for site in refused:
        print(f"does not compile: {site.room} {site.id}")
    same = sum(explained.get(line["id"], ("",))[0] == "equivalent" for line in alive)
    share, able = killed / len(lines) if lines else 1, killed / (len(lines) - same) if len(lines) > same else 1
    print(f"{len(lines)} faults, {killed} killed ({100 * share:.1f} %), {len(alive)} alive, {len(unknown)} of them not explained")
    print(f"without the {same} that change nothing: {100 * able:.1f} % of {len(lines) - same}; {100 * NEEDED:.0f} % are asked for")
    return able >= NEEDED and not unknown and not lost


def earlier(path, given, faults):
    """The results that an earlier run has left."""
    if not given.resume or not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
    present = {s.id for s in faults.values()}
    return [line for line in lines if line["id"] in present and (line["outcome"] == "killed" or not given.again)]


def run(given, faults, todo, cases, folder, lines, path):
    """Tries the faults, one at a time in each job; each result is a line of the file at once."""
    began = time.monotonic()
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def one(task):
        number, site = task
        own = cover.order(site.room, [c for c in cases if number in c.reached])
        return trial.tried(site, number, cover.batches(own, given.budget), folder, ROOT)

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool, path.open("a") as results:
        running = [pool.submit(one, task) for task in todo]
        for n, done in enumerate(concurrent.futures.as_completed(running), 1):
            lines.append(done.result())
            results.write(json.dumps(lines[-1]) + "\n")
            results.flush()
            progress(f"{n} of {len(todo)} faults, {sum(x['outcome'] == 'killed' for x in lines)} of {len(lines)} killed, {time.monotonic() - began:.0f} s", last=n == len(todo))
    return lines


def main():
    given = arguments()
    out = pathlib.Path(given.out).resolve()
    library()
    build = Build(ROOT, pathlib.Path(given.release).resolve(), out, given.jobs)
    rooms = [r for r in drawn.ROOMS if given.draw is not None or r in (given.room or drawn.ROOMS)]  # a fault may have moved to another room
    faults, lost = kept(given, everything(build, out, rooms, given.jobs), rooms)
    if given.list:
        for s in faults.values():
            print(f"{s.file}:{s.line}: {s.id} {s.kind} in {s.function}: {s.text[:90]}")
        progress(f"{len(faults)} faults, {len(lost)} no longer apply", last=True)
        return 1 if lost else 0
    folder = out / ("all" if len(rooms) == len(drawn.ROOMS) else "-".join(rooms))
    folder.mkdir(parents=True, exist_ok=True)
    refused, programs = built(build, faults, folder, given.program or list(PROGRAMS))
    cases = covered(programs, folder, given.near, given.jobs)
    path = folder / "results.jsonl"
    lines = earlier(path, given, faults)
    known = {line["id"] for line in lines}
    todo = [(n, s) for n, s in wanted(given, faults) if s.id not in known and n not in refused]
    lines = run(given, faults, todo, cases, folder, lines, path)
    return 0 if told(lines, lost, [faults[n] for n in sorted(refused)], drawn.explained(LISTS / "survivors.txt")) else 1


if __name__ == "__main__":
    sys.exit(main())
