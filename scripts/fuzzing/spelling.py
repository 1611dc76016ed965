"""Programs in the forms that people write: the same values in the same order, spelled another way.

What is drawn for a place depends on the program's number and the place alone, so that a program that is made smaller keeps the
spelling of what is left. Forms: `while` and other ends, steps and types of loops, heads without a start or with two counters, steps in
bodies and conditions, `continue`, named places, pointers to rows that are indexed, pointers that walk along, views with operators,
spans of parts, spans and vectors for arrays, lambdas for elements, helpers for operations that return early or late, functions that return where there is nothing
to do, the standard's algorithms for sums, C's names of functions, constants with names, loops
that end by what data are.
"""
import dataclasses
import random
import re

from fuzzing.model import NAMES, Assign, Binary, Call, Gather, If, Let, Literal, Load, Loop, Scalar
from fuzzing.text import Printing

SIGNED = ("int", "long", "std::int64_t")
FLAT = re.compile(r"(\w+) \* (\w+) \+ (\w+)")
SUM_OF_TWO = re.compile(r"(\w+(?: \* \w+)?) \+ (\w+)")
WORDS_OF = {"+": "added", "-": "difference", "*": "product", "/": "quotient"}
IN_C = {"exp", "sqrt", "log", "tanh", "sin", "cos", "fmax", "fmin", "pow"}


def holder(program, array):
    """What holds an array that the function is given: "pointer", "span" or "vector", which has no elements before its first, and no 16-bit floats:
    a vector of those is of another type on a device."""
    if not program.held or array.inner:
        return "pointer"
    starts = array.kind not in "hb" and all(s.isidentifier() or s.isdigit() for s in subscripts_of(program.body, array.name))
    weights = {"pointer": 50, "span": 25, "vector": 25 if starts else 0}
    return random.Random(f"{program.spelling}:holder of {array.name}").choices(list(weights), list(weights.values()))[0]


def subscripts_of(node, name):
    """The texts of first subscripts of an array anywhere within, and where the loops there begin."""
    if isinstance(node, Loop):
        yield node.start
    if isinstance(node, Load) and node.array == name:
        yield node.subscripts[0].text if isinstance(node.subscripts[0], Gather) else node.subscripts[0].replace(" * ", "").replace(" + ", "")
    if dataclasses.is_dataclass(node):
        for field in dataclasses.fields(node):
            yield from subscripts_of(getattr(node, field.name), name)
    elif isinstance(node, (tuple, list)):
        for one in node:
            yield from subscripts_of(one, name)


class Spelled(Printing):
    """The source of one program in drawn forms."""

    def __init__(self, program):
        super().__init__(program, "source")
        self.signed = program.size_type in SIGNED
        self.before, self.helpers, self.firsts, self.named, self.loops = [], {}, {}, 0, []
        self.around, self.walkers = [], {}  # variables of the loops around, and of the innermost one the pointers that it moves

    def drawn(self, place, **forms):
        """One of `forms`, by their weights; the same for a place whenever it is asked."""
        return random.Random(f"{self.program.spelling}:{place}").choices(list(forms), list(forms.values()))[0]

    def fresh(self, word):
        self.named += 1
        return f"{word}_{self.named}"

    def computed(self):
        return NAMES[self.program.kind]

    # Elements.

    def element(self, load):
        array, plain = self.program.array(load.array), super().element(load)
        if array is None or array.inner or array.bound or len(load.subscripts) != 1 or holder(self.program, array) != "pointer":
            return plain
        place = self.subscript(load.subscripts[0])
        if self.loops and self.loops[-1] == "walks" and (walker := self.walker(load.array, place, array)):
            return f"*{walker}"
        form = self.drawn(f"element {plain}", plain=40, named=14, sum=8, row=12, walked=6, view=12, got=8, span=8)
        constant = "" if array.written else "const "
        kind = NAMES[array.kind]
        if form == "named":
            name = self.fresh("at")
            integer = "int" if isinstance(load.subscripts[0], Gather) else self.program.size_type
            self.before.append(f"const {integer} {name} = {place};")
            return f"{load.array}[{name}]"
        if form == "sum" and self.signed:
            return f"*({load.array} + ({place}))"
        split = SUM_OF_TWO.fullmatch(place)
        if form == "row" and self.signed and split:
            name = self.fresh("row")
            self.before.append(f"{constant}{kind} *{name} = {load.array} + {split[1]};")
            return f"{name}[{split[2]}]"
        if form == "span" and self.signed and split:
            name = self.fresh("part")
            self.before.append(f"const std::span<{constant}{kind}> {name}({load.array} + {split[1]}, {split[2]} + 1);")
            return f"{name}[{split[2]}]"
        if form == "walked" and self.signed and split:
            name = self.fresh("at")
            self.before += [f"{self.program.size_type} {name} = {split[1]};", f"{name} += {split[2]};"]
            return f"{load.array}[{name}]"
        flat = FLAT.fullmatch(place)
        if flat and flat[2] not in self.program.sizes and not flat[2].isdigit():
            return plain  # no pitch that is known before all loops
        if form == "view" and flat:
            view, name = f"View_{self.program.name}_{load.array}", f"{load.array}_by_{flat[2]}"
            size = self.program.size_type
            self.helpers[view] = (f"struct {view} {{\n  {constant}{kind} *data;\n  {size} pitch;\n"
                                  f"  {constant}{kind} &operator()({size} line, {size} place) const {{ return data[line * pitch + place]; }}\n}};\n")
            self.firsts[name] = f"const {view} {name}{{{load.array}, {flat[2]}}};"
            return f"{name}({flat[1]}, {flat[3]})"
        if form == "got" and flat:
            name, size = f"{load.array}_along_{flat[2]}", self.program.size_type
            self.firsts[name] = f"auto {name} = [&]({size} line, {size} place) -> {constant}{kind} & {{ return {load.array}[line * {flat[2]} + place]; }};"
            return f"{name}({flat[1]}, {flat[3]})"
        return plain

    def walker(self, name, place, array):
        """The pointer that the loop around moves along these elements; none where they lie otherwise."""
        split = re.fullmatch(rf"(.*) \+ {self.around[-1]}|{self.around[-1]}", place)
        known = {*self.program.sizes, *self.around[:-1]}
        if not split or any(w not in known for w in re.findall(r"[A-Za-z_]\w*", split[1] or "")):
            return ""
        if (name, place) not in self.walkers:
            start = f"{name} + ({split[1]} + {{begin}})" if split[1] else f"{name} + {{begin}}"
            self.walkers[name, place] = self.fresh("walk"), ("" if array.written else "const ") + NAMES[array.kind], start
        return self.walkers[name, place][0]

    # Values.

    def value(self, e):
        match e:
            case Binary(op, left, right) if op in WORDS_OF and self.floating:
                form = self.drawn(f"value {e}", plain=82, helper=6, template=4, local=5, early=3)
                name, kind = f"{WORDS_OF[op]}_{self.program.name}", self.computed()
                if form == "helper":
                    self.helpers[name] = f"static inline {kind} {name}({kind} a, {kind} b) {{ return a {op} b; }}\n"
                    return f"{name}({self.value(left)}, {self.value(right)})"
                if form == "template":
                    name += "_of"
                    self.helpers[name] = f"template <class T> T {name}(T a, T b) {{\n  const T result = a {op} b;\n  return result;\n}}\n"
                    return f"{name}<{kind}>({self.value(left)}, {self.value(right)})"
                if form == "early":
                    name += "_early"
                    self.helpers[name] = f"static inline {kind} {name}({kind} a, {kind} b) {{\n  if (a < b) return a {op} b;\n  return a {op} b;\n}}\n"
                    return f"{name}({self.value(left)}, {self.value(right)})"
                if form == "local":
                    name = f"{WORDS_OF[op]}_here"
                    self.firsts[name] = f"auto {name} = []({kind} a, {kind} b) {{ return a {op} b; }};"
                    return f"{name}({self.value(left)}, {self.value(right)})"
            case Call(name, arguments) if name.removeprefix("std::") in IN_C and self.drawn(f"call {e}", plain=75, c=25) == "c":
                name = name.removeprefix("std::") + ("f" if self.program.kind == "f" else "")
                return f"{name}({', '.join(self.value(a) for a in arguments)})"
            case Literal(text) if self.floating and self.drawn(f"literal {text}", plain=80, named=20) == "named":
                name = "constant_" + re.sub(r"\W", "_", text)
                infinite = f"std::numeric_limits<{self.computed()}>::infinity()"
                self.firsts[name] = f"constexpr {self.computed()} {name} = {text.replace('INFINITY', infinite)};"
                return name
        return super().value(e)

    # Statements.

    def line(self, text):
        for declared in self.before:
            super().line(declared)
        self.before = []
        super().line(text)

    def loop(self, s):
        summed = self.by_algorithm(s)
        if summed:
            self.line(summed)
            return
        kind, v = self.program.size_type, s.variable
        form = self.drawn(f"loop {v} {s.start} {s.end}", plain=44, whiles=12, typed=12, unequal=8, upto=8, before=8, ahead=6, within=6, beside=6,
                          left=6, walks=14)
        if not self.signed and form in ("beside", "left", "walks"):
            form = "plain"
        kind = self.drawn(f"type {v}", **{"int": 30, "long": 30, "short": 20, "std::int64_t": 20}) if form == "typed" and self.signed else kind
        self.loops.append(form)
        self.around.append(v)
        begin, goes_on = (f"{s.end} - 1", f"{v} >= {s.start}") if s.down else (s.start, f"{v} < {s.end}")
        by = f"{v} {'-' if s.down else '+'}= {s.step}"
        if form in ("whiles", "ahead", "within", "left"):
            self.bare_loop(s, kind, form, begin, goes_on, by)
        elif form == "walks":
            self.walking_loop(s, kind, begin)
        else:
            head = self.head(s, kind, form)
            if form == "beside":
                head = f"for ({kind} {v} = {begin}, {v}_also = {s.start}; {goes_on}; {by}, {v}_also++)"
            self.line(head + " {")
            self.block(s.body)
            self.line("}")
        self.around.pop()
        self.loops.pop()

    def bare_loop(self, s, kind, form, begin, goes_on, by):
        """A loop whose variable is set before it."""
        v, left = s.variable, f"{s.variable}_left"
        self.line("{")
        self.depth += 1
        self.line(f"{kind} {v} = {begin};")
        if form == "left":
            self.line(f"{kind} {left} = ({s.end} - ({s.start}) + {s.step - 1}) / {s.step};" if s.step > 1 else f"{kind} {left} = {s.end} - ({s.start});")
        head = {"whiles": f"while ({goes_on})", "ahead": f"for (; {goes_on}; {by})", "within": f"for (; {goes_on};)", "left": f"while ({left}-- > 0)"}
        self.line(head[form] + " {")
        self.block(s.body)
        if form != "ahead":
            self.depth += 1
            self.line(f"{by};")
            self.depth -= 1
        self.line("}")
        self.depth -= 1
        self.line("}")

    def walking_loop(self, s, kind, begin):
        """A loop that moves pointers along the elements of its body."""
        outer, self.walkers = self.walkers, {}
        first = len(self.lines)
        self.line(self.head(s, kind, "plain") + " {")
        self.block(s.body)
        self.depth += 1
        for name, _, _ in self.walkers.values():
            self.line(f"{name} {'-' if s.down else '+'}= {s.step};")
        self.depth -= 1
        self.line("}")
        self.lines[first:first] = ["  " * self.depth + f"{held} *{name} = {start.format(begin=begin)};" for name, held, start in self.walkers.values()]
        self.walkers = outer

    def head(self, s, kind, form):
        v, whole = s.variable, s.start == "0" and s.end in self.program.sizes
        if s.down:
            if form == "unequal" and s.step == 1 and whole:
                return f"for ({kind} {v} = {s.end}; {v}-- > 0;)"
            by = f"--{v}" if s.step == 1 else f"{v} = {v} - {s.step}"
            return f"for ({kind} {v} = {s.end} - 1; {v} {'> ' + s.start + ' - 1' if form == 'before' else '>= ' + s.start}; {by})"
        by = (f"++{v}" if form != "before" else f"{v} += 1") if s.step == 1 else f"{v} = {v} + {s.step}"
        if form == "unequal" and s.step == 1 and whole:
            return f"for ({kind} {v} = {s.start}; {v} != {s.end}; {by})"
        if form == "upto" and self.signed:
            return f"for ({kind} {v} = {s.start}; {v} <= {s.end} - 1; {by})"
        return f"for ({kind} {v} = {s.start}; {s.end} > {v}; {by})" if form == "before" else f"for ({kind} {v} = {s.start}; {v} < {s.end}; {by})"

    def by_algorithm(self, s):
        """A sum over consecutive elements as one statement; none where the loop is no such sum, or is left a loop."""
        if s.start != "0" or s.down or s.step != 1 or len(s.body) != 1 or not self.floating:
            return ""
        if s.end not in self.program.sizes and not re.fullmatch(r"\w+ \+ 1", s.end):
            return ""
        match s.body[0]:
            case Assign(Scalar(name), "+=", Binary("*", left, right)):
                ends = [self.run(left, s.variable), self.run(right, s.variable)]
            case Assign(Scalar(name), "+=", value):
                ends = [self.run(value, s.variable)]
            case _:
                return ""
        if not all(ends) or self.kind_of(name) != self.program.kind or self.drawn(f"sum {ends} {s.end}", loop=50, algorithm=50) == "loop":
            return ""
        if len(ends) == 1:
            return f"{name} = std::accumulate({ends[0]}, {ends[0]} + {s.end}, {name});"
        return f"{name} = std::inner_product({ends[0]}, {ends[0]} + {s.end}, {ends[1]}, {name});"

    def run(self, e, variable):
        """Where the elements that `e` takes one after another begin."""
        if not isinstance(e, Load) or len(e.subscripts) != 1 or isinstance(e.subscripts[0], Gather):
            return ""
        array = self.program.array(e.array)
        if array is None or array.inner or array.bound or array.kind != self.program.kind:
            return ""
        first = e.array if holder(self.program, array) == "pointer" else f"{e.array}.data()"
        if e.subscripts[0] == variable:
            return first
        split = SUM_OF_TWO.fullmatch(e.subscripts[0])
        inside = split and re.search(rf"\b{variable}\b", split[1])
        return f"{first} + {split[1]}" if split and split[2] == variable and not inside and self.signed else ""

    def block(self, body):
        last = body[-1] if body else None
        if isinstance(last, If) and self.loops and self.loops[-1] not in ("whiles", "within", "left", "walks", "inside"):
            if self.drawn(f"guard {last.condition}", block=70, skip=30) == "skip":
                super().block(body[:-1])
                self.depth += 1
                self.line(f"if (!({self.condition(last.condition)})) continue;")
                self.depth -= 1
                self.loops.append("inside")
                super().block(last.body)
                self.loops.pop()
                return
        super().block(body)

    def ended(self, value):
        """A variable that holds the value behind a loop which ends by what it is: a turn changes nothing of it."""
        form = self.drawn(f"ended {value}", plain=84, grows=4, breaks=4, again=4, retries=4)
        if form == "plain" or isinstance(value, (Literal, Scalar)):
            return value
        name, kind, text = self.fresh("held"), self.computed(), self.value(value)
        one, far = ("1.0f", "100.0f") if self.program.kind == "f" else ("1.0", "100.0")
        self.locals[name] = self.program.kind
        counted = self.fresh("turn")
        if form == "retries":
            self.line(f"{kind} {name} = 0;")
            self.line(f"for (int {counted} = 0; {counted} < 3; {counted}++) {{")
            self.line(f"  {name} = {text};")
            self.line(f"  if ({name} == {name}) break;")
            self.line("}")
            return Scalar(name)
        self.line(f"{kind} {name} = {text};")
        if form == "breaks":
            self.line(f"for (int {counted} = 0; {counted} < 2; {counted}++) {{")
            self.line(f"  if (!({name} < -{far})) break;")
            self.line(f"  {name} *= {one};")
            self.line("}")
            return Scalar(name)
        self.line(f"int {counted} = 0;")
        self.line(f"while ({name} > {far} && {counted} < 3) {{" if form == "grows" else "do {")
        self.line(f"  {name} = {name} * {one};")
        self.line(f"  {counted}++;")
        self.line("}" if form == "grows" else f"}} while ({name} < {one} && {counted} < 2);")
        return Scalar(name)

    def statement(self, s):
        if self.program.ended and isinstance(s, (Let, Assign)) and self.floating:
            s = dataclasses.replace(s, value=self.ended(s.value))
        match s:
            case If():
                self.loops.append("inside")
                super().statement(s)
                self.loops.pop()
            case Let(name, kind, value) if kind == self.program.kind and self.drawn(f"let {name}", plain=75, assigned=25) == "assigned":
                self.locals[name] = kind
                self.line(f"{NAMES[kind]} {name};")
                self.line(f"{name} = {self.value(value)};")
            case Assign(target, ("+=" | "-="), value) if isinstance(target, Scalar) or self.kind_of(target.array) == self.program.kind:
                name = target.name if isinstance(target, Scalar) else target.array
                if self.kind_of(name) == self.program.kind and self.drawn(f"assign {target} {value}", plain=70, whole=30) == "whole":
                    place = name if isinstance(target, Scalar) else super().element(target)
                    self.line(f"{place} = {place} {s.op[0]} {self.value(value)};")
                else:
                    super().statement(s)
            case _:
                super().statement(s)

    def parameter(self, array):
        how = holder(self.program, array)
        if how == "pointer":
            return super().parameter(array)
        constant, kind = "" if array.written else "const ", "int" if array.bound else self.type_of(array.kind)
        return f"std::span<{constant}{kind}> {array.name}" if how == "span" else f"{constant}std::vector<{kind}> &{array.name}"

    def function(self):
        whole = super().function()
        head, rest = whole.split("{\n", 1)
        firsts = "".join(f"  {line}\n" for line in self.firsts.values())
        returns = self.signed and not self.program.result and self.drawn("nothing to do", falls=85, returns=15) == "returns"
        nothing = f"  if ({self.program.sizes[0]} < 0) return;\n" if returns else ""
        return "".join(self.helpers.values()) + head + "{\n" + nothing + firsts + rest


__all__ = ["Spelled", "holder"]
