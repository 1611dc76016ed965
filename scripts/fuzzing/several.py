"""Reductions that wait for reductions along the elements of several loops: windows of few elements that rows move, and all of two
dimensions. Floats go through the chains' producers and consumers, integers through sums and extremes."""
from fuzzing.chains import Chain
from fuzzing.model import Assign, Binary, Call, If, Index, Let, Literal, Load, OnData, OnIndex, Scalar, Select

LAST = {"i": "2147483647", "u": "4294967295u"}


class Several(Chain):
    """A chain of which a row is one loop or two, and the elements of a row are those of one loop to three."""

    def __init__(self, draw):
        self.d, self.stage, self.shared, self.total, self.whole = draw, (), True, "", draw.kind in "iu"
        moves = draw.chance(0.65)  # a window that rows move; else each row has elements of its own
        rank = draw.random.choices([1, 2], [35, 65])[0]
        self.outer = [draw.name("loop") for _ in range(rank if moves else draw.one(1, 1, 2))]
        self.inner = [draw.name("loop") for _ in range(rank if moves else draw.one(2, 2, 3))]
        self.turns = [str(draw.random.randint(1, 5)) if moves or draw.chance(0.25) else draw.size() for _ in self.inner]
        self.ends = [draw.size() for _ in self.outer]
        self.moved = list(zip(self.outer, self.inner, self.turns)) if moves else []
        self.channel = ""  # a loop beside the window, moved by nothing
        if moves and rank == 1 and draw.chance(0.4):
            place, self.channel = draw.one(0, 1), draw.name("loop")
            self.inner.insert(place, self.channel)
            self.turns.insert(place, draw.size())
        self.step = draw.random.choices([1, 2, 3], [75, 15, 10])[0] if moves else 1
        self.centred = moves and draw.signed and draw.chance(0.4)
        self.order = draw.random.sample(range(len(self.inner)), len(self.inner)) if draw.chance(0.2) else range(len(self.inner))
        self.row = self.numbered_by(self.outer, self.ends)
        self.rows, self.columns = " * ".join(self.ends), "(" + " * ".join(self.turns) + ")"
        self.column = self.numbered_by(self.inner, self.turns)
        self.mask = self.drawn_mask() if draw.chance(0.6) else self.within()
        x = draw.array(kind=draw.random.choice("esli") if self.whole else None)
        self.pitches = [draw.size() for _ in self.outer]
        self.element = Load(x, self.place(x, self.row, self.column))
        if not self.whole and draw.chance(0.25):
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
        row, column, turns = self.moved[k]
        centre = f" - {int(turns) // 2}" if self.centred else ""
        return (row if self.step == 1 else f"{self.step} * {row}") + f" + {column}{centre}"

    def within(self):
        """The window's elements that lie within the image."""
        if not self.centred:
            return None
        return OnIndex(" && ".join(f"{self.at(k)} >= 0 && {self.at(k)} < {self.ends[k]}" for k in range(len(self.moved))))

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
        if column == self.column and self.moved:
            flat = self.at(0)
            for k in range(1, len(self.moved)):
                flat = f"({flat}) * {self.pitches[k]} + {self.at(k)}"
            return (f"({flat}) * {self.turns[self.inner.index(self.channel)]} + {self.channel}" if self.channel else flat,)
        if self.d.chance(0.8):
            return (f"{row} * {self.columns} + {column}",)
        return (f"{column} * ({self.rows}) + {row}",)

    def along_columns(self, body):
        for k in reversed(self.order):
            body = [self.d.loop(self.inner[k], ("0", self.turns[k], 1, self.d.signed and self.d.chance(0.04)), body)]
        return body[0]

    def last(self, names):
        d, s, r = self.d, Scalar(names[-1]), Scalar(names[0])
        if not self.moved and not d.chance(0.6):
            return self.each(s, d.random.choice("li")) if self.whole else super().last(names)
        if self.whole:
            y = d.array("result", kind=d.random.choice("esli"), written=True)
            mean = Binary("/", s, Index(self.columns)) if all(turns.isdigit() for turns in self.turns) else s
            value = d.one(s, mean, Binary("%", s, Literal("97")), Binary("-", s, r))
        else:
            y = d.array("result", kind=d.kind if d.chance(0.8) else None, written=True)
            value = d.one(s, s, Call("std::sqrt", (s,)), Binary("/", s, Index(self.columns)), Binary("+", s, r))
        return [Assign(Load(y, (self.row,)), "=", value)]

    def each(self, s, kind):
        """What each element is to the row's result, in numbers of a kind."""
        y = self.d.array("result", kind=kind, written=True)
        return [self.along_columns([Assign(Load(y, self.place(y, self.row, self.column)), "=", Binary("-", self.element, s))])]

    def contraction(self, r, s):
        return self.each(s, self.d.kind)

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
        body = self.of_integers() if self.whole else self.reductions()
        for v, end in reversed(list(zip(self.outer, self.ends))):
            start = "1" if self.d.chance(0.15) else "0"
            body = [self.d.loop(v, (start, end, 1, self.d.signed and self.d.chance(0.04)), body)]
        return body
