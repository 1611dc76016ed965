#!/usr/bin/env python3
"""Keeps documentation true: what it shows is what the tool says, and what it names is there.

  blocks.py POLYMEND FILE.md...            exit status 1 where a shown output, a path, a room or a pass is not as it is
  blocks.py --write POLYMEND FILE.md...    writes the outputs anew

Every fenced block of a page is held true by what it is, or by the line before it:

  <!-- $ COMMAND -->        the block is what bash prints for COMMAND in the root of the repository, `polymend` being the tool
  ```console                lines "$ COMMAND" (a backslash or an open quotation goes on in the next line), each followed by all that it prints
  a table after the first   is what COMMAND prints
  <!-- file NAME -->        the block is a file of that name, for the commands of the page
  <!-- not run: WHY -->     nothing is run (it would install, build for minutes or want a GPU); each script that it names must be there

Commands of a page run in one folder, its own and its home, in which the repository's folders and `build/release` stand as in a clone that was
built. They end with 0 unless the page says `$ ...; echo $?`. In what is shown, a line `...` stands for any lines and `...` within a line for any text.

Paths in backquotes that begin with a folder of the repository must exist, and so must the files that links lead to. A line `<!-- rooms -->` stands
before a table whose first column names every room of CMakeLists.txt in its order.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
PATH = re.compile(r"`((?:src|include|tests|scripts|inputs|docs|tools|cmake)/[\w./-]*)`")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)")
ROOMS = re.compile(r"^<!-- rooms -->\n((?:\|.*\n)+)", re.M)
SCRIPT = re.compile(r"\bscripts/\w+")


def fits(shown, said):
    """Is `said` what is shown, where "..." stands for anything?"""
    if "..." not in shown:
        return shown == said
    parts = re.split(r"(^\.\.\.\n|\.\.\.)", shown, flags=re.M)
    pattern = "".join(r"(?:.*\n)*?" if part == "...\n" else r".*?" if part == "..." else re.escape(part) for part in parts)
    return re.fullmatch(pattern, said) is not None


class Place:
    """Where the commands of a page run."""

    def __init__(self, polymend):
        self.folder = tempfile.TemporaryDirectory(prefix="polymend-docs-")
        self.path = pathlib.Path(self.folder.name)
        for name in ("inputs", "scripts", "docs", "tests", "src", "cmake", "primitives", "CMakeLists.txt", "README.md", "LICENSE"):
            (self.path / name).symlink_to(ROOT / name)
        (self.path / "build").mkdir()
        (self.path / "build/release").symlink_to(polymend.parent)
        self.environment = dict(os.environ, HOME=str(self.path), PATH=f"{polymend.parent}:{os.environ['PATH']}", POLYMEND=str(polymend), LC_ALL="C.UTF-8")
        self.environment.pop("POLYMEND_FAULTS", None)

    def said(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.path, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=900, stdin=subprocess.DEVNULL)
        return done.stdout.replace(str(self.path), "/home/you"), done.returncode


def output(command, polymend):
    script = f'polymend() {{ "{polymend}" "$@"; }}\n{command}'
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    return done.stdout


def complete(command):
    """Does the command end here, or in the middle of a quotation?"""
    return command.count("'") % 2 == 0


def commands(text):
    """Pairs of a command, as it is shown, and what is shown of its output."""
    for part in re.split(r"^(?=\$ )", text, flags=re.M):
        if not part.startswith("$ "):
            yield None, part
            continue
        lines = part.splitlines(keepends=True)
        last = next(k for k, line in enumerate(lines) if not line.endswith("\\\n") and complete("".join(lines[: k + 1])))
        yield "".join(lines[: last + 1]), "".join(lines[last + 1 :])


def console(block, place, faults):
    """The block's text anew."""
    anew = ""
    for command, shown in commands(block["text"]):
        if command is None:
            if shown:
                faults.append(f"the console shows before its first command: {shown}")
            anew += shown
            continue
        said, code = place.said(command[2:])
        if said and not said.endswith("\n"):
            said += "\n"
        if code != 0:
            faults.append(f"`{command[2:].strip()}` ends with {code}:\n{said}")
        if fits(shown, said):
            said = shown
        else:
            faults.append(f"`{command[2:].strip()}` says otherwise:\n--- shown\n{shown}--- said\n{said}")
        anew += command + said
    return anew


def held(block, place, polymend, faults):
    """What the block should hold; what is wrong with it is added to `faults`."""
    mark, text = block["mark"] or "", block["text"]
    if mark.startswith("$ "):
        said = output(mark[2:], polymend)
        if fits(text, said):
            return text
        faults.append(f"`{mark[2:]}` says otherwise:\n--- shown\n{text}--- said\n{said}")
        return said
    if mark.startswith("file "):
        file = place.path / mark[5:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    elif block["kind"] == "console":
        return console(block, place, faults)
    elif mark.startswith("not run: "):
        faults += [f"there is no {name}" for name in SCRIPT.findall(text) if not (ROOT / name).exists()]
    else:
        faults.append(f"nothing holds this block true:\n{text}")
    return text


def rooms():
    return re.findall(r"^polymend_room\(([\w/]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)


TABLE = re.compile(r"^<!-- \$ (?P<command>.*?) -->\n(?P<shown>(?:\|.*\n)+)", re.M)


def tables(text, polymend, faults):
    """The page with each table that a command prints as it prints it."""

    def anew(table):
        said = output(table["command"], polymend)
        if said != table["shown"]:
            faults.append(f"`{table['command']}` says otherwise:\n--- shown\n{table['shown']}--- said\n{said}")
        return f"<!-- $ {table['command']} -->\n{said}"

    return TABLE.sub(anew, text)


def named(path, text):
    """What the page names and is not there."""
    for name in PATH.findall(text):
        if not re.search(r"\b[A-Z]{4,}\b", name) and not (ROOT / name).exists():  # NAME stands for any
            yield f"there is no {name}"
    for name in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        if not (path.parent / name).exists():
            yield f"a link leads to {name}, which is not there"
    for table in ROOMS.finditer(text):
        found = [re.match(r"\| `src/([\w/]+)`", line).group(1) for line in table[1].splitlines()[2:]]
        if found != rooms():
            yield f"the rooms are {rooms()}, not {found}"


def main(words):
    writes = "--write" in words
    polymend, *files = [word for word in words if word != "--write"]
    polymend = pathlib.Path(polymend).resolve()
    wrong = 0
    for path in map(pathlib.Path, files):
        text, faults, place = path.read_text(), [], Place(polymend)
        anew = FENCE.sub(lambda b: b[0][: b.start("text") - b.start()] + held(b, place, str(polymend), faults) + "```", text)
        anew = tables(anew, str(polymend), faults)
        if writes and anew != text:
            path.write_text(anew)
        for fault in [*faults, *named(path, text)]:
            print(f"{path}: {fault}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
