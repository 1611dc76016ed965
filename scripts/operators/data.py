"""Random arguments of a case on the GPU, and float64 references on sampled rows."""
import math

import torch

from cases import CAP, WINDOW

ROWS = 128     # sampled rows of a head, and of a product
FEW_ROWS = 16  # of a product of doubles, whose reference is computed on the host
MEMORY_SHARE = 0.35  # of the GPU's memory, for input sets


def arguments(case):
    """Fresh inputs, then the output, in the order of the function's parameters."""
    op, dtype = case.operator, getattr(torch, case.operator.dtype)
    new = lambda *shape: torch.randn(*shape, device="cuda", dtype=dtype)
    if op.kind == "product":
        return _factors(case, new)
    q = new(case.batch, op.heads, case.queries, op.dim)
    k, v = (new(case.batch, op.groups, case.length, op.dim) for _ in range(2))
    return [q, k, v, *([slopes(op)] if op.alibi else []), torch.empty_like(q)]


def _factors(case, new):
    form, (rows, columns, depth) = case.operator.form, case.extents()
    if form == "loss":
        target = torch.randint(columns, (rows,), device="cuda", dtype=torch.int32)
        return [new(rows, depth), new(columns, depth), target, torch.empty(rows, device="cuda")]
    many = [case.batch] if form == "batched" else []
    x, w, y = new(*many, rows, depth), new(*many, depth, columns), new(*many, rows, columns)
    if form == "gelu":
        return [x, w, torch.randn(columns, device="cuda"), y]
    return [x, *(new(depth) for _ in range({"rms": 1, "layer": 2}.get(form, 0))), w, y]


def slopes(op):
    return torch.exp2(-8.0 * torch.arange(1, op.heads + 1, device="cuda") / op.heads).float()


def sizes(case):
    """The integer arguments of the function."""
    if case.operator.kind != "product":
        return [case.batch, case.length]
    rows, columns, depth = case.extents()
    orders = {"batched": [case.batch, rows, columns, depth], "loss": [rows, columns], "rms": [rows, depth, columns],
              "layer": [rows, depth, columns]}
    return orders.get(case.operator.form, [rows, columns, depth])


def sample(case):
    """Which rows of the output are compared: (index, rows) pairs of an indexable output."""
    op = case.operator
    if op.kind == "product":
        rows = torch.randperm(case.length, device="cuda")[:FEW_ROWS if op.dtype == "float64" else ROWS]
        return [((p,), rows) for p in sorted({0, case.batch // 2, case.batch - 1})] if op.form == "batched" else [((), rows)]
    heads = {(0, 0), (case.batch - 1, op.heads - 1), (case.batch // 2, op.heads // 3)}
    if op.kind == "decode":
        heads |= {(case.batch - 1, h) for h in range(op.heads)}
    first = torch.arange(min(4, case.queries), device="cuda")
    some = torch.randperm(case.queries, device="cuda")[:ROWS]
    return [(head, torch.cat([first, some]).unique()) for head in sorted(heads)]


def reference(case, args, where):
    """The rows of sample() in float64; those of doubles are computed in more digits and rounded."""
    if case.operator.dtype == "float64":
        return [_extended(args[0][rows], args[1]) for _, rows in where]
    if case.operator.kind == "product":
        return [_multiply(case.operator, [a[index] for a in args] if index else args, rows) for index, rows in where]
    return [_attend(case, args, b, h, rows) for (b, h), rows in where]


def _extended(a, b):
    import numpy
    wide = lambda x: numpy.ascontiguousarray(x.cpu().numpy(), dtype=numpy.longdouble)
    return torch.from_numpy((wide(a) @ wide(b.T).T).astype(numpy.float64)).to(a.device)


def _multiply(op, args, rows):
    x = args[0][rows].double()
    if op.form == "loss":
        logits = x @ args[1].double().T
        return torch.logsumexp(logits, -1) - logits.gather(1, args[2][rows].long()[:, None])[:, 0]
    if op.form in ("rms", "layer"):
        if op.form == "layer":
            x = x - x.mean(-1, keepdim=True)
        x = x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * args[1].double()
        if op.form == "layer":
            x = x + args[2].double()
    y = x @ args[{"rms": 2, "layer": 3}.get(op.form, 1)].double()
    if op.form == "gelu":
        t = y + args[2].double()
        y = 0.5 * t * (1 + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3)))
    return y


def _attend(case, args, b, h, rows):
    op, (q, k, v) = case.operator, args[:3]
    group = h * op.groups // op.heads
    s = q[b, h, rows].double() @ k[b, group].double().T / math.sqrt(op.dim)
    i = (rows + case.length - case.queries)[:, None]
    j = torch.arange(case.length, device="cuda")[None, :]
    if op.alibi:
        s = s + args[3][h].double() * (j - i)
    if op.softcap:
        s = CAP * torch.tanh(s / CAP)
    if op.causal:
        s = s.masked_fill(j > i, -math.inf)
    if op.window:
        s = s.masked_fill(i - j >= WINDOW, -math.inf)
    return torch.softmax(s, -1) @ v[b, group].double()


def input_sets(case):
    """Sets of arguments that together exceed the cache several times, within the memory that there is."""
    device = torch.cuda.get_device_properties(0)
    size = max(case.bytes(), 1)
    cache = 4 * getattr(device, "L2_cache_size", 64 << 20)
    count = max(3, min(16, cache // size + 1))
    count = max(1, min(count, int(device.total_memory * MEMORY_SHARE) // size))
    return [arguments(case) for _ in range(count)]


def error(out, where, expected):
    """The relative Frobenius norm over the sampled rows; what is not finite makes it NaN."""
    got = torch.cat([out[index][rows].double().flatten() for index, rows in where])
    want = torch.cat([e.flatten() for e in expected])
    return ((got - want).norm() / want.norm()).item()
