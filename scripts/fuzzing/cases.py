"""The calls of one program: sizes, data, and arguments that overlap."""
import dataclasses
import random

SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 31, 32, 33, 63, 64, 65, 97]
LONG = [127, 128, 129, 200, 511, 513, 1023, 1024, 1025, 1031, 2050]
DATA = ["normal", "offset", "equal", "huge", "denormal", "wide", "zeros", "infinite", "nan", "small", "positive", "ramp", "masked"]
EXCEPTIONAL = {"infinite", "nan", "masked"}


@dataclasses.dataclass(frozen=True)
class Case:
    number: int
    data: str
    victim: int  # the array that has this data; -1: all
    array: int  # shares memory with `other`, whose place is `distance` elements on; -1: none does
    other: int
    distance: int
    seed: int
    sizes: tuple

    def line(self, program):
        return " ".join(map(str, (program, self.number, DATA.index(self.data), self.victim, self.array, self.other, self.distance, 0,
                                  self.seed, *self.sizes)))

    def told(self, p):
        sizes = ", ".join(f"{n}={v}" for n, v in zip(p.sizes, self.sizes))
        where = "all arrays" if self.victim < 0 else p.arrays[self.victim].name
        overlap = f"; {p.arrays[self.other].name} = {p.arrays[self.array].name} + {self.distance}" if self.array >= 0 else ""
        return f"{sizes}; {self.data} data in {where}{overlap}; data seed {self.seed}"


def drawn_sizes(r, count, number):
    most = [SIZES, SIZES[:18], SIZES[:16]][min(count, 3) - 1]
    sizes = [r.choice(most) for _ in range(count)]
    if number % 5 == 0:
        sizes = [r.choice(most)] * count
    if number % 4 == 1:
        sizes = [r.choice(SIZES[1:8]) for _ in range(count)]
        sizes[r.randrange(count)] = r.choice(LONG)
    if number % 7 == 2:
        sizes[r.randrange(count)] = r.choice([0, 1])
    return tuple(sizes)


def overlap(r, p):
    """(array, other, distance) of two arguments that share memory, of one kind, one of which is written."""
    pairs = [(a, b) for a in range(len(p.arrays)) for b in range(a + 1, len(p.arrays))
             if p.arrays[a].kind == p.arrays[b].kind and (p.arrays[a].written or p.arrays[b].written)
             and not p.arrays[a].bound and not p.arrays[b].bound and p.arrays[a].inner == p.arrays[b].inner]
    if p.restrict or not pairs:
        return -1, -1, 0
    a, b = r.choice(pairs)
    unit = 1
    for extent in p.arrays[a].inner:
        unit *= extent
    return a, b, unit * r.choice([0, 0, 1, -1, 2, 5, -3])


def cases(p, seed, number, count):
    """`count` calls of program `number` of a seed."""
    r = random.Random(f"{seed}:{number}:cases")
    allowed = [k for k in DATA if not (p.compares and k in EXCEPTIONAL)]
    result = []
    for k in range(count):
        data = "normal" if k == 0 else r.choice(allowed)
        victim = -1 if r.random() < 0.4 else r.randrange(len(p.arrays))
        array, other, distance = overlap(r, p) if k % 5 == 3 else (-1, -1, 0)
        sizes = drawn_sizes(r, len(p.sizes), k) if k else tuple(r.choice([5, 17, 33, 65][: 5 - len(p.sizes)]) for _ in p.sizes)
        result.append(Case(k, data, victim, array, other, distance, r.randrange(1 << 30), sizes))
    return result
