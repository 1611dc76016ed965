#!/usr/bin/env python3
"""Keeps documentation true: what it shows is what the tool says, and what it names is there.

  blocks.py POLYMEND FILE.md...            exit status 1 where a shown output, a path, a room or a pass is not as it is
  blocks.py --write POLYMEND FILE.md...    writes the outputs anew

A fenced block after a line `<!-- $ COMMAND -->` is what bash prints for COMMAND in the root of the repository, `polymend` being the tool.
Paths in backquotes that begin with a folder of the repository must exist. A line `<!-- rooms -->` stands before a table whose first column
names every room of CMakeLists.txt in its order.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^<!-- \$ (?P<command>.*?) -->\n```(?P<kind>\w*)\n(?P<shown>.*?)^```$", re.M | re.S)
PATH = re.compile(r"`((?:src|include|tests|scripts|inputs|docs|tools|cmake)/[\w./-]*)`")
ROOMS = re.compile(r"^<!-- rooms -->\n((?:\|.*\n)+)", re.M)


def output(command, polymend):
    script = f'polymend() {{ "{polymend}" "$@"; }}\n{command}'
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    return done.stdout


def rooms():
    return re.findall(r"^polymend_room\(([\w/]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)


def faults(path, text, polymend):
    for block in BLOCK.finditer(text):
        said = output(block["command"], polymend)
        if said != block["shown"]:
            yield f"{path}: `{block['command']}` says otherwise:\n--- shown\n{block['shown']}--- said\n{said}"
    for name in PATH.findall(text):
        if not re.search(r"\b[A-Z]{4,}\b", name) and not (ROOT / name).exists():  # NAME stands for any
            yield f"{path}: there is no {name}"
    for table in ROOMS.finditer(text):
        named = [re.match(r"\| `src/([\w/]+)`", line).group(1) for line in table[1].splitlines()[2:]]
        if named != rooms():
            yield f"{path}: the rooms are {rooms()}, not {named}"


def main(words):
    writes = "--write" in words
    polymend, *files = [word for word in words if word != "--write"]
    polymend = str(pathlib.Path(polymend).resolve())
    wrong = 0
    for name in files:
        path = pathlib.Path(name)
        text = path.read_text()
        if writes:
            text = BLOCK.sub(lambda b: f"<!-- $ {b['command']} -->\n```{b['kind']}\n{output(b['command'], polymend)}```", text)
            path.write_text(text)
        for fault in faults(path, text, polymend):
            print(fault)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
