"""Loop nests of no family: imperfect, triangular, strided, reversed, shifted; in-place updates, recurrences and reductions into
elements, over arrays of one to three dimensions, of floats and integers."""
from fuzzing.draw import EXTENTS
from fuzzing.model import Assign, Binary, Call, Cast, Gather, If, Index, Let, Literal, Load, OnIndex, Scalar, Select


class Nest:
    """One nest, with the arrays that it reads and writes."""

    def __init__(self, draw):
        self.d = draw
        self.shapes = {}  # array -> (rank, pitches)
        for _ in range(draw.random.choices([1, 2, 3], [25, 50, 25])[0]):
            self.declare("array", False)
        for _ in range(draw.random.choices([1, 2], [70, 30])[0]):
            self.declare("result", True)
        self.index = draw.array(kind="i", bound=draw.size()) if draw.chance(0.08) else None

    def declare(self, role, written):
        d = self.d
        rank = d.random.choices([1, 2, 3], [45, 45, 10])[0]
        true = rank > 1 and d.chance(0.3)
        inner = tuple(d.random.choice(EXTENTS) for _ in range(rank - 1)) if true else ()
        name = d.array(role, inner=inner, written=written)
        self.shapes[name] = (rank, true, [d.random.choice(d.sizes + ["64"]) for _ in range(rank - 1)])

    def subscripts(self, name, variables):
        d = self.d
        rank, true, pitches = self.shapes[name]
        if self.index and rank == 1 and d.chance(0.3) and not d_written(d, name):
            return (Gather(self.index, variables[-1], next(a.bound for a in d.arrays if a.name == self.index)),)
        chosen = [variables[-1 - k] if k < len(variables) and d.chance(0.8) else d.random.choice(variables) for k in range(rank)][::-1]
        if d.chance(0.12):
            d.random.shuffle(chosen)
        parts = [d.along(v) for v in chosen]
        if true:
            return tuple(parts)
        flat = parts[0]
        for pitch, part in zip(pitches, parts[1:]):
            flat = f"({flat}) * {pitch} + {part}" if not flat.isidentifier() else f"{flat} * {pitch} + {part}"
        return (flat,)

    def load(self, variables, written_too=True):
        d = self.d
        names = [n for n in self.shapes if written_too or not d_written(d, n)]
        if not names:
            return Index(d.random.choice(variables))
        name = d.random.choice(names)
        return Load(name, self.subscripts(name, variables))

    def value(self, variables, depth=2, written_too=True):
        """An expression whose size stays of the order of what it reads."""
        d = self.d
        form = d.random.random()
        if depth == 0 or form < 0.15:
            leaf = d.random.random()
            return (self.load(variables, written_too) if leaf < 0.8 else d.literal(0.5, 0.25, 1, 2, 3) if leaf < 0.9
                    else Index(d.random.choice(variables)) if d.chance(0.4) or d.kind in "iu" else d.parameter())
        a, b = self.value(variables, depth - 1, written_too), self.value(variables, depth - 1, written_too)
        if d.kind in "iu":
            return Binary(d.random.choice("+-*" if d.kind == "u" else "+-"), a, b) if form < 0.8 else self.bits(a, b)
        half = d.literal(0.5, 0.25, 0.125)
        if form < 0.5:
            return Binary(d.random.choice("+-"), Binary("*", a, half) if d.chance(0.6) else a, b)
        if form < 0.65:
            return Binary("*", a, half if written_too else b)
        if form < 0.72:
            return Binary("/", a, Binary("+", Call("std::abs", (b,)), d.literal(1)))
        if form < 0.8:
            return Call(d.random.choice(["std::fmax", "std::fmin"]), (a, b))
        if form < 0.88:
            return Select(d.condition(variables) if d.chance(0.7) else d.on_data(a), a, b)
        if form < 0.95:
            return Call(d.random.choice(["std::tanh", "std::sin", "std::abs", "std::cos"]), (a,))
        return Cast("h" if d.kind == "f" else "f", a)

    def bits(self, a, b):
        """An operation on bits; of numbers with a sign none that leaves what they are of the order of."""
        d = self.d
        op = d.random.choice(["^", "&", "|", ">>", "~", "<<"])
        if op == "~":
            return Binary("^", a, Binary("-", b, b) if d.chance(0.2) else Literal("-1"))
        if op == "<<" and d.kind == "i":
            op = "|"
        if op in ("<<", ">>"):
            return Binary(op, a, Literal(str(d.random.choice([1, 4, 7, 16, 31]))) if d.chance(0.6) or d.kind == "i" else Binary("&", b, Literal("31")))
        return Binary(op, a, b if d.chance(0.7) else Literal(str(d.random.choice([1, 6, 12, 15, 255]))))

    def assignment(self, variables):
        d = self.d
        written = [n for n in self.shapes if d_written(d, n)]
        if d.chance(0.12) and any(not d_written(d, n) for n in self.shapes):
            chosen = d.random.choice([n for n in self.shapes if not d_written(d, n)])
            d.write(chosen)
            written.append(chosen)
        target = d.random.choice(written)
        place = Load(target, self.plain_subscripts(target, variables))
        op = d.random.choices(["=", "+=", "-="], [60, 32, 8])[0]
        value = self.value(variables, 2, op == "=" or d.kind == "u")
        if d.kind == "i" and op == "=":
            value = Binary("%", value, Literal("97"))
        return Assign(place, op, value)

    def plain_subscripts(self, name, variables):
        index, self.index = self.index, None
        subscripts = self.subscripts(name, variables)
        self.index = index
        return subscripts

    def reduction(self, variables):
        """A scalar summed in an inner loop, then stored."""
        d, s, v = self.d, self.d.name("scalar"), self.d.name("loop")
        value = self.value(variables + [v], 2, d.kind != "i")
        form = d.random.random()
        step = Assign(Scalar(s), "+=", value) if form < 0.6 or d.kind in "iu" else Assign(Scalar(s), "=", Call(d.random.choice(["std::fmax", "std::fmin"]), (Scalar(s), value)))
        if d.chance(0.2):
            step = If(d.condition(variables + [v]), (step,))
        place = self.assignment(variables)
        value = Binary("%", Scalar(s), Literal("97")) if d.kind == "i" else Scalar(s)
        return [Let(s, d.kind, d.literal(0, 1)), d.loop(v, d.bounds(variables), [step]), Assign(place.target, "=" if d.kind == "i" else place.op, value)]

    def body(self, variables, depth):
        d, result = self.d, []
        for _ in range(d.random.choices([1, 2, 3], [64, 28, 8])[0]):
            form = d.random.random()
            if depth > 0 and form < 0.55:
                v = d.name("loop")
                result.append(d.loop(v, d.bounds(variables), self.body(variables + [v], depth - 1)))
            elif form < 0.75 and variables:
                result += self.reduction(variables)
            elif variables:
                step = self.assignment(variables)
                result.append(If(d.condition(variables), (step,)) if d.chance(0.15) else step)
        return result or ([self.assignment(variables)] if variables else [])

    total = ""

    def statements(self):
        d, result = self.d, []
        for _ in range(d.random.choices([1, 2, 3], [66, 26, 8])[0]):
            v = d.name("loop")
            result.append(d.loop(v, d.bounds(), self.body([v], d.random.choices([0, 1, 2], [28, 55, 17])[0])))
        return result


def d_written(draw, name):
    return next(a.written for a in draw.arrays if a.name == name)


__all__ = ["Nest", "OnIndex"]
