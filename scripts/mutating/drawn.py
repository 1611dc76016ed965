"""Which faults are kept: drawn from a seed over rooms, files and kinds, and found again in a changed tree."""
import collections
import random

ROOMS = ("algebra", "relax", "schedule", "machine", "tile", "print", "check")
SHARE = {"algebra": 72, "relax": 62, "schedule": 44, "machine": 8, "tile": 70, "print": 78, "check": 56}
COLUMNS = ("id", "kind", "function", "ordinal", "text", "becomes")


def apart(site, taken):
    return all(site.end <= t.start or t.end <= site.start for t in taken[site.file])


def draw(sites, room, count, seed, kept=()):
    """So many more sites of a room: files by the root of their sites, then kinds alike, at most two in a function where there is choice."""
    rng = random.Random(f"{seed} {room}")
    by_file = collections.defaultdict(list)
    for s in sites:
        by_file[s.file].append(s)
    files = sorted(by_file)
    weights = [len(by_file[f]) ** 0.5 for f in files]
    taken, functions, result = collections.defaultdict(list), collections.Counter(), []
    for s in kept:
        taken[s.file].append(s)
        functions[s.function] += 1
    for turn in range(count * 40):
        if len(result) == count:
            break
        own = by_file[rng.choices(files, weights)[0]]
        kind = rng.choice(sorted({s.kind for s in own}))
        s = rng.choice([s for s in own if s.kind == kind])
        if functions[s.function] >= 2 + turn // (10 * count) or not apart(s, taken):
            continue
        taken[s.file].append(s)
        functions[s.function] += 1
        result.append(s)
    return result


def write(path, sites):
    lines = ["\t".join(str(getattr(s, c)) for c in COLUMNS) for s in sites]
    path.write_text("".join(line + "\n" for line in lines))


def listed(path):
    """The identities that a list holds, in its order."""
    return [line.split("\t")[0] for line in path.read_text().splitlines() if line] if path.exists() else []


def explained(path):
    """Survivors that are known: identity, `equivalent` or `open`, why."""
    rows = [line.split(" ", 2) for line in path.read_text().splitlines() if line and line[0] != "#"] if path.exists() else []
    return {row[0]: (row[1], row[2]) for row in rows}
