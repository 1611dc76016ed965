"""One random program of a seed and a number."""
import dataclasses
import random

from fuzzing.chains import Chain
from fuzzing.draw import Draw
from fuzzing.model import Program
from fuzzing.nests import Nest
from fuzzing.reduce import used
from fuzzing.several import Several

MAKERS = {"chain": Chain, "nest": Nest, "several": Several}
SEVERAL = 1_000_000  # seeds from here on draw chains along several loops as well; before, programs stay what they were
ENDED = 1_003_000  # from here on, loops that end by data in what is spelled as people write
HELD = 1_003_200  # from here on, arrays in containers there


def program(seed, number):
    """The program `number` of a seed; the same for ever."""
    r = random.Random(f"{seed}:{number}")
    chain = r.random() < 0.5
    kind = r.choices(["f", "d"], [65, 35])[0] if chain else r.choices(["f", "d", "i", "u"], [50, 32, 9, 9])[0]
    d = Draw(r, kind)
    several = seed >= SEVERAL and random.Random(f"{seed}:{number}:several").random() < 0.3
    family = "several" if several else "chain" if chain else "nest"
    maker = MAKERS[family](d)
    body = maker.statements()
    restrict = d.chance(0.25)
    mentioned = used(tuple(body))
    order = [a for a in d.arrays if a.name in mentioned or d.chance(0.03)]
    if d.chance(0.3):
        r.shuffle(order)
    form = random.Random(f"{seed}:{number}:form")
    if kind in "iu" and form.random() < 0.5:
        order = [a if a.bound else dataclasses.replace(a, kind=form.choice([a.kind, "s", "e", "l"])) for a in order]
    spelling = form.randrange(1, 1 << 30) if form.random() < 0.4 else 0
    ended = seed >= ENDED and spelling > 0 and form.random() < 0.6
    return Program(f"f{number}", kind, tuple(d.sizes), d.size_type, tuple(order), tuple(d.scalars), tuple(body), restrict, maker.total,
                   family, spelling, ended, seed >= HELD and spelling > 0 and form.random() < 0.6, d.compares)
