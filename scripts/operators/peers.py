"""The peers of a case: what else is installed that computes the same.

Each is a function of (arguments, options) that returns a call of one set of arguments, which returns the output.
"""
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from cases import CAP, WINDOW


def peers(case, tuned):
    """Name and call of each peer; `tuned` lets the compiler of FlexAttention search for its tile sizes."""
    op = case.operator
    if op.kind == "product":
        return _products(op)
    if op.alibi or op.softcap or op.window:
        return {"FlexAttention" + (" tuned" if tuned else ""): _flex(case, tuned)}
    return {"cuDNN": _sdpa(op, SDPBackend.CUDNN_ATTENTION), "FlashAttention-2": _sdpa(op, SDPBackend.FLASH_ATTENTION)}


def _products(op):
    if op.dtype == "float32":
        return {"cuBLAS": _tf32}
    if op.form in ("plain", "batched"):
        return {"cuBLAS": lambda args: torch.matmul(args[0], args[1])}
    name, layer = _LAYERS[op.form]
    compiled = torch.compile(layer, dynamic=False)
    return {name: lambda args: compiled(*args[:-1])}


def _tf32(args):
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        return torch.matmul(args[0], args[1])
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False


def _gelu(x, w, bias):
    return F.gelu(torch.matmul(x, w).float() + bias, approximate="tanh").bfloat16()


def _after_rms(x, gain, w):
    return torch.matmul(F.rms_norm(x, x.shape[-1:], gain, 1e-5), w)


def _after_layer(x, gain, shift, w):
    return torch.matmul(F.layer_norm(x, x.shape[-1:], gain, shift, 1e-5), w)


def _loss(x, w, target):
    return F.cross_entropy(torch.matmul(x, w.T).float(), target.long(), reduction="none")


_LAYERS = {"gelu": ("cuBLAS + compiled GELU", _gelu), "rms": ("compiled norm + cuBLAS", _after_rms),
           "layer": ("compiled norm + cuBLAS", _after_layer), "loss": ("cuBLAS + compiled cross entropy", _loss)}


def _sdpa(op, backend):
    def call(args):
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(*args[:3], is_causal=op.causal, enable_gqa=op.heads != op.groups)

    return call


def _flex(case, tuned):
    op, behind = case.operator, case.length - case.queries
    mode = dict(mode="max-autotune-no-cudagraphs") if tuned else {}
    compiled = torch.compile(flex_attention, dynamic=False, **mode)
    mask = None
    if op.causal:
        def visible(b, h, i, j):
            return (j <= i) & (i - j < WINDOW) if op.window else j <= i

        mask = create_block_mask(visible, None, None, case.queries, case.length, device="cuda")
    if op.alibi:
        from data import slopes
        slope = slopes(op)

        def score(s, b, h, i, j):
            return s + slope[h] * (j - i - behind)
    elif op.softcap:
        def score(s, b, h, i, j):
            return CAP * torch.tanh(s / CAP)
    else:
        score = None
    return lambda args: compiled(*args[:3], score_mod=score, block_mask=mask, enable_gqa=op.heads != op.groups)
