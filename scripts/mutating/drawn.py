"""Which faults are kept: drawn from a seed over rooms, files and kinds, and found again in a changed tree."""
import collections
import dataclasses
import difflib
import random
import re

ROOMS = ("algebra", "relax", "schedule", "machine", "tile", "print", "check", "device")
SHARE = {"algebra": 72, "relax": 62, "schedule": 44, "machine": 10, "tile": 78, "print": 70, "check": 56, "device": 32}
COLUMNS = ("id", "kind", "function", "ordinal", "text", "becomes")
ALIKE, LEAD = 0.75, 0.1  # how much of its text a changed fault shares with its old one, and how much more than any other does


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
    """The faults that a list holds, in its order: the values of its columns, and the room that it is of."""
    return [dict(zip(COLUMNS, line.split("\t")), room=path.stem) for line in path.read_text().splitlines() if line] if path.exists() else []


def identity(row):
    return tuple(str(row[c]) for c in ("room", *COLUMNS[1:]))


def tokens(text):
    """The words of an expression without its scopes, whether it asks a member or a function, through a pointer or not."""
    text = re.sub(r"\(\*(\w+)\)->", r"\1.", re.sub(r"\b\w+::", "", text)).replace("->", ".").replace("()", "")
    return re.findall(r"\w+|[^\w\s]", text)


def last(function):
    return function.split("::")[-1]


def best(row, sites):
    """The site that is like a fault, in what stands there and in what comes in its place, and more so than every other."""
    def likeness(site):
        pairs = ((row["text"], site.text), (row["becomes"], site.becomes))
        return min(difflib.SequenceMatcher(None, tokens(a), tokens(b), autojunk=False).ratio() for a, b in pairs)

    ranked = sorted(((likeness(s), n) for n, s in enumerate(sites)), reverse=True)
    clear = ranked and ranked[0][0] >= ALIKE and (len(ranked) == 1 or ranked[0][0] >= ranked[1][0] + LEAD)
    return sites[ranked[0][1]] if clear else None


def found(rows, sites):
    """The faults of the lists as they stand in the tree, by name. One whose identity is gone is looked for in functions of the same
    name, in any room, class or namespace: by its text, then by a text that is like it; last by its text alone, where that stands once."""
    exact = {identity(vars(s)): s for s in sites}
    result = {row["id"]: exact[identity(row)] for row in rows if identity(row) in exact}
    taken = {id(s) for s in result.values()}
    lost = [row for row in rows if row["id"] not in result]
    of_kind = collections.defaultdict(list)
    for s in sites:
        if s.kind in {row["kind"] for row in lost}:
            of_kind[s.kind].append((s, last(s.function), tokens(s.text), tokens(s.becomes)))

    def same(row, near):
        return [s for s, _, *words in near if words == [tokens(row["text"]), tokens(row["becomes"])]]

    def moved(row, near):
        alike = [s for s in same(row, near) if s.ordinal == int(row["ordinal"])]
        return alike[0] if len(alike) == 1 else None

    def changed(row, near):
        return best(row, [s for s, *_ in near])

    def elsewhere(row, near):
        alike = same(row, near) if len(tokens(row["text"])) > 2 else []
        return alike[0] if len(alike) == 1 else None

    for way, everywhere in ((moved, False), (changed, False), (elsewhere, True)):
        for row in [row for row in lost if row["id"] not in result]:
            near = [c for c in of_kind[row["kind"]] if id(c[0]) not in taken and (everywhere or c[1] == last(row["function"]))]
            if site := way(row, near):
                result[row["id"]] = site
                taken.add(id(site))
    return {row["id"]: dataclasses.replace(result[row["id"]], name=row["id"]) for row in rows if row["id"] in result}


def explained(path):
    """Survivors that are known: identity, `equivalent` or `open`, why."""
    rows = [line.split(" ", 2) for line in path.read_text().splitlines() if line and line[0] != "#"] if path.exists() else []
    return {row[0]: (row[1], row[2]) for row in rows}
