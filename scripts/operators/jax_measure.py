"""Checks and times JAX's peers of the cases of an extent, from a first one on; prints one line of JSON for each.

Usage: jax_measure.py EXTENT FIRST

Data and references are PyTorch's; tensors pass through DLPack. A program of JAX's calls a peer once for each input set (each set
once, so that no call can be left out) and is launched many times: the host runs ahead, so that launches do not count.
"""
import json
import math
import os
import statistics
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import torch

import data
import jax_peers
import timing
from cases import cases

WRONG = 0.02           # an error that no rounding explains
SAMPLES, SAMPLE_S = 7, 0.03
FASTEST = {}           # (operator, length of the cache, peer) -> which of its calls


def seconds(program, sets, launches):
    """The time of launches that queue up behind each other."""
    jax.block_until_ready(program(sets))
    begin = time.perf_counter()
    for _ in range(launches):
        out = program(sets)
    jax.block_until_ready(out)
    return time.perf_counter() - begin


def over(call):
    """A program that calls once a set."""
    return jax.jit(lambda sets: [call(*args) for args in sets])


def fastest(key, calls, args):
    """The call that is fastest on one set; the reason of the last one where none runs."""
    if key not in FASTEST and len(calls) > 1:
        times, last = {}, None
        for i, call in enumerate(calls):
            try:
                times[i] = seconds(over(call), [args], 4)
            except Exception as problem:
                last = problem
        if not times:
            raise last
        FASTEST[key] = min(times, key=times.get)
    return calls[FASTEST.get(key, 0)]


def measured(name, make, case, sets, where, expected):
    peer = make()
    shared = [tuple(jax.dlpack.from_dlpack(x.contiguous()) for x in peer.prepare(args)) for args in sets]
    torch.cuda.synchronize()
    call = fastest((case.operator.name, case.length if case.operator.kind == "decode" else 0, name), peer.calls, shared[0])
    out = peer.restore(torch.from_dlpack(jax.block_until_ready(jax.jit(call)(*shared[0]))))
    got = dict(error=data.error(out, where, expected), finite=bool(torch.isfinite(out).all()))
    if not (got["finite"] and got["error"] <= WRONG):
        raise ArithmeticError(f"it is wrong here: error {got['error']:.1e}")
    program = over(call)
    launches = max(1, min(100, math.ceil(SAMPLE_S / seconds(program, shared, 1))))
    times = [seconds(program, shared, launches) * 1000 / (launches * len(shared)) for _ in range(SAMPLES)]
    low, middle, high = statistics.quantiles(times, n=4)
    return dict(got, ms=round(middle, 5), rate=round(case.work()[1] / middle, 1), spread=round((high - low) / middle, 4), rounds=SAMPLES,
                graph=False, how="wall clock")


def measure(case):
    contenders, makers = {}, jax_peers.peers(case)
    if makers:
        sets = data.input_sets(case)
        where = data.sample(case)
        expected = data.reference(case, sets[0], where)
    for name, make in makers.items():
        if "ms" in contenders.get(name.removesuffix(" float16"), {}):
            continue
        try:
            contenders[name] = measured(name, make, case, sets, where, expected)
        except Exception as problem:
            contenders[name] = dict(failed=timing.reason(problem))
        contenders[name]["peer"] = True
    return dict(label=case.label(), unit=case.work()[0], contenders=contenders)


def say(line):
    print(json.dumps(line), flush=True)


def main():
    extent, start = sys.argv[1], int(sys.argv[2])
    if jax.default_backend() != "gpu":
        sys.exit(f"JAX runs on {jax.default_backend()} here, not on the GPU")
    say(dict(about=dict(jax=jax.__version__)))
    for case in cases(extent)[start:]:
        say(measure(case))
        jax.clear_caches()
        torch.cuda.empty_cache()


main()
