"""Checks and times the cases of an extent, from a first one on; prints one line of JSON for each.

Usage: measure.py DIR EXTENT FIRST [--alone] [NAME=LIBRARY]...
--alone: beside the given libraries only, in as many rounds as short calls have: what is drawn of a GPU's power by one call slows
down the next ones, so that few rounds tell little of two texts that are nearly as fast.
"""
import ctypes
import json
import pathlib
import sys
import time

import torch
import torch._dynamo

import data
import peers
import timing
from cases import cases

ERROR_FACTOR = 2.0    # of PyTorch's own kernel on the same data
SLOWEST_MS = 3000     # a kernel that is expected to take longer is not run


class Library:
    """The entry NAME_entry of a library, for arguments of data.arguments()."""

    def __init__(self, path, name):
        self.entry = getattr(ctypes.CDLL(str(path.resolve())), name + "_entry")
        self.entry.restype = ctypes.c_int

    def caller(self, case):
        integer = {"int": ctypes.c_int, "int64": ctypes.c_int64}[case.operator.index]
        numbers = [integer(x) for x in data.sizes(case)]

        def call(args):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            status = self.entry(stream, *numbers, *(ctypes.c_void_p(a.data_ptr()) for a in args))
            if status != 0:
                raise RuntimeError(f"CUDA error {status}")
            return args[-1]

        return call


def too_slow(library, case):
    """The milliseconds that a call would take, by an eighth of the length, where that is too long."""
    small = type(case)(case.operator, case.batch, max(1, case.length // 8))
    args, call = data.arguments(small), library.caller(small)
    call(args)
    expected = timing.milliseconds(lambda: call(args)) * case.flops() / small.flops()
    return expected if expected > SLOWEST_MS else None


def own(case, folder, notes):
    """Name and library of each variant of the operator, and the reasons of those that cannot run."""
    ready, failed = {}, {}
    for name, _, shown in case.operator.libraries():
        path = folder / f"{name}.so"
        if path.exists():
            ready[shown] = Library(path, case.operator.source)
        else:
            failed[shown] = dict(failed="; ".join(notes.get(name, {}).get("faults", [])) or "not built")
    return ready, failed


def given(case, extra):
    """Name and library of each NAME=LIBRARY that has an entry of the operator's name, and the reasons of those that do not load."""
    ready, failed = {}, {}
    for text in extra:
        name, path = text.split("=", 1)
        try:
            ready[name] = Library(pathlib.Path(path), case.operator.name)
        except AttributeError:
            pass
        except OSError as problem:
            failed[name] = dict(failed=timing.reason(problem), given=True)
    return ready, failed


def checked(call, args, where, expected):
    """The call's error, and whether it wrote every element; the output is poisoned before."""
    args[-1].fill_(float("nan"))
    out = call(args)
    torch.cuda.synchronize()
    finite = bool(torch.isfinite(out).all())
    return out, dict(error=data.error(out, where, expected), finite=finite)


def measure(case, folder, notes, extra, search, alone):
    libraries, contenders = own(case, folder, notes)
    lent, failed = given(case, extra)
    contenders.update(failed)
    libraries.update(lent)
    calls, first = {}, {}
    for name, library in libraries.items():
        try:
            slow = name not in lent and too_slow(library, case)
        except RuntimeError as problem:
            contenders[name] = dict(failed=timing.reason(problem))
            continue
        if slow:
            contenders[name] = dict(failed=f"not run: expected to take {slow / 1000:.1f} s")
        else:
            calls[name] = library.caller(case)
    sets = data.input_sets(case)
    where = data.sample(case)
    expected = data.reference(case, sets[0], where)
    begin = time.monotonic()
    try:
        others = {} if alone else peers.peers(case, search)
    except Exception as problem:
        others, contenders["peers"] = {}, dict(failed=timing.reason(problem), peer=True)
    for name, call in [*calls.items(), *others.items()]:
        try:
            out, contenders[name] = checked(call, sets[0], where, expected)
            first[name] = out.clone()
            calls[name] = call
        except Exception as problem:
            torch.cuda.synchronize()
            contenders[name] = dict(failed=timing.reason(problem))
            calls.pop(name, None)
    for name in contenders:
        contenders[name].update(dict(peer=True) if name in others else dict(given=True) if name in lent else {})
    compiled = time.monotonic() - begin
    at = time.monotonic()
    unit, work = case.work()
    for name, got in timing.rounds(calls, sets, timing.MOST_ROUNDS if alone else 3).items():
        contenders[name].update(got, ms=round(got["ms"], 5), rate=round(work / got["ms"], 1))
    clock = CLOCK.since(at)
    again(calls, libraries, sets[0], first, contenders)
    judge(contenders, libraries)
    return dict(operator=case.operator.name, label=case.label(), kind=case.operator.kind, batch=case.batch, length=case.length,
                dim=case.operator.dim, unit=unit, sets=len(sets), clock=clock, preparation_s=round(compiled, 1),
                text=case.operator.libraries()[0][2], contenders=contenders)


def again(calls, libraries, args, first, contenders):
    """After the timed rounds each kernel must give the same bits on the same data."""
    for name in libraries:
        if name in calls:
            out, contenders[name]["finite"] = calls[name](args), contenders[name]["finite"]
            contenders[name]["repeats"] = torch.equal(out.view(torch.uint8), first[name].view(torch.uint8))


def judge(contenders, libraries):
    """Right is: every element written and finite, the same bits each time, an error at most twice the most exact peer's."""
    allowed = min((c["error"] for c in contenders.values() if c.get("peer") and c.get("finite")), default=4e-3) * ERROR_FACTOR
    for name in libraries:
        got = contenders.get(name, {})
        if "error" not in got:
            continue
        faults = [text for text, bad in (("elements not finite", not got["finite"]), ("runs differ", got.get("repeats") is False),
                                         (f"error above {allowed:.1e}", not got["error"] <= allowed)) if bad]
        got["ok"], got["wrong"] = not faults, "; ".join(faults)


def version(number):
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def about():
    properties = torch.cuda.get_device_properties(0)
    return dict(device=torch.cuda.get_device_name(), multiprocessors=properties.multi_processor_count, torch=torch.__version__,
                cuda=torch.version.cuda, cudnn=version(torch.backends.cudnn.version()), **timing.ceilings())


def tuned(case, extent):
    """Whether a compiler of peers searches for tile sizes: where it gains most, and everywhere with --all."""
    return extent == "all" or case.operator.kind == "decode" or (extent == "default" and case.length == 8192)


def say(line):
    print(json.dumps(line), flush=True)


def main():
    folder, extent, start, extra = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    alone = extra[:1] == ["--alone"]
    notes = json.loads((folder / "build.json").read_text())
    say(dict(about=about() if start == 0 else dict(device=torch.cuda.get_device_name())))
    for case in cases(extent)[start:]:
        say(measure(case, folder, notes, extra[alone:], tuned(case, extent), alone))
        torch._dynamo.reset()
        torch.cuda.empty_cache()


CLOCK = timing.Clock()
try:
    main()
finally:
    CLOCK.stop()
