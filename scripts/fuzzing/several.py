"""Reductions that wait for reductions along the elements of several loops: windows of few elements that rows move, and all of two
dimensions. Floats go through the chains' producers and consumers, integers through sums and extremes."""
from fuzzing.chains import Chain
from fuzzing.model import Assign, Binary, Call, If, Index, Let, Literal, Load, OnData, OnIndex, Scalar, Select

LAST = {"i": "2147483647", "u": "4294967295u"}


class Several(Chain):
    """A chain of which a row is one loop or two, and the elements of a row are those of one loop to three."""

    def __init__(self, draw):
        self.d, self.stage, self.shared, self.total = draw, (), True, ""
        self.moves = draw.chance(0.65)  # a window that rows move; else each row has elements of its own
        rank = draw.random.choices([1, 2], [35, 65])[0]
        self.outer = [draw.name("loop") for _ in range(rank if self.moves else draw.one(1, 1, 2))]
        self.inner = [draw.name("loop") for _ in range(rank if self.moves else draw.one(2, 2, 3))]
        self.turns = [str(draw.random.randint(1, 5)) if self.moves or draw.chance(0.25) else draw.size() for _ in self.inner]
        self.ends = [draw.size() for _ in self.outer]
        if self.moves and rank == 1 and draw.chance(0.4):  # channels beside the window, moved by nothing
            self.inner.insert(draw.one(0, 1), draw.name("loop"))
            self.turns.insert(0, draw.size())
        self.step = draw.random.choices([1, 2, 3], [75, 15, 10])[0] if self.moves else 1
        self.centred = self.moves and draw.signed and draw.chance(0.4)
        self.order = draw.random.sample(range(len(self.inner)), len(self.inner)) if draw.chance(0.2) else range(len(self.inner))
        self.row = self.numbered_by(self.outer, self.ends)
        self.rows, self.columns = " * ".join(self.ends), "(" + " * ".join(self.turns) + ")"
        self.column = self.numbered_by(self.inner, self.turns)
        self.mask = self.drawn_mask() if draw.chance(0.6) else self.within() if self.moves else None
        x = draw.array(kind=draw.random.choice("esli") if draw.kind in "iu" else None)
        self.pitches = [draw.size() for _ in self.outer]
        self.element = Load(x, self.place(x, self.row, self.column))
        if draw.kind not in "iu" and draw.chance(0.25):
            self.element = Binary("*", self.element, Load(draw.array(), (self.column,)))

    @staticmethod
    def numbered_by(variables, extents):
        """The number of an element among all, the last of the loops quickest."""
        text = variables[0]
        for v, extent in zip(variables[1:], extents[1:]):
            text = f"({text} * {extent} + {v})"
        return text

    def at(self, k):
        """Where the window stands along the k-th of the loops that move it."""
        y = self.outer[k] if self.step == 1 else f"{self.step} * {self.outer[k]}"
        centre = f" - {int(self.window()[1][k]) // 2}" if self.centred else ""
        return f"{y} + {self.window()[0][k]}{centre}"

    def window(self):
        """The loops of the window, without those of channels, and how often they turn."""
        pairs = [(v, t) for v, t in zip(self.inner, self.turns) if t.isdigit()] if self.moves else []
        return [v for v, _ in pairs], [t for _, t in pairs]

    def within(self):
        """The window's elements that lie within the image."""
        return OnIndex(" && ".join(f"{self.at(k)} >= 0 && {self.at(k)} < {self.ends[k]}" for k in range(len(self.window()[0])))) if self.centred else None

    def drawn_mask(self):
        form = self.d.random.random()
        if form >= 0.9:
            return self.d.on_data(Load(self.d.array(), (self.column,)))
        return self.on_two() if form >= 0.7 else None

    def on_two(self):
        """A condition that does not leave out everything: loops that only turn take long, and tell nothing."""
        while True:
            drawn = self.d.condition([*self.outer, *self.inner])
            if all(drawn.text != f"{v} != {v}" for v in self.outer + self.inner):
                return drawn

    def place(self, name, row, column):
        if column == self.column and self.moves:
            moved = self.window()[0]
            flat = self.at(0)
            for k in range(1, len(moved)):
                flat = f"({flat}) * {self.pitches[k]} + {self.at(k)}"
            beside = [v for v in self.inner if v not in moved]
            return (f"({flat}) * {self.turns[self.inner.index(beside[0])]} + {beside[0]}" if beside else flat,)
        if self.d.chance(0.8):
            return (f"{row} * {self.columns} + {column}",)
        return (f"{column} * ({self.rows}) + {row}",)

    def along_columns(self, body):
        for k in reversed(self.order):
            body = [self.d.loop(self.inner[k], ("0", self.turns[k], 1, self.d.signed and self.d.chance(0.04)), body)]
        return body[0]

    def last(self, names):
        d, s, r = self.d, Scalar(names[-1]), Scalar(names[0])
        if self.moves or d.chance(0.6):
            y = d.array("result", kind=d.random.choice("esli") if d.kind in "iu" else d.kind if d.chance(0.8) else None, written=True)
            if d.kind in "iu":
                value = d.one(s, Binary("/", s, Index(self.columns)) if all(turns.isdigit() for turns in self.turns) else s, Binary("%", s, Literal("97")), Binary("-", s, r))
            else:
                value = d.one(s, s, Call("std::sqrt", (s,)), Binary("/", s, Index(self.columns)), Binary("+", s, r))
            return [Assign(Load(y, (self.row,)), "=", value)]
        return super().last(names) if d.kind not in "iu" else self.each(s)

    def each(self, s):
        """What each element is to the row's result."""
        d = self.d
        y = d.array("result", kind=d.random.choice("li"), written=True)
        return [self.along_columns([Assign(Load(y, self.place(y, self.row, self.column)), "=", Binary("-", self.element, s))])]

    def contraction(self, r, s):
        """As each, of floats."""
        y = self.d.array("result", kind=self.d.kind, written=True)
        return [self.along_columns([Assign(Load(y, self.place(y, self.row, self.column)), "=", Binary("-", self.element, s))])]

    def of_integers(self):
        """A sum or an extreme, and what counts or sums about it."""
        d, x, body, names = self.d, self.element, [], []
        for k in range(d.random.choices([1, 2, 3], [50, 35, 15])[0]):
            name, form = d.name("scalar"), d.random.random()
            s, value = Scalar(name), x if not names else d.one(x, Binary("-", x, Scalar(names[0])), Binary("+", x, Literal("1")))
            if form < 0.5:
                start, step = Literal("0"), Assign(s, "+=", value)
            elif form < 0.62:
                start, step = Literal("0"), If(d.on_data(value), (Assign(s, "+=", Literal("1")),))
            elif form < 0.8:
                kind = "int" if d.kind == "i" else "unsigned"
                start, step = Literal("0"), Assign(s, "=", Call(f"std::{d.one('max', 'min')}<{kind}>", (s, value)))
            else:
                op = d.one("<", ">")
                start = Literal(LAST[d.kind] if op == "<" else "0")
                step = Assign(s, "=", Select(OnData(op, value, s), value, s))
            step = If(self.mask, (step,)) if self.mask else step
            body += [Let(name, d.kind, start), self.along_columns([step])]
            names.append(name)
        return body + self.last(names)

    def statements(self):
        body = self.of_integers() if self.d.kind in "iu" else self.reductions()
        for v, end in reversed(list(zip(self.outer, self.ends))):
            start = "1" if self.d.chance(0.15) else "0"
            body = [self.d.loop(v, (start, end, 1, self.d.signed and self.d.chance(0.04)), body)]
        return body
