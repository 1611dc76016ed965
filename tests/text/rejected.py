#!/usr/bin/env python3
"""Reads printed files as a reviewer does who has rejected these forms before.

  rejected.py POLYMEND FILE...     exit status 1 where a form occurs that a review rejects; every file for every target
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

TARGETS = [["--target=cpp"], ["--target=cuda", "--arch=sm_90a"], ["--target=cuda", "--arch=sm_80"], ["--target=hip", "--arch=gfx90a"]]
CHOICE = r"(?:(?:std::)?(?:min|max)<std::int64_t>|(?:polymend_rt::)?(?:least|most)<(?:std::int64_t|float|double)>)"

# A form, and what is wrong with it.
FORMS = [
    (CHOICE + r"\(0, -[A-Za-z_]\w*\)", "a bound that is never negative is compared with its negative"),
    (CHOICE + r"\((\w+), \1\)", "a choice between a value and itself"),
    (r"\bif \(0 <= \w+ - 1\)", "a condition that the loop around implies"),
    (r"\bspanBytes\b", "extents spelt as rows, columns and stride"),
    (r"\[\]\(decltype", "the source's own function in the middle of the fast form"),
    # t0 is the first dimension of a schedule: no loop of the source has its name.
    (r"\b(?!t\d+\b)[a-z]+_?\d*0\b(?= = 0;)", "a block's variable is called after the loop and a zero"),
    (r"\b\w+_new\b|\b\w+_odd\b|\b\w+_s\d+\b", "a name that does not tell what it holds"),
    (r"^//.*\n *#pragma omp", "a comment that lost its indent to a pragma"),
]
LAW = re.compile(r"^ *// mend (\w+):", re.M)
MOVE = re.compile(r"^ *(?:const )?(?:float|double)? ?(\w+_pivot(?:_\d+)?(?:\[\w+\])?) = \1".replace(r"\1", r"\w+_next"), re.M)


def ours(text):
    """What is printed below the primitives."""
    end = text.rfind("} // namespace polymend_rt")
    return text[end:] if end >= 0 else text


def own_names(source):
    return set(re.findall(r"\w+", source))


def faults(source, text, target):
    printed = ours(text)
    if text == source or "Made by polymend" not in text:
        return
    banner = text.lstrip("\ufeff").split("\n", 1)[0]
    if not re.fullmatch(r"// Made by polymend [0-9.]+ from \S+ \(SHA-256 [0-9a-f]{16}\).*\. Do not edit: make it again\.", banner):
        yield "no banner: " + banner
    if "namespace polymend_rt {" in text and "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text:
        yield "primitives without a licence"
    known = own_names(source)
    for form, why in FORMS:
        for found in re.finditer(form, printed, re.M):
            words = re.findall(r"\w+", found.group(0))
            if all(word in known for word in words):
                continue
            line = printed[printed.rfind("\n", 0, found.start()) + 1:printed.find("\n", found.end())]
            yield f"{why}: {line.strip()}"
    if target == "--target=cpp":
        for kernel in re.split(r"// Kernel \w+\.", printed)[1:]:
            laws = LAW.findall(kernel)
            for state in {law for law in laws if laws.count(law) > 2}:
                yield f"the mend of {state} is printed {laws.count(state)} times"
            if "_pivot" in kernel and not laws:
                yield "a state is mended without a word on its law"
    for name in re.findall(r"std::int64_t (\w+) = (\w+), \1 =", printed):
        yield f"{name} is declared twice"


def look(job):
    polymend, file, words = job
    done = subprocess.run([polymend, file, "--quiet", *words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return [f"{file} {' '.join(words)}: exit status {done.returncode}: {done.stderr[:200]}"]
    source = pathlib.Path(file).read_text(errors="replace")
    return [f"{file} {' '.join(words)}: {fault}" for fault in sorted(set(faults(source, done.stdout, words[0])))]


def main(words):
    polymend, *files = words
    jobs = [(polymend, file, target) for file in files for target in TARGETS]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = [fault for list in pool.map(look, jobs) for fault in list]
    print("\n".join(found) if found else f"{len(jobs)} texts: nothing that a review rejects")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
