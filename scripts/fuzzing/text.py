"""Programs as C++ text: the source, the wide evaluation of it, and its shape.

- source: what polymend reads.
- wide: the same operations in long double. What the source rounds to a type narrower than that of its computations is rounded there.
- shape: the same loops and conditions on indices; each access is told as touch(array, element). It finds how long arrays must be,
  and a case whose sizes leave an array of constant extents is skipped in every process alike.
"""
import math

from fuzzing.model import (NAMES, Assign, Binary, Call, Cast, Gather, If, Index, Let, LetArray, Literal, Load, Loop, OnIndex, Scalar,
                           Select)

LESS = {"d": "fhb", "f": "hb", "i": "", "u": ""}
DIGITS = {"d": 53, "f": 24, "h": 11, "b": 8}


class Printing:
    """One printing of one program."""

    def __init__(self, program, mode):
        self.program, self.mode, self.lines, self.depth = program, mode, [], 1
        self.locals = {}
        self.floating = program.kind in "fd"

    def kind_of(self, name):
        array = self.program.array(name)
        return array.kind if array else self.locals.get(name, self.program.kind)

    def type_of(self, kind):
        return "W" if self.mode == "wide" and kind in "fdhb" else NAMES[kind]

    def narrow(self, kind, text):
        """`text` as it is stored in a `kind`."""
        if self.mode != "wide" or not self.floating or kind not in LESS[self.program.kind]:
            return text
        return f"keep_{kind}<{self.digits()}>({text})"

    def digits(self):
        return DIGITS[self.program.kind]

    def held(self, e):
        """The kind whose numbers a value is one of, although it is computed with as another."""
        match e:
            case Cast(kind, _):
                return kind
            case Load():
                return self.kind_of(e.array)
        return self.program.kind

    def subscript(self, s):
        return f"{s.array}[{s.text}]" if isinstance(s, Gather) else s

    def element(self, load):
        return load.array + "".join(f"[{self.subscript(s)}]" for s in load.subscripts)

    def condition(self, c):
        return c.text if isinstance(c, OnIndex) else f"{self.value(c.left)} {c.op} {self.value(c.right)}"

    def value(self, e):
        wide = self.mode == "wide" and self.floating
        match e:
            case Literal(text):
                return f"W({text})" if wide else text
            case Scalar(name):
                kind = self.kind_of(name)
                return f"({NAMES[self.program.kind]}){name}" if not wide and kind in "hb" else name
            case Index(text):
                return f"W({text})" if wide else f"({NAMES[self.program.kind]})({text})"
            case Load(array, _):
                kind = self.kind_of(array)
                cast = kind in "hb" or (kind == "f" and self.program.kind == "d") or (kind in "sel" and self.program.kind == "u")
                return (f"({NAMES[self.program.kind]})" if cast and not wide else "") + self.element(e)
            case Binary(op, left, right):
                return f"({self.value(left)} {op} {self.value(right)})"
            case Call(name, arguments):
                if wide:
                    name = name.replace("std::", "wide::").split("<")[0]
                return f"{name}({', '.join(self.value(a) for a in arguments)})"
            case Cast(kind, value):
                return self.narrow(kind, self.value(value)) if wide else f"({NAMES[self.program.kind]})({NAMES[kind]})({self.value(value)})"
            case Select(condition, yes, no):
                return f"({self.condition(condition)} ? {self.value(yes)} : {self.value(no)})"
        raise TypeError(e)

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def block(self, body):
        self.depth += 1
        for s in body:
            self.statement(s)
        self.depth -= 1

    def loop(self, s):
        kind = self.program.size_type
        by = f"{s.variable}++" if s.step == 1 else f"{s.variable} += {s.step}"
        if s.down:
            by = f"{s.variable}--" if s.step == 1 else f"{s.variable} -= {s.step}"
            self.line(f"for ({kind} {s.variable} = {s.end} - 1; {s.variable} >= {s.start}; {by}) {{")
        else:
            self.line(f"for ({kind} {s.variable} = {s.start}; {s.variable} < {s.end}; {by}) {{")
        self.block(s.body)
        self.line("}")

    def statement(self, s):
        match s:
            case Loop():
                self.loop(s)
            case If(condition, body):
                if self.mode == "shape" and not isinstance(condition, OnIndex):
                    self.touches(condition.left)
                    self.touches(condition.right)
                    self.line("{")
                else:
                    self.line(f"if ({self.condition(condition)}) {{")
                self.block(body)
                self.line("}")
            case LetArray(name, kind, extent):
                self.locals[name] = kind
                if self.mode != "shape":
                    self.line(f"{self.type_of(kind)} {name}[{extent}];")
                else:
                    self.line(f"Local {name}_held({extent});")
            case Let(name, kind, value):
                self.locals[name] = kind
                if self.mode == "shape":
                    self.touches(value)
                else:
                    cast = f"({NAMES[kind]})" if kind != self.program.kind and self.mode == "source" else ""
                    self.line(f"{self.type_of(kind)} {name} = {cast}{self.narrow(kind, self.value(value))};")
            case Assign():
                self.assign(s)

    def assign(self, s):
        if self.mode == "shape":
            self.touches(s.value)
            if isinstance(s.target, Load):
                if s.op != "=":
                    self.touch(s.target)
                self.touch(s.target, True)
            return
        name = s.target.name if isinstance(s.target, Scalar) else s.target.array
        place = name if isinstance(s.target, Scalar) else self.element(s.target)
        kind, value = self.kind_of(name), self.value(s.value)
        if self.mode == "wide" and self.narrow(kind, "") != "":
            kept = self.narrow(kind, value if s.op == "=" else f"{place} {s.op[0]} ({value})")
            if s.op != "=" and self.held(s.value) == kind:
                kept = f"summed<{self.digits()}, {DIGITS[kind]}>({kept})"
            self.line(f"{place} = {kept};")
            return
        cast = f"({NAMES[kind]})" if kind != self.program.kind and s.op == "=" and self.mode == "source" else ""
        self.line(f"{place} {s.op} {cast + '(' if cast else ''}{value}{')' if cast else ''};")

    def touch(self, load, written=False):
        array = self.program.array(load.array)
        if array is None:
            self.line(f"{load.array}_held.{'write' if written else 'read'}({load.subscripts[0]});")
            return
        number = self.program.arrays.index(array)
        first = load.subscripts[0]
        if isinstance(first, Gather):
            self.line(f"touch({self.program.arrays.index(self.program.array(first.array))}, {first.text});")
            self.line(f"nonempty({first.bound});")
            self.line(f"touch({number}, 0);")
            self.line(f"touch({number}, {first.bound} - 1);")
            return
        flat = f"long({first})"
        for extent, s in zip(array.inner, load.subscripts[1:]):
            self.line(f"within({s}, {extent});")
            flat = f"({flat} * {extent} + long({s}))"
        self.line(f"touch({number}, {flat});")
        if array.inner:  # its type says that what a first subscript leads to is there as a whole
            whole = math.prod(array.inner)
            self.line(f"touch({number}, long({first}) * {whole});")
            self.line(f"touch({number}, long({first}) * {whole} + {whole - 1});")

    def touches(self, e):
        match e:
            case Load():
                self.touch(e)
            case Binary(_, left, right):
                self.touches(left)
                self.touches(right)
            case Call(_, arguments):
                for a in arguments:
                    self.touches(a)
            case Cast(_, value):
                self.touches(value)
            case Select(condition, yes, no):
                if isinstance(condition, OnIndex):
                    self.line(f"if ({condition.text}) {{")
                    self.touches(yes)
                    self.line("} else {")
                    self.touches(no)
                    self.line("}")
                else:
                    for part in (condition.left, condition.right, yes, no):
                        self.touches(part)

    def parameter(self, array):
        kind = "int" if array.bound else self.type_of(array.kind)
        constant = "" if array.written else "const "
        if array.inner:
            return f"{constant}{kind} (*{array.name})" + "".join(f"[{e}]" for e in array.inner)
        restrict = "__restrict " if self.program.restrict else ""
        return f"{constant}{kind} *{restrict}{array.name}"

    def function(self):
        p = self.program
        for s in p.body:
            self.statement(s)
        sizes = [f"{p.size_type} {s}" for s in p.sizes]
        if self.mode == "shape":
            given = [f"  const {p.size_type} {s} = static_cast<{p.size_type}>(sizes[{k}]);" for k, s in enumerate(p.sizes)]
            unused = [f"  (void){s};" for s in p.sizes]
            return "\n".join([f"static void shape_{p.name}(const long *sizes) {{", *given, *unused, *self.lines, "}"]) + "\n"
        scalars = [f"{self.type_of(p.kind)} {s}" for s in p.scalars]
        result = self.type_of(p.kind) if p.result else "void"
        lines = [f"{result} {p.name}({', '.join(sizes + [self.parameter(a) for a in p.arrays] + scalars)}) {{", *self.lines]
        if p.result:
            lines.append(f"  return {p.result};")
        return "\n".join(lines + ["}"]) + "\n"


def text(program, mode):
    """The function in one printing: source, wide or shape."""
    if program.spelling and mode == "source":
        from fuzzing.spelling import Spelled

        return Spelled(program).function()
    return Printing(program, mode).function()
