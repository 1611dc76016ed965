"""The kinds of faults: for a cursor of the syntax tree, what may be written in its place."""
import re

from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SIGNS = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&"}
JUNCTIONS = {"&&": "||", "||": "&&"}
CALLEES = {"min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin", "any_of": "all_of", "all_of": "any_of"}
NUMBERS = (TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.DOUBLE, TypeKind.FLOAT)
IDLE = re.compile(r"\b(reserve|shrink_to_fit|static_cast<void>|assert)\b")
SYMMETRIC = re.compile(r"(min|max|swap|equal|gcd|lcm|same\w*|agree|disjoint|meets?|unite\w*|intersect\w*|hull|sum|add|product\w*|multiply\w*|both|either)\($", re.I)
EFFORT = re.compile(r"\.size\(\)$|\d\d+$|most|limit|largest|budget|patience", re.I)
STATEMENTS = (Kind.COMPOUND_STMT, Kind.IF_STMT, Kind.FOR_STMT, Kind.CXX_FOR_RANGE_STMT, Kind.WHILE_STMT)
CODE = [("barrier", re.compile(r"__syncthreads\(\);|__syncwarp\(\);"), ""), ("text", re.compile(r" < "), " <= "), ("text", re.compile(r" \+ "), " - "),
        ("text", re.compile(r" \* "), " + "), ("text", re.compile(r" && "), " || "), ("text", re.compile(r" == "), " != "), ("text", re.compile(r" \+= "), " -= ")]


def canonical(cursor):
    return cursor.type.get_canonical()


def isNumber(cursor):
    return canonical(cursor).kind in NUMBERS


def choose(mutant, original):
    return "(polymend_mutant(@) ? %s : %s)" % (mutant, original)


def site(reader, kind, cursor, becomes):
    start, end = cursor.extent.start.offset, cursor.extent.end.offset
    return kind, start, end, reader.text(cursor), becomes, cursor.extent.start.line


def binary(reader, cursor):
    """A comparison, a sign, a junction or the order of two operands."""
    children = list(cursor.get_children())
    if len(children) != 2:
        return
    left, right = children
    op = reader.between(left, right).strip()
    a, b, whole = reader.text(left), reader.text(right), reader.text(cursor)
    if op in COMPARISONS:
        if op in ("==", "!=") or not EFFORT.search(b):  # beyond an end only sanitizers see it; a limit of effort is no law
            yield site(reader, "comparison", cursor, choose(f"(({a}) {COMPARISONS[op]} ({b}))", f"({whole})"))
        if op in ("<", ">", "<=", ">="):
            yield site(reader, "swapped", cursor, choose(f"(({b}) {op} ({a}))", f"({whole})"))
    elif op in JUNCTIONS:
        yield site(reader, "junction", cursor, choose(f"(({a}) {JUNCTIONS[op]} ({b}))", f"({whole})"))
        yield site(reader, "conjunct", cursor, choose(f"static_cast<bool>({a})", f"({whole})"))
        yield site(reader, "conjunct", cursor, choose(f"static_cast<bool>({b})", f"({whole})"))
    elif op in SIGNS and isNumber(cursor) and isNumber(left) and isNumber(right):
        if not (op in "*/" and b == "1"):
            yield site(reader, "sign", cursor, choose(f"(({a}) {SIGNS[op]} ({b}))", f"({whole})"))
        if op in "-/%" and not re.fullmatch(r"\d+", b):
            yield site(reader, "swapped", cursor, choose(f"(({b}) {op} ({a}))", f"({whole})"))
        if op in "+-" and re.fullmatch(r"\d+", b):
            yield site(reader, "bound", cursor, choose(f"({a})", f"({whole})"))


def condition(reader, cursor):
    """A condition that is inverted, or a guard that never holds."""
    children = list(cursor.get_children())
    if not children or not children[0].kind.is_expression():
        return
    head = reader.source[cursor.extent.start.offset:children[0].extent.start.offset].decode()
    if "constexpr" in head or ";" in head:
        return
    test = reader.text(children[0])
    if cursor.kind == Kind.CONDITIONAL_OPERATOR:
        yield site(reader, "arms", children[0], f"(polymend_mutant(@) != static_cast<bool>({test}))")
        return
    yield site(reader, "condition", children[0], f"(polymend_mutant(@) != static_cast<bool>({test}))")
    if len(children) == 2:
        yield site(reader, "guard", children[0], f"(!polymend_mutant(@) && static_cast<bool>({test}))")


def call(reader, cursor, parent):
    """A call to the opposite function, with two arguments of one type swapped, or left out."""
    whole = reader.text(cursor)
    passed = [a for a in cursor.get_arguments() if a is not None]
    name = re.match(r"(std::)?(\w+)\(", whole)
    if name and name[2] in CALLEES and passed:
        yield site(reader, "opposite", cursor, choose((name[1] or "") + CALLEES[name[2]] + whole[name.end() - 1:], f"({whole})"))
    if not name or SYMMETRIC.search(name[0]):
        return
    begin = cursor.extent.start.offset
    for x, y in zip(passed, passed[1:]):
        a, b = reader.text(x), reader.text(y)
        if a.endswith("begin()") and b.endswith("end()"):  # only a sanitizer sees it
            continue
        if not a or not b or a == b or x.extent.start.offset <= begin or canonical(x).spelling != canonical(y).spelling or "[" in a + b:
            continue
        swapped = whole[:x.extent.start.offset - begin] + b + reader.between(x, y) + a + whole[y.extent.end.offset - begin:]
        yield site(reader, "swapped", cursor, choose(f"({swapped})", f"({whole})"))


def statement(reader, cursor, parent):
    """A statement that is left out."""
    if parent is None or parent.kind not in STATEMENTS or not cursor.kind.is_expression():
        return
    whole = reader.text(cursor)
    after = reader.source[cursor.extent.end.offset:cursor.extent.end.offset + 1]
    if after != b";" or IDLE.search(whole) or cursor.kind not in (Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNEXPOSED_EXPR):
        return
    if parent.kind in (Kind.FOR_STMT, Kind.WHILE_STMT) and cursor != list(parent.get_children())[-1]:
        return
    yield site(reader, "skipped", cursor, f"(polymend_mutant(@) ? static_cast<void>(0) : static_cast<void>({whole}))")


def compound(reader, cursor):
    children = list(cursor.get_children())
    if len(children) != 2 or not all(isNumber(c) for c in children):
        return
    op = {"+=": "-=", "-=": "+=", "*=": "+="}.get(reader.between(*children).strip())
    if op:
        yield site(reader, "sign", cursor, choose(f"({reader.text(children[0])} {op} {reader.text(children[1])})", f"({reader.text(cursor)})"))


def verdict(reader, cursor):
    """A truth value that is returned."""
    children = list(cursor.get_children())
    if len(children) == 1 and canonical(children[0]).kind == TypeKind.BOOL:
        yield site(reader, "verdict", children[0], f"(polymend_mutant(@) != static_cast<bool>({reader.text(children[0])}))")


def literal(reader, cursor, parent):
    whole = reader.text(cursor)
    if cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR:
        if parent is not None and parent.kind != Kind.RETURN_STMT:
            yield site(reader, "constant", cursor, f"(polymend_mutant(@) != {whole})")
    elif re.fullmatch(r"[\d.']+(e-?\d+)?[uUlL]*", whole):
        yield site(reader, "constant", cursor, choose(f"({whole} + 1)", whole))


def text(reader, cursor):
    """The text of a kernel, with an operator or a barrier of it bent."""
    if reader.room != "print" or cursor.kind != Kind.STRING_LITERAL:
        return
    whole = reader.text(cursor)
    if not whole.startswith(('"', 'R"')):
        return
    for kind, pattern, other in CODE:
        for at in list(pattern.finditer(whole))[:12]:
            bent = whole[:at.start()] + other + whole[at.end():]
            around = plainly(whole[max(0, at.start() - 40):at.end() + 40])
            yield kind, cursor.extent.start.offset, cursor.extent.end.offset, around, f"(polymend_mutant(@) ? static_cast<const char *>({bent}) : static_cast<const char *>({whole}))", cursor.extent.start.line


def plainly(words):
    return " ".join(words.split())


def of(reader, cursor, parent):
    """All faults that may be put in the place of the cursor: kind, first byte, last, text, what it becomes, line."""
    kind, found = cursor.kind, []
    if cursor.extent.start.offset >= cursor.extent.end.offset:
        return found
    if kind == Kind.BINARY_OPERATOR:
        found += binary(reader, cursor)
    elif kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR:
        found += compound(reader, cursor)
    elif kind in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR):
        found += condition(reader, cursor)
    elif kind == Kind.CALL_EXPR:
        found += call(reader, cursor, parent)
    elif kind == Kind.RETURN_STMT:
        found += verdict(reader, cursor)
    elif kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL, Kind.CXX_BOOL_LITERAL_EXPR):
        found += literal(reader, cursor, parent)
    elif kind == Kind.STRING_LITERAL:
        found += text(reader, cursor)
    found += statement(reader, cursor, parent)
    return found
