#!/usr/bin/env python3
"""The README's table: a few rows of a report of scripts/bench_operators. usage: summary.py docs/h200/operators.md"""
import pathlib
import re
import sys

ROWS = (
    ("prefill_global, 8192", "attention", "three loops one, maximum, sum and product mended as it moves"),
    ("prefill_causal, 8192", "causal attention", "the same, tiles beyond the diagonal left out"),
    ("prefill_gqa, 8192", "grouped heads", "the same, shared keys read once"),
    ("prefill_alibi, 8192", "biased by distance", "the same, the bias begins the product's sum"),
    ("prefill_softcap, 8192", "capped by tanh", "a bound of the scores instead of their maximum"),
    ("prefill_window, 8192", "a sliding window, capped", "the same, tiles outside of the window left out"),
    ("decode_causal, 8192", "one query", "the keys' loop shared out, parts combined by the mend"),
    ("decode_softcap, 8192", "one query, capped", "the same"),
    ("matmul_bf16, 8192", "matrix product", "tiles, channels, matrix units; nothing to mend"),
    ("matmul_epilogue, 8192", "product, then GELU", "the element-wise loop joins the product's"),
)


def measured(path):
    """Row by its first cell, of the texts that polymend made with its default options."""
    cells = ([cell.strip() for cell in line.strip("|\n").split("|")] for line in path.read_text().splitlines() if line.startswith("|"))
    return {row[0]: row for row in cells if len(row) > 8 and row[1] == "polymend"}


def rate(text):
    return re.search(r"ms, (\d+)", text)[1]


def main(path):
    rows = measured(path)
    print("| input | what is done to it | made by polymend | best library | ratio |\n|---|---|---|---|---|")
    for label, words, done in ROWS:
        row = rows[label]
        name = label.split(",")[0]
        print(f"| [{words}](inputs/{name}.cpp) | {done} | {rate(row[2])} {row[8]} | {row[3].split(':')[0]} {rate(row[3])} | {row[5]} |")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
