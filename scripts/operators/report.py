"""Writes what was measured: operators.json, a table (operators.md) and a plot (operators.svg) into one folder."""
import json
import math

import plot


def write(out, about, results, notes):
    (out / "operators.json").write_text(json.dumps(dict(about=about, results=results, **notes), indent=1) + "\n")
    (out / "operators.md").write_text(markdown(about, results, notes))
    (out / "operators.svg").write_text(plot.svg(about, results))


def heading(about):
    return (f"{about.get('device')}, PyTorch {about.get('torch')} (CUDA {about.get('cuda')}, cuDNN {about.get('cudnn')}). In this run a "
            f"device copy moved {about.get('copy_gbs')} GB/s and cuBLAS multiplied bf16 matrices of 8192 at {about.get('product_tflops')} "
            "TFLOP/s.")


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def cell(got):
    if "ms" not in got:
        return f"({got['failed']})"
    graph = "" if got["graph"] else " (no graph)"
    return f"{got['ms']:.3f} ms, {got['rate']:.0f}, error {got['error']:.1e}{graph}" + ("" if got.get("ok", True) else f" **{got['wrong']}**")


def rows(result):
    """One row for polymend and one for each variant or further library of it, each beside the best peer."""
    peers = {n: c for n, c in result["contenders"].items() if c.get("peer")}
    timed = {n: c for n, c in peers.items() if "ms" in c}
    best = min(timed, key=lambda n: timed[n]["ms"], default=None)
    others = "; ".join(f"{n} {c['rate']:.0f}" if "ms" in c else f"{n} failed" for n, c in peers.items() if n != best)
    for name, got in result["contenders"].items():
        if got.get("peer") or name == "peers":
            continue
        ratio = f"{got['ratio']:.2f}" if "ratio" in got else "–"
        yield [result["label"], name, cell(got), f"{best}: {cell(timed[best])}" if best else "–", others or "–", ratio,
               result.get("unit", ""), str(round(result["clock"]["sm_mhz"])) if result.get("clock") else "–"]


def table(head, body):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *body]) + "\n"


def markdown(about, results, notes):
    body = []
    for result in results:
        body += list(rows(result)) or [[result["label"], "polymend", result.get("failed", "nothing ran"), *["–"] * 5]]
    text = "# Printed kernels beside the libraries\n\n" + heading(about) + "\n\n"
    text += table(["operator, length", "text", "time, rate, error", "best peer", "other peers", "ratio", "unit", "SM MHz"], body)
    for kind in ("prefill", "decode", "product"):
        ratios = [r["ratio"] for r in results if r["kind"] == kind and r.get("ratio")]
        if ratios:
            text += (f"\n{kind}: {len(ratios)} cases, geometric mean {geometric_mean(ratios):.2f} of the best peer, lowest {min(ratios):.2f}.\n")
    text += ("\nMedians of CUDA graph replays in shuffled rounds over several input sets of random data. A rate counts what cannot be left "
             "out: unmasked pairs (TFLOP/s), or each input and output once (GB/s, decode). An error is the relative Frobenius norm against "
             "float64 on sampled rows; it may be at most twice that of the most exact peer.\n\n## Building\n\n")
    built = []
    for name, got in notes["build"].items():
        most = max((k["registers"] for e, k in got.get("kernels", {}).items() if "_matrix_kernel" in e), default=None)
        built.append([name, f"{notes['generate'].get(name, 0):.2f}", f"{got.get('seconds', 0):.1f}",
                      f"matrix units, {most} registers" if most else "general route", "; ".join(got["faults"]) or "none"])
    return text + table(["text", "polymend, s", "nvcc, s", "kernel", "faults"], built)
