"""Times several calls beside each other: graph replays in shuffled rounds, medians, and the clock while they ran."""
import math
import random
import statistics
import subprocess
import threading
import time

import torch

GRAPH_MS = 2.0  # a graph holds about so much work, so that the gap between two launches does not count
MOST_IN_A_GRAPH = 64
MOST_ROUNDS = 25


class Clock:
    """Reads SM clock (MHz) and power (W) several times a second, where nvidia-smi is there."""

    def __init__(self):
        self.readings = []
        try:
            self.process = subprocess.Popen(
                ["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits", "-lms", "50",
                 "-i", f"GPU-{torch.cuda.get_device_properties(0).uuid}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        except OSError:
            self.process = None
            return
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            try:
                mhz, watts = (float(x) for x in line.split(","))
                self.readings.append((time.monotonic(), mhz, watts))
            except ValueError:
                pass

    def since(self, begin):
        """Median clock and power since a moment of time.monotonic()."""
        seen = [(mhz, watts) for at, mhz, watts in list(self.readings) if at >= begin]
        if not seen:
            return None
        return dict(sm_mhz=statistics.median(m for m, _ in seen), watts=round(statistics.median(w for _, w in seen)))

    def stop(self):
        if self.process:
            self.process.terminate()


def reason(problem):
    """An exception's first line."""
    return (str(problem).strip().split("\n")[0] or type(problem).__name__)[:160]


def milliseconds(work):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    work()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


class Repeated:
    """Some calls of one contender, one after another over the input sets, as a graph where capture works."""

    def __init__(self, call, sets):
        self.once_ms = min(milliseconds(lambda: call(sets[i % len(sets)])) for i in range(2))
        self.calls = max(1, min(MOST_IN_A_GRAPH, math.ceil(GRAPH_MS / self.once_ms)))
        run = lambda: [call(sets[i % len(sets)]) for i in range(self.calls)]
        self.graph = None
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, capture_error_mode="relaxed"):
                run()
            graph.replay()
            torch.cuda.synchronize()
            self.graph = graph
        except Exception as problem:
            self.why_no_graph = reason(problem)
            torch.cuda.synchronize()
        self.run = self.graph.replay if self.graph else run

    def milliseconds(self):
        return milliseconds(self.run) / self.calls


def rounds(contenders, sets, least=3, budget_ms=1500):
    """Name -> what was measured of each call: ms (median), spread (of the middle half, relative), rounds, graph."""
    ready = {name: Repeated(call, sets) for name, call in contenders.items()}
    one = sum(r.once_ms * r.calls for r in ready.values())
    count = max(least, min(MOST_ROUNDS, int(budget_ms / (2 * one))))
    taken = {name: [] for name in ready}
    for _ in range(count):
        for name in random.sample(list(ready), len(ready)):
            if ready[name].once_ms < 50:
                ready[name].run()
            taken[name].append(ready[name].milliseconds())
    result = {}
    for name, times in taken.items():
        low, middle, high = statistics.quantiles(times, n=4)
        result[name] = dict(ms=statistics.median(times), spread=round((high - low) / middle, 4), rounds=count,
                            graph=ready[name].graph is not None)
        if ready[name].graph is None:
            result[name]["why_no_graph"] = ready[name].why_no_graph
    return result


def ceilings():
    """What the device does at best in this run: GB/s of a copy (read plus written), TFLOP/s of a large bf16 product."""
    x = torch.empty(2**31, device="cuda", dtype=torch.uint8).random_()
    y = torch.empty_like(x)
    copy = statistics.median(milliseconds(lambda: y.copy_(x)) for _ in range(12))
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    torch.matmul(a, b)
    product = statistics.median(milliseconds(lambda: torch.matmul(a, b)) for _ in range(20))
    return dict(copy_gbs=round(2 * x.numel() / copy / 1e6, 1), product_tflops=round(2 * 8192**3 / product / 1e9, 1))
