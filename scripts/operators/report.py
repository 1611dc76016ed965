"""Writes what was measured: operators.json, a table (operators.md) and a plot (operators.svg) into one folder."""
import json

import plot
from build import MATRIX_KERNEL
from ranking import geometric_mean, given_names, ranked


def write(out, about, results, notes):
    results = [ranked(result) for result in results]
    (out / "operators.json").write_text(json.dumps(dict(about=about, results=results, **notes), indent=1) + "\n")
    (out / "operators.md").write_text(markdown(about, results, notes))
    (out / "operators.svg").write_text(plot.svg(about, results))


def heading(about):
    jax = f", JAX {about['jax']}" if "jax" in about else ""
    return (f"{about.get('device')}, PyTorch {about.get('torch')} (CUDA {about.get('cuda')}, cuDNN {about.get('cudnn')}){jax}. In this run a "
            f"device copy moved {about.get('copy_gbs')} GB/s and cuBLAS multiplied bf16 matrices of 8192 at {about.get('product_tflops')} "
            "TFLOP/s.")


def cell(got):
    if "ms" not in got:
        return f"({got['failed']})"
    how = "" if got["graph"] else f" ({got.get('how', 'no graph')})"
    return f"{got['ms']:.3f} ms, {got['rate']:.0f}, error {got['error']:.1e}{how}" + ("" if got.get("ok", True) else f" **{got['wrong']}**")


def rows(result, lent):
    """One row for each text of ours and each given library, each beside the best peer."""
    peers = {n: c for n, c in result["contenders"].items() if c.get("peer")}
    timed = {n: c for n, c in peers.items() if "ms" in c}
    best = min(timed, key=lambda n: timed[n]["ms"], default=None)
    others = "; ".join(f"{n} {c['rate']:.0f}" if "ms" in c else f"{n} failed" for n, c in peers.items() if n != best)
    for name, got in result["contenders"].items():
        if got.get("peer"):
            continue
        ratio = f"{got['ratio']:.2f}" if "ratio" in got else "–"
        shares = [f"{got['shares'][n]:.2f}" if n in got.get("shares", {}) else "–" for n in lent]
        yield [result["label"], name, cell(got), f"{best}: {cell(timed[best])}" if best else "–", others or "–", ratio, *shares,
               result.get("unit", ""), str(round(result["clock"]["sm_mhz"])) if result.get("clock") else "–"]


def refusals(results):
    """Why a peer was not timed, once a reason."""
    said = {}
    for result in results:
        for name, got in result["contenders"].items():
            if "failed" in got and (got.get("peer") or got.get("given")):
                said.setdefault((name, got["failed"]), []).append(result["label"])
    return "".join(f"- {name}, failed: {why} ({'; '.join(labels)})\n" for (name, why), labels in said.items())


def summary(results, lent):
    """Geometric means and lowest values of each kind: of the ratio to the best peer, of the share of each given library."""
    text = ""
    for kind in dict.fromkeys(r["kind"] for r in results):
        ratios = [r["ratio"] for r in results if r["kind"] == kind and r.get("ratio")]
        if ratios:
            text += (f"\n{kind}: {len(ratios)} cases, geometric mean {geometric_mean(ratios):.2f} of the best peer, "
                     f"lowest {min(ratios):.2f}.\n")
    for name in lent:
        shares = [r["shares"][name] for r in results if name in r["shares"]]
        if shares:
            text += (f"\n{name}: {len(shares)} cases, the printed text reaches {geometric_mean(shares):.2f} of it (geometric mean), "
                     f"lowest {min(shares):.2f}.\n")
    return text


def table(head, body):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *body]) + "\n"


def markdown(about, results, notes):
    body, lent = [], given_names(results)
    for result in results:
        nothing = [result["label"], "polymend", result.get("failed", "nothing ran"), *["–"] * (5 + len(lent))]
        body += list(rows(result, lent)) or [nothing]
    text = "# Printed kernels beside the libraries\n\n" + heading(about) + "\n\n"
    text += table(["operator, length", "text", "time, rate, error", "best peer", "other peers", "ratio",
                   *(f"share of {n}" for n in lent), "unit", "SM MHz"], body)
    text += summary(results, lent)
    text += ("\nMedians of CUDA graph replays in shuffled rounds over several input sets of random data. A rate counts what cannot be left "
             "out: unmasked pairs (TFLOP/s), or each input and output once (GB/s, decode). An error is the relative Frobenius norm against "
             "float64 on sampled rows; it may be at most twice that of the most exact peer.")
    if "jax" in about:
        text += (" JAX cannot be captured into such a graph: its peers ran in a process of their own, on other data of the same kind; one "
                 "compiled program calls a peer once for each input set, and many launches of it, each queued behind the last, are timed by "
                 "the wall clock. Arrays are laid out (and the scale of a score is applied) as a peer wants them before its time begins.")
    said = refusals(results)
    text += "\n" + (f"\n## Not timed\n\n{said}" if said else "") + "\n## Building\n\n"
    built = []
    for name, got in notes["build"].items():
        most = max((k["registers"] for e, k in got.get("kernels", {}).items() if MATRIX_KERNEL.search(e)), default=None)
        built.append([name, f"{notes['generate'].get(name, 0):.2f}", f"{got.get('seconds', 0):.1f}",
                      f"matrix units, {most} registers" if most else "general route", "; ".join(got["faults"]) or "none"])
    return text + table(["text", "polymend, s", "nvcc, s", "kernel", "faults"], built)
