"""Which test comes by which fault, and how long each takes: the tests run once, without a fault."""
import dataclasses
import os
import subprocess

SLOWEST = 25000  # milliseconds of a single test that a fault may wait for


@dataclasses.dataclass
class Case:
    program: str
    name: str
    time: float  # seconds
    reached: frozenset


def traced(path, chosen, out, mutants, root, limit):
    """Runs the chosen tests of a program, or reads what an earlier run of the same program told."""
    trace, shared, fresh = out.with_suffix(".trace"), out.with_suffix(".reached"), out.with_suffix(".part")
    if trace.exists() and trace.stat().st_mtime > path.stat().st_mtime:
        return trace
    shared.write_bytes(bytes(mutants))
    told = dict(os.environ, POLYMEND_FAULTS="error", POLYMEND_REACHED=str(shared), POLYMEND_TRACE=str(fresh), POLYMEND_MUTANTS=str(mutants))
    try:
        subprocess.run([str(path), "--gtest_brief=1", f"--gtest_filter={chosen}"], cwd=root, env=told, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)
    except subprocess.TimeoutExpired:
        pass
    fresh.replace(trace)
    return trace


def cases(program, trace):
    """The tests that pass without a fault and are not too slow."""
    result = []
    for line in trace.read_text().splitlines():
        name, time, passed, *reached = line.split(" ")
        if passed == "1" and reached and int(time) <= SLOWEST:
            result.append(Case(program, name, int(time) / 1000, frozenset(map(int, reached))))
    return result


def order(room, own):
    """The nearest test first: the room's own program, then what is quick and comes by little else."""
    return sorted(own, key=lambda c: (c.program != f"test_{room}", (0.02 + c.time) * (20 + len(c.reached)) ** 0.5))


def batches(ordered, budget):
    """Runs of one program each, the first ones short: [(program, [case])], within so many seconds altogether."""
    result, spent, size = [], 0.0, 0.0
    for case in ordered:
        if spent + case.time > budget and result:
            continue
        spent += case.time
        if result and result[-1][0] == case.program and size + case.time <= max(1.0, spent / 3):
            result[-1][1].append(case)
            size += case.time
        else:
            result.append((case.program, [case]))
            size = case.time
    return result
