"""Reductions that wait for reductions: rows of random accesses, producers, consumers through exp, division, powers, products, maxima,
masks on indices or data, and what is stored at last."""
from fuzzing.draw import EXTENTS
from fuzzing.model import Assign, Binary, Call, Cast, If, Index, Let, LetArray, Literal, Load, OnIndex, Scalar, Select

LEAST, MOST = Literal("-INFINITY"), Literal("INFINITY")


def add(a, b):
    return Binary("+", a, b)


def sub(a, b):
    return Binary("-", a, b)


def mul(a, b):
    return Binary("*", a, b)


def div(a, b):
    return Binary("/", a, b)


def call(name, *arguments):
    return Call("std::" + name, arguments)


class Chain:
    """One chain of reductions along the columns of a row."""

    def __init__(self, draw):
        self.d = draw
        self.row, self.column = draw.name("loop"), draw.name("loop")
        self.rows, self.columns = draw.size(), draw.size()
        self.shared = draw.chance(0.75)
        self.bounds = self.drawn_bounds()
        self.mask = self.drawn_mask()
        self.stage = ()
        self.element = self.drawn_element()
        self.total = draw.name("scalar") if draw.chance(0.07) else ""  # what is summed over rows and returned

    def drawn_bounds(self):
        d, end, start, step = self.d, self.columns, "0", 1
        form = d.random.random()
        if form < 0.1:
            end = f"{self.row} + 1"
        elif form < 0.15:
            start = d.one(self.row, "1", "2")
        elif form < 0.2:
            step = d.one(2, 3)
        return start, end, step, d.signed and d.chance(0.08)

    def numbered(self):
        """A number of each element, as far as numbers of rows and columns go."""
        return f"{self.row} * {self.d.random.choice([1, 300, 16807])} + {self.column} * {self.d.random.choice([1, 7, 48271])}"

    def drawn_mask(self):
        d, form = self.d, self.d.random.random()
        if form < 0.68:
            return None
        if form < 0.88:
            return d.condition([self.row, self.column])
        if form < 0.92:
            return OnIndex(f"(((unsigned)({self.numbered()}) * 2654435769u) >> 7 & 15u) < {d.random.randint(9, 15)}u")
        return d.on_data(Load(d.array(), (self.column,)))

    def place(self, name, row, column):
        """The subscripts of an element of a two-dimensional array."""
        d, array = self.d, next(a for a in self.d.arrays if a.name == name)
        if array.inner:
            return (row, column)
        form = d.random.random()
        if form < 0.62:
            return (f"{row} * {self.columns} + {column}",)
        if form < 0.72:
            return (f"{column} * {self.rows} + {row}",)
        if form < 0.8:
            return (f"{column} + {row} * {self.columns} + {d.random.randint(1, 5)}",)
        if form < 0.87 and d.signed:
            return (f"{row} * {self.columns} + ({self.columns} - 1 - {column})",)
        return (f"{row} * {d.size()} + {column}",)

    def drawn_element(self):
        """The value that the reductions are over."""
        d = self.d
        kind = d.random.random()
        if kind < 0.2:
            return self.staged()
        inner = (d.random.choice(EXTENTS),) if d.chance(0.15) else ()
        x = d.array(inner=inner)
        value = Load(x, self.place(x, self.row, self.column))
        form = d.random.random()
        if form < 0.1:
            return mul(value, d.parameter())
        if form < 0.17:
            return add(value, Load(d.array(), (self.column,)))
        if form < 0.24:
            return mul(value, Load(d.array(), (self.row,)))
        if form < 0.3:
            return mul(value, Index(f"({self.numbered()}) % {d.random.choice([7, 64, 97])}"))
        return value

    def staged(self):
        """Scores that are stored in a local array first."""
        d, e = self.d, self.d.name("loop")
        p, s = d.name("scalar"), d.name("scalar")
        q, k, depth = d.array(), d.array(), d.size()
        kind = d.random.choice([d.kind] * 4 + (["h"] if d.kind == "f" else ["f"]))
        body = (Let(s, d.kind, d.literal(0)),
                d.loop(e, ("0", depth, 1, False), [Assign(Scalar(s), "+=", mul(Load(q, (f"{self.row} * {depth} + {e}",)), Load(k, (f"{self.column} * {depth} + {e}",))))]),
                Assign(Load(p, (self.column,)), "=", mul(Scalar(s), d.parameter()) if d.chance(0.5) else Scalar(s)))
        self.stage = (LetArray(p, kind, 300), d.loop(self.column, ("0", self.columns, 1, False), body))
        return Load(p, (self.column,))

    def reduction(self, name, how, value, mask):
        """One step of a reduction into a scalar."""
        d, s = self.d, Scalar(name)
        if mask and d.chance(0.35):
            neutral = {"sum": d.literal(0), "max": LEAST, "min": MOST, "product": d.literal(1)}[how]
            value, mask = Select(mask, value, neutral), None
        if how == "sum":
            form = d.random.random()
            step = (Assign(s, "+=", value) if form < 0.75 else Assign(s, "=", add(s, value)) if form < 0.85 else Assign(s, "=", add(value, s)) if form < 0.9
                    else Assign(s, "=", sub(add(s, value), mul(self.element, d.literal(0.5)))) if form < 0.95 else Assign(s, "-=", value))
        elif how == "product":
            step = Assign(s, "*=", value)
        else:
            step = self.extreme(s, how, value)
        return If(mask, (step,)) if mask else step

    def extreme(self, s, how, value):
        d, form = self.d, self.d.random.random()
        if form < 0.6:
            return Assign(s, "=", Call("std::f" + how, (s, value) if d.chance(0.8) else (value, s)))
        d.compares = True
        better = d_condition(">" if how == "max" else "<", value, s)
        if form < 0.75 and isinstance(value, Load):
            return If(better, (Assign(s, "=", value),))
        if form < 0.88 and not isinstance(value, Literal):
            return Assign(s, "=", Select(better, value, s))
        return Assign(s, "=", Call(f"std::{how}<{'float' if d.kind == 'f' else 'double'}>", (s, value)))

    def producer(self):
        """A first reduction: its statements and what is derived of it."""
        d, x, name = self.d, self.element, self.d.name("scalar")
        how, value = d.random.choices([("max", x), ("min", x), ("sum", x), ("sum", mul(x, x)), ("max", call("abs", x)), ("sum", call("abs", x)), ("sum", call("exp", mul(x, d.literal(0.125))))],
                                      [38, 10, 22, 12, 8, 5, 5])[0]
        start = {"max": d.random.choices([LEAST, d.literal(0), d.literal(-1000)], [70, 15, 15])[0] if value == x else d.literal(0), "min": MOST, "sum": d.literal(0)}[how]
        known, derived = (), Scalar(name)
        form = d.random.random()
        if how == "sum":
            further = (div(derived, Index(self.columns)) if form < 0.45 else call("sqrt", add(derived, d.literal(0.5))) if form < 0.6
                       else div(d.literal(1), add(derived, d.literal(1))) if form < 0.7 else add(derived, d.literal(1)) if form < 0.8 else derived)
        else:
            further = derived if form < 0.8 else add(derived, d.literal(1)) if form < 0.9 else mul(derived, d.literal(0.5))
        if further != derived:
            second = d.name("scalar")
            known, derived = (Let(second, d.kind, further),), Scalar(second)
        return name, how, start, value, known, derived

    def consumer(self, r, s):
        """A reduction that reads the finished r (and, if there is one, the earlier sum s)."""
        d, x = self.d, self.element
        shift, ratio = sub(x, r), div(x, r)
        weight = Load(d.array(), (self.column,)) if d.chance(0.35) else None
        forms = [("sum", call("exp", shift)), ("sum", call("exp", mul(shift, d.literal(0.5, 0.25)))), ("sum", mul(shift, shift)), ("sum", mul(mul(shift, shift), shift)), ("sum", shift),
                 ("sum", mul(ratio, ratio)), ("sum", ratio), ("sum", call("abs", shift)), ("sum", mul(call("exp", shift), shift)), ("sum", div(d.literal(1), add(d.literal(1), call("exp", shift)))),
                 ("max", call("exp", shift)), ("max", div(call("abs", x), r)), ("max", mul(ratio, ratio)), ("max", mul(call("exp", shift), x)), ("max", shift), ("min", shift), ("sum", mul(x, r)),
                 ("sum", call("cos", shift)), ("sum", call("pow", call("abs", ratio), d.literal(1.5, 3))), ("max", call("pow", call("abs", ratio), d.literal(2, 0.5))), ("product", add(d.literal(1), mul(shift, d.literal(0.01)))), ("sum", call("fmax", shift, d.literal(0))), ("max", mul(x, r)),
                 ("sum", mul(x, call("log", add(call("abs", r), d.literal(1)))))]
        how, value = d.random.choice(forms if not d.chance(0.3) else forms[:3])
        if s is not None and d.chance(0.5):
            value = div(value, s)
        if weight is not None and how == "sum":
            value = mul(value, weight) if d.chance(0.7) else mul(weight, value)
        start = {"sum": d.literal(0), "max": d.random.choice([LEAST, d.literal(0), d.literal(-1000)]), "min": MOST, "product": d.literal(1)}[how]
        return how, start, value

    def along_columns(self, body):
        return self.d.loop(self.column, self.bounds if self.shared else self.drawn_bounds(), body)

    def last(self, names):
        """What is stored at the row's end."""
        d, s, r = self.d, Scalar(names[-1]), Scalar(names[0])
        if self.total:
            return [Assign(Scalar(self.total), "+=", s)]
        form = d.random.random()
        y_kind = d.kind if d.chance(0.85) else None
        if form < 0.55:
            y = d.array("result", kind=y_kind, written=True)
            value = d.random.choice([s, s, s, call("sqrt", s), add(r, call("log", s)), div(s, Index(self.columns)), add(s, r), div(s, add(d.literal(1), call("abs", r)))])
            return [Assign(Load(y, (self.row,)), d.random.choices(["=", "+="], [85, 15])[0], value)]
        if form < 0.8:
            in_place = d.chance(0.25) and isinstance(self.element, Load) and any(a.name == self.element.array for a in d.arrays)
            if in_place:
                d.write(self.element.array)
                place = self.element
            else:
                y = d.array("result", kind=y_kind, written=True)
                place = Load(y, self.place(y, self.row, self.column))
            value = d.random.choice([div(call("exp", sub(self.element, r)), s), div(sub(self.element, r), add(s, d.literal(1))), mul(self.element, s), sub(self.element, s)])
            return [self.along_columns([Assign(place, "=", value)])]
        return self.contraction(r, s)

    def contraction(self, r, s):
        """Columns weighted and added to a vector."""
        d, e, t = self.d, self.d.name("loop"), self.d.name("scalar")
        o, v, depth = d.array("result", kind=d.kind if d.chance(0.8) else None, written=True), d.array(), d.size()
        weight = d.random.choice([call("exp", sub(self.element, r)), div(call("exp", sub(self.element, r)), s), sub(self.element, r), div(self.element, s)])
        body = [Let(t, d.kind, d.literal(0)), self.along_columns([self.reduction(t, "sum", mul(weight, Load(v, (f"{self.column} * {depth} + {e}",))), self.mask)]),
                Assign(Load(o, (f"{self.row} * {depth} + {e}",)), "=", Scalar(t) if d.chance(0.6) else div(Scalar(t), s))]
        return [d.loop(e, ("0", depth, 1, False), body)]

    def reductions(self):
        """What stands in the loop over rows."""
        d = self.d
        name, how, start, value, known, r = self.producer()
        body = [Let(name, d.kind, start), self.along_columns([self.reduction(name, how, value, self.mask)]), *known]
        names, s = [r.name], None
        for _ in range(d.random.choices([1, 2, 3], [60, 30, 10])[0]):
            how, start, value = self.consumer(Scalar(d.random.choice(names)) if d.chance(0.2) else r, s)
            mask = self.mask if self.shared or d.chance(0.5) else None
            t = d.name("scalar")
            if d.chance(0.08):
                value = Cast("f" if d.kind == "d" else "h", value)
            body += [Let(t, d.kind, start), self.along_columns([self.reduction(t, how, value, mask)])]
            names.append(t)
            s = Scalar(t)
        return body + self.last(names)

    def statements(self):
        d, body = self.d, self.reductions()
        start = "0" if d.chance(0.9) else "1"
        row = d.loop(self.row, (start, self.rows, 2 if d.chance(0.05) else 1, d.signed and d.chance(0.05)), [*self.stage, *body])
        return [Let(self.total, d.kind, d.literal(0)), row] if self.total else [row]


def d_condition(op, left, right):
    from fuzzing.model import OnData

    return OnData(op, left, right)


__all__ = ["Chain", "OnIndex"]
