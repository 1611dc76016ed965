"""What JAX has for a case: attention of cuDNN, kernels written in Pallas, and what XLA makes of a product and what is around it.

Nothing of Pallas is imported before a peer is asked for, so that what this version of JAX lacks fails alone.
"""
import dataclasses
import functools
import math
import typing

import jax
import jax.numpy as jnp
import torch


@dataclasses.dataclass(frozen=True)
class Peer:
    """Calls that differ in their tiles alone (the fastest is timed), and the layout that they want."""
    calls: list
    prepare: typing.Callable  # the tensors of data.arguments() -> those that a call takes
    restore: typing.Callable = lambda out: out  # a call's output, a tensor -> in the function's layout


def peers(case):
    """Name and maker of each peer. A peer whose name ends in "float16" is asked for where the one without does not run."""
    op = case.operator
    if op.kind == "product":
        return _products(op)
    if op.alibi or op.softcap or op.window:
        return {}
    found = {"JAX cuDNN": functools.partial(_cudnn, op)}
    if op.kind == "decode":
        return {**found, "Pallas decoding": functools.partial(_decoding, case)}
    found["Pallas Mosaic"] = functools.partial(_mosaic, op)
    if op.dtype != "float16":
        found["Pallas Mosaic float16"] = functools.partial(_mosaic, op, torch.float16)
    if op.heads == op.groups:
        found["Pallas Triton"] = functools.partial(_triton, op)
    return found


def _by_position(args):
    """[batch][head][position][dim] -> [batch][position][head][dim]."""
    return [x.transpose(1, 2).contiguous() for x in args[:3]]


def _by_head(out):
    return out.transpose(1, 2)


def _cudnn(op):
    call = functools.partial(jax.nn.dot_product_attention, is_causal=op.causal, implementation="cudnn")
    return Peer([call], _by_position, _by_head)


def _mosaic(op, dtype=None):
    """The kernel of FlashAttention-3's design; it knows no scale, so its queries are scaled before."""
    from jax.experimental.pallas.ops.gpu import attention_mgpu as kernels

    def call(config, q, k, v):
        return kernels.attention(q, k, v, config)

    def prepare(args):
        q, k, v = (x.to(dtype or x.dtype) for x in _by_position(args))
        return [q / math.sqrt(op.dim), k, v]

    tiles = [(128, 128, 2), (128, 64, 2), (128, 64, 4), (64, 128, 2), (64, 128, 4), (64, 256, 2)]
    configs = [kernels.TuningConfig(block_q=q, block_kv=kv, max_concurrent_steps=s, causal=op.causal) for q, kv, s in tiles]
    return Peer([functools.partial(call, c) for c in configs], prepare, _by_head)


def _triton(op):
    from jax.experimental.pallas.ops.gpu import attention as kernels

    def call(blocks, warps, q, k, v):
        return kernels.mha(q, k, v, None, sm_scale=1 / math.sqrt(op.dim), causal=op.causal, block_sizes=blocks, num_warps=warps)

    tiles = [(128, 64, 8), (128, 64, 4), (64, 64, 4)]
    return Peer([functools.partial(call, kernels.BlockSizes(block_q=q, block_k=k), warps) for q, k, warps in tiles], _by_position, _by_head)


def _decoding(case):
    from jax.experimental.pallas.ops.gpu import decode_attention as kernels

    def call(splits, block, q, k, v):
        return kernels.gqa(q, jnp.swapaxes(k, 1, 2), jnp.swapaxes(v, 1, 2), block_k=block, k_splits=splits)

    tiles = [(s, b) for s in (8, 16, 32, 64) for b in (64, 128) if case.length // s >= b]
    return Peer([functools.partial(call, *t) for t in tiles], lambda args: [args[0][:, :, 0].contiguous(), *args[1:3]],
                lambda out: out[:, :, None])


def _products(op):
    if op.dtype == "float64":
        return {}
    found = {"JAX XLA": functools.partial(_xla, op)}
    if op.form == "plain" and op.width() == 2:
        found["Pallas Mosaic"] = _mosaic_product
    return found


def _mosaic_product():
    from jax.experimental.pallas.ops.gpu import hopper_matmul_mgpu as kernels
    configs = [kernels.TuningConfig(tile_m=128, tile_n=128, tile_k=64, max_concurrent_steps=4, grid_minor_dim=minor, grid_tile_width=8,
                                    wg_dimension=groups) for minor in kernels.MatmulDimension for groups in kernels.MatmulDimension]
    return Peer([lambda a, b, c=c: kernels.matmul(a, b, None, c) for c in configs], lambda args: args[:2])


def _xla(op):
    return Peer([_LAYERS.get(op.form, jnp.matmul)], lambda args: args[:-1])


def _gelu(x, w, bias):
    y = jnp.matmul(x, w, preferred_element_type=jnp.float32) + bias
    return jax.nn.gelu(y, approximate=True).astype(x.dtype)


def _after_rms(x, gain, w):
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return jnp.matmul((wide * scale * gain.astype(jnp.float32)).astype(x.dtype), w)


def _after_layer(x, gain, shift, w):
    wide = x.astype(jnp.float32)
    wide = wide - jnp.mean(wide, -1, keepdims=True)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return jnp.matmul((wide * scale * gain.astype(jnp.float32) + shift.astype(jnp.float32)).astype(x.dtype), w)


def _loss(x, w, target):
    logits = jnp.matmul(x, w.T, preferred_element_type=jnp.float32)
    return jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, target[:, None], -1)[:, 0]


_LAYERS = {"gelu": _gelu, "rms": _after_rms, "layer": _after_layer, "loss": _loss}
