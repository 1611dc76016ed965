#!/usr/bin/env python3
"""`scripts/NAME --help` explains NAME and does nothing else, for every script that people run.

In a copy of scripts/ that lies in an otherwise empty tree, with a path on which all that could do work (compilers, git, apt-get, ...) is a
program that leaves a note, each script must exit with 0, print more than a line, leave no note and no new file.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"
HARMLESS = ("bash", "env", "awk", "sed", "dirname", "python3")
TELLTALES = ("cmake", "ctest", "ninja", "git", "apt-get", "sudo", "dpkg-query", "xargs", "mkdir", "rm", "clang++-19", "clang-format-19", "clang-tidy-19",
             "nvcc", "nproc", "jq", "debootstrap", "cpack", "chroot", "unshare")


def files(folder):
    return sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())


def fault(name, tree, programs, notes):
    before = files(tree)
    for word in ("--help", "-h"):
        done = subprocess.run([str(tree / "scripts" / name), word], cwd=tree, env={"PATH": str(programs), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(tree)},
                              capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            return f"{word} ends with {done.returncode}: {done.stderr}"
        if len(done.stdout.splitlines()) < 2 and len(done.stdout) < 60:
            return f"{word} explains nothing: {done.stdout!r}"
    if notes.exists():
        return f"runs {' '.join(notes.read_text().split())}"
    return f"leaves {set(files(tree)) - set(before)}" if files(tree) != before else None


def main():
    wrong = 0
    names = sorted(p.name for p in SCRIPTS.iterdir() if p.is_file() and os.access(p, os.X_OK))
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            tree, programs, notes = pathlib.Path(scratch, "tree"), pathlib.Path(scratch, "bin"), pathlib.Path(scratch, "notes")
            shutil.copytree(SCRIPTS, tree / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
            for needed in ("inputs/lessons/exercises.json", "tests/fuzz", "tests/mutants"):
                there = SCRIPTS.parent / needed
                (tree / needed).parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if there.is_dir() else shutil.copy)(there, tree / needed)
            programs.mkdir()
            for program in HARMLESS:
                (programs / program).symlink_to(shutil.which(program))
            for program in TELLTALES:
                (programs / program).write_text(f'#!/bin/sh\necho {program} >>"{notes}"\n')
                (programs / program).chmod(0o755)
            found = fault(name, tree, programs, notes)
            if found:
                print(f"scripts/{name}: {found}")
                wrong += 1
    print(f"{len(names)} scripts, {wrong} that do more or less than explain themselves")
    return 1 if wrong or len(names) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
