"""Where a fault can be put: expressions and statements of a source file, each with what it becomes.

A site is known by its kind, the function that it stands in, its text and which of several alike it is: not by its file
or line, so that it is found again after code has moved. One that is kept has a name, which it does not lose when it is
found in another function or room, or with another text (drawn.py)."""
import dataclasses
import hashlib
import json
import pathlib
import re

from clang import cindex
from clang.cindex import CursorKind as Kind

from mutating import kinds

FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR)
SILENT = re.compile(r"dump|show|describe|told|explain|message|wording|sentence|remark|reason|refus|json|^name|Name$|^words|legend|comment", re.I)
TOLD = re.compile(r"^(Refusal|Remark|Diagnostic|Note|refuse\w*|remark\w*|warn\w*|complain\w*)\b")


@dataclasses.dataclass
class Site:
    room: str
    kind: str
    function: str
    text: str
    becomes: str
    file: str
    line: int
    start: int
    end: int
    bent: str
    lines: int
    ordinal: int = 0
    name: str = ""

    @property
    def id(self):
        if self.name:
            return self.name
        what = "\0".join((self.room, self.kind, self.function, self.text, self.becomes, str(self.ordinal)))
        return hashlib.sha1(what.encode()).hexdigest()[:8]


def plain(text):
    return " ".join(text.split())


class Reader:
    """Walks the functions of one file."""

    def __init__(self, root, path, arguments):
        self.path, self.file = path, str(path.relative_to(root))
        self.room = path.relative_to(root / "src").parts[0]
        self.source = path.read_bytes()
        self.found = []
        unit = cindex.Index.create().parse(str(path), args=arguments)
        worst = max((d.severity for d in unit.diagnostics), default=0)
        if worst >= cindex.Diagnostic.Error:
            raise RuntimeError(f"{self.file}: " + "; ".join(d.spelling for d in unit.diagnostics if d.severity == worst))
        self.top(unit.cursor)

    def text(self, cursor):
        return self.source[cursor.extent.start.offset:cursor.extent.end.offset].decode()

    def between(self, a, b):
        return self.source[a.extent.end.offset:b.extent.start.offset].decode()

    def top(self, cursor):
        for child in cursor.get_children():
            where = child.location.file
            if where is None or where.name != str(self.path):
                continue
            if child.kind in FUNCTIONS:
                if child.is_definition():
                    self.function(child)
            elif child.kind in (Kind.NAMESPACE, Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL):
                self.top(child)

    def function(self, cursor):
        body = [c for c in cursor.get_children() if c.kind == Kind.COMPOUND_STMT]
        if not body or not self.text(body[-1]).startswith("{") or re.search(r"\b(constexpr|consteval)\b", self.source[cursor.extent.start.offset:body[-1].extent.start.offset].decode()):
            return
        names, at = [], cursor
        while at is not None and at.kind != Kind.TRANSLATION_UNIT:
            if at.spelling and not (at.kind == Kind.NAMESPACE and ("(anonymous" in at.spelling or at.spelling == "polymend")):
                names.append(at.spelling)
            at = at.semantic_parent
        if SILENT.search(cursor.spelling):
            return
        self.name = "::".join(reversed(names))
        self.walk(body[-1], None)

    def walk(self, cursor, parent):
        if self.skipped(cursor):
            return
        self.found += [Site(self.room, kind, self.name, plain(text), plain(becomes), self.file, line, start, end, becomes, becomes.count("\n"))
                       for kind, start, end, text, becomes, line in kinds.of(self, cursor, parent)]
        children = list(cursor.get_children())
        if cursor.kind == Kind.CASE_STMT:
            children = children[1:]
        for child in children:
            self.walk(child, cursor)

    def skipped(self, cursor):
        """Constant expressions, and what only words depend on."""
        if cursor.kind == Kind.VAR_DECL and re.match(r"(static\s+)?constexpr\b", self.text(cursor)):
            return True
        if cursor.kind in (Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.TYPE_REF, Kind.TEMPLATE_REF):
            return True
        if cursor.kind in (Kind.CALL_EXPR, Kind.INIT_LIST_EXPR, Kind.UNEXPOSED_EXPR) or cursor.kind == Kind.CXX_FUNCTIONAL_CAST_EXPR:
            return bool(TOLD.match(self.text(cursor)))
        return False


def numbered(sites):
    """Tells sites that are alike apart, in the order of their files and places; one place is given once."""
    seen, counts, result = set(), {}, []
    for site in sorted(sites, key=lambda s: (s.file, s.start, s.end, s.kind)):
        place = (site.file, site.start, site.end, site.becomes)
        if place in seen:
            continue
        seen.add(place)
        alike = (site.room, site.kind, site.function, site.text, site.becomes)
        site.ordinal = counts[alike] = counts.get(alike, -1) + 1
        result.append(site)
    return result


def arguments(command):
    """The flags of a compile command that a parser needs."""
    words, kept, skip = command[1:], [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-c", "-o"):
            skip = True
        elif word != "-Werror":
            kept.append(word)
    return kept


def read(root, path, command):
    return [dataclasses.asdict(s) for s in Reader(root, path, arguments(command) + ["-w"]).found]


def cached(folder, root, path, command):
    """The sites of a file, read again where its text has changed."""
    key = hashlib.sha1(path.read_bytes() + KINDS).hexdigest()
    kept = folder / (str(path.relative_to(root)).replace("/", "_") + ".json")
    if kept.exists():
        known = json.loads(kept.read_text())
        if known["key"] == key:
            return known["sites"]
    sites = read(root, path, command)
    kept.write_text(json.dumps({"key": key, "sites": sites}))
    return sites


KINDS = b"".join(pathlib.Path(name).read_bytes() for name in (kinds.__file__, __file__))
