"""What a program is drawn from: its names, types, sizes, arrays, bounds and subscripts."""
from fuzzing.model import Array, Binary, Call, Cast, Gather, Index, Let, Literal, Load, Loop, OnData, OnIndex, Scalar

WORDS = {
    "size": ["n", "m", "d", "rows", "columns", "width", "len", "k", "count", "h"],
    "array": ["x", "a", "b", "u", "v", "w", "src", "in", "table", "q", "data", "weights", "bias", "left", "z"],
    "result": ["y", "out", "o", "c", "dst", "result", "acc", "grid"],
    "loop": ["i", "j", "l", "e", "p", "r", "t", "row", "col", "at"],
    "scalar": ["s", "top", "sum", "mean", "best", "low", "norm", "g0", "g1", "part", "total", "mx", "den", "f0", "f1", "f2", "f3"],
    "parameter": ["alpha", "beta", "scale"],
}
EXTENTS = (24, 40, 72)


class Draw:
    """The random choices of one program, and what has been declared so far."""

    def __init__(self, random, kind):
        self.random, self.kind, self.used = random, kind, set()
        self.arrays, self.scalars, self.compares = [], [], False
        self.size_type = random.choices(["int", "long", "std::int64_t", "unsigned", "std::size_t"], [55, 14, 14, 9, 8])[0]
        self.signed = self.size_type not in ("unsigned", "std::size_t")
        self.sizes = [self.name("size") for _ in range(random.choices([1, 2, 3], [15, 60, 25])[0])]

    def name(self, role):
        free = [w for w in WORDS[role] if w not in self.used] or [f"{WORDS[role][0]}{k}" for k in range(40) if f"{WORDS[role][0]}{k}" not in self.used]
        chosen = self.random.choice(free)
        self.used.add(chosen)
        return chosen

    def chance(self, share):
        return self.random.random() < share

    def one(self, *choices):
        return self.random.choice(choices)

    def size(self):
        return self.random.choice(self.sizes)

    def literal(self, *values):
        text = repr(float(self.random.choice(values)))
        if self.kind in "iu":
            return Literal(str(int(float(text))))
        return Literal(text + "f" if self.kind == "f" else text)

    def storage(self):
        """The kind of an array's elements."""
        if self.kind in "iu":
            return self.kind
        return self.random.choices(["f", "h", "b"], [70, 17, 13])[0] if self.kind == "f" else self.random.choices(["d", "f", "h"], [70, 22, 8])[0]

    def array(self, role="array", kind=None, inner=(), written=False, bound=""):
        made = Array(self.name(role), kind or self.storage(), inner, written, bound)
        self.arrays.append(made)
        return made.name

    def write(self, name):
        self.arrays = [Array(a.name, a.kind, a.inner, True, a.bound) if a.name == name else a for a in self.arrays]

    def parameter(self):
        if not self.scalars or self.chance(0.3):
            self.scalars.append(self.name("parameter"))
        return Scalar(self.random.choice(self.scalars))

    def bounds(self, outer=()):
        """(start, end, step, down) of a loop inside loops over `outer`."""
        size, start, end, step = self.size(), "0", None, 1
        end = size
        shape = self.random.random()
        if outer and shape < 0.2:
            v = self.random.choice(outer)
            if self.chance(0.5):
                end = self.one(v, f"{v} + 1")
            else:
                start = self.one(v, f"{v} + 1")
        elif shape < 0.32:
            start = str(self.random.randint(1, 3))
        elif shape < 0.4 and self.signed:
            end = f"{size} - {self.random.randint(1, 3)}"
        elif shape < 0.44:
            end = str(self.random.randint(1, 20))
        if self.chance(0.12):
            step = self.random.choice([2, 3, 4])
        return start, end, step, self.signed and self.chance(0.12)

    def loop(self, variable, bounds, body):
        start, end, step, down = bounds
        return Loop(variable, start, end, step, down, tuple(body))

    def along(self, v, size=None):
        """A subscript that moves with `v`."""
        size = size or self.size()
        form = self.random.random()
        if form < 0.6:
            return v
        if form < 0.75:
            return f"{v} + {self.random.randint(1, 4)}"
        if form < 0.85:
            return f"{v} - {self.random.randint(1, 4)}" if self.signed else v
        if form < 0.93:
            return f"{size} - 1 - {v}" if self.signed else v
        if form < 0.98:
            return f"{self.random.choice([2, 3])} * {v}"
        return self.one(f"({v} ^ {self.random.choice([1, 2, 4])})", f"({v} | {self.random.choice([1, 4])})", f"({v} & ~{self.random.choice([1, 3, 7])})", f"({v} & 6)")

    def condition(self, variables):
        """A condition on indices."""
        v = self.random.choice(variables)
        w = self.random.choice(variables)
        return OnIndex(self.one(f"{v} % {self.random.choice([2, 3, 5])} == {self.one(0, 1)}", f"{v} < {w} + {self.random.randint(1, 9)}", f"{v} <= {w}",
                                f"{v} != {w}", f"{v} + {w} > {self.random.randint(1, 12)}", f"{v} >= {self.random.randint(1, 5)} && {v} < {self.random.randint(6, 40)}",
                                f"({v} & {self.random.choice([1, 2, 5, 6])}) != 0"))

    def on_data(self, value):
        return OnData(self.one(">", "<", ">=", "!="), value, self.literal(0, 0.25, -0.5))


__all__ = ["Draw", "EXTENTS", "Binary", "Call", "Cast", "Gather", "Index", "Let", "Literal", "Load", "Scalar"]
