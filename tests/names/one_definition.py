#!/usr/bin/env python3
"""No two types of the sources have one name in one namespace.

Rooms that do not see each other are linked into one program: where both define `polymend::Bounds`, the linker keeps one of the two
destructors that the compiler wrote, for both. Types within functions, other types and namespaces without a name are their file's own.

usage: one_definition.py ROOT
"""
import collections
import pathlib
import re
import sys

OPENED = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? \{$")
CLOSED = re.compile(r"\} // namespace")
DEFINED = re.compile(r"(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: : .*)? \{")


def definitions(text):
    """The types that a formatted file defines in namespaces with names."""
    within = []
    for line in text.splitlines():
        if opened := OPENED.match(line):
            within.append(opened.group(1))
        elif CLOSED.match(line):
            del within[-1:]
        elif (defined := DEFINED.match(line)) and None not in within:
            yield "::".join([*within, defined.group(1)])


def main():
    root = pathlib.Path(sys.argv[1])
    found = collections.defaultdict(set)
    files = [file for folder in ("src", "include", "tools", "tests") for kind in ("*.h", "*.cpp") for file in (root / folder).rglob(kind)
             if not {"emulate", "primitives", "corpus", "users", "classical", "project", "shapes"} & set(file.relative_to(root).parts)]
    for file in files:
        for name in definitions(file.read_text()):
            found[name].add(str(file.relative_to(root)))
    twice = {name: places for name, places in found.items() if len(places) > 1}
    for name, places in sorted(twice.items()):
        print(f"{name} is defined in {' and in '.join(sorted(places))}")
    print(f"{len(found)} types in {len(files)} files")
    return bool(twice) or len(found) < 300


if __name__ == "__main__":
    sys.exit(main())
