"""Random arguments of a case on the GPU, and float64 references on sampled rows."""
import math

import torch

from cases import CAP, WINDOW

ROWS = 128  # sampled rows of a head, and of a product


def arguments(case):
    """Fresh inputs, then the output, in the order of the function's parameters."""
    op = case.operator
    new = lambda *shape: torch.randn(*shape, device="cuda", dtype=torch.bfloat16)
    if op.kind == "product":
        n = case.length
        bias = [torch.randn(n, device="cuda")] if op.gelu else []
        return [new(n, n), new(n, n), *bias, torch.empty(n, n, device="cuda", dtype=torch.bfloat16)]
    q = new(case.batch, op.heads, case.queries, op.dim)
    k, v = (new(case.batch, op.groups, case.length, op.dim) for _ in range(2))
    return [q, k, v, *([slopes(op)] if op.alibi else []), torch.empty_like(q)]


def slopes(op):
    return torch.exp2(-8.0 * torch.arange(1, op.heads + 1, device="cuda") / op.heads).float()


def sizes(case):
    """The integer arguments of the function."""
    return [case.length] * 3 if case.operator.kind == "product" else [case.batch, case.length]


def sample(case):
    """Which rows of the output are compared: (index, rows) pairs of an indexable output."""
    op = case.operator
    if op.kind == "product":
        return [((), torch.randperm(case.length, device="cuda")[:ROWS])]
    heads = {(0, 0), (case.batch - 1, op.heads - 1), (case.batch // 2, op.heads // 3)}
    if op.kind == "decode":
        heads |= {(case.batch - 1, h) for h in range(op.heads)}
    first = torch.arange(min(4, case.queries), device="cuda")
    some = torch.randperm(case.queries, device="cuda")[:ROWS]
    return [(head, torch.cat([first, some]).unique()) for head in sorted(heads)]


def reference(case, args, where):
    """The rows of sample() in float64."""
    op = case.operator
    if op.kind == "product":
        (_, rows), = where
        y = args[0][rows].double() @ args[1].double()
        if op.gelu:
            t = y + args[2].double()
            y = 0.5 * t * (1 + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3)))
        return [y]
    return [_attend(case, args, b, h, rows) for (b, h), rows in where]


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


def error(out, where, expected):
    """The relative Frobenius norm over the sampled rows; what is not finite makes it NaN."""
    got = torch.cat([out[index][rows].double().flatten() for index, rows in where])
    want = torch.cat([e.flatten() for e in expected])
    return ((got - want).norm() / want.norm()).item()
