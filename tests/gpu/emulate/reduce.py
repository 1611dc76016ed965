"""reduce.py FILE -o OUT: an input with its constants made small, so that an emulated device gets through it.

`heads` over `groups` stays what it is, with two groups; a fixed length, width or window becomes one that divides no
tile. Sizes that are arguments stay arguments.
"""
import argparse
import pathlib
import re

SMALL = {"length": 150, "window": 70}


def reduced(text):
    def constant(name):
        found = re.search(rf"constexpr int {name} = (\d+);", text)
        return int(found.group(1)) if found else None

    heads, groups = constant("heads"), constant("groups")
    small = dict(SMALL, heads=4)
    if groups:
        small |= {"heads": heads // groups * 2, "groups": 2}
    return re.sub(r"constexpr int (\w+) = (\d+);",
                  lambda m: f"constexpr int {m.group(1)} = {min(int(m.group(2)), small.get(m.group(1), 1 << 30))};", text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.out.write_text(reduced(options.file.read_text()))


main()
