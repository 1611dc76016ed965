"""The operators that are timed, their sizes, and how much work each does.

An operator names an input of inputs/ (perhaps with numbers of its text exchanged), the flags it is printed with, and what the
reference and the peers need to know of it. Nothing here is known to polymend.
"""
import dataclasses
import math
import os

WINDOW, CAP = 4096, 50.0


@dataclasses.dataclass(frozen=True)
class Operator:
    name: str
    source: str
    kind: str  # prefill, decode or product
    form: str = "plain"  # of a product: plain, gelu (with bias), batched, after a norm of the rows (rms, layer), loss (of a classifier)
    dtype: str = "bfloat16"  # of the arrays
    heads: int = 0
    groups: int = 0
    dim: int = 128
    causal: bool = False
    alibi: bool = False
    softcap: bool = False
    window: bool = False
    columns: int = 0  # of a product; 0: as many as rows
    depth: int = 0
    index: str = "int64"  # the type of the function's sizes
    exchange: tuple = ()  # (text, its replacement) of the source
    variants: tuple = ("",)  # "" or "approx" (--fp=approx)
    sizes: tuple = ()  # of its own, instead of its kind's
    more: bool = False  # timed with --all, or where ONLY names it

    def libraries(self):
        """(name of the printed file, flags, what a table calls it) of each variant."""
        flags = [["--fp=" + v] if v else [] for v in self.variants]
        return [(self.name + ("." + v if v else ""), f, " ".join(["polymend", *f])) for v, f in zip(self.variants, flags)]

    def width(self):
        """Bytes of one number."""
        return {"float64": 8, "float32": 4}.get(self.dtype, 2)


@dataclasses.dataclass(frozen=True)
class Case:
    operator: Operator
    batch: int
    length: int

    @property
    def queries(self):
        return 1 if self.operator.kind == "decode" else self.length

    def extents(self):
        """Rows, columns and depth of a product."""
        return self.length, self.operator.columns or self.length, self.operator.depth or self.length

    def flops(self):
        """Operations that cannot be left out: masked pairs do not count."""
        op, n = self.operator, self.length
        if op.kind == "product":
            return 2 * self.batch * math.prod(self.extents())
        pairs = n * self.queries
        if op.window:
            pairs = sum(min(i + 1, WINDOW) for i in range(n))
        elif op.causal:
            pairs = n * (n + 1) // 2
        return 4 * self.batch * op.heads * pairs * op.dim

    def bytes(self):
        """Each input read once, the output written once."""
        op = self.operator
        if op.kind == "product":
            rows, columns, depth = self.extents()
            return op.width() * self.batch * (rows * depth + depth * columns + rows * (1 if op.form == "loss" else columns))
        return 2 * op.width() * self.batch * op.dim * (op.heads * self.queries + op.groups * self.length)

    def work(self):
        """The unit of a rate, and what divided by milliseconds gives the rate."""
        return ("GB/s", self.bytes() / 1e6) if self.operator.kind == "decode" else ("TFLOP/s", self.flops() / 1e9)

    def label(self):
        op = self.operator
        return f"{op.name}, {self.length}" + (f", batch {self.batch}" if self.batch > 1 else "")


def _causal(name, source=None, **facts):
    return Operator(name, source or name, "prefill", causal=True, **facts)


OPERATORS = [
    Operator("prefill_global", "prefill_global", "prefill", heads=32, groups=32),
    _causal("prefill_causal", heads=32, groups=32),
    _causal("prefill_masked", heads=32, groups=32, sizes=((1, 8192),)),
    _causal("prefill_gqa", heads=64, groups=8),
    _causal("prefill_alibi", heads=32, groups=32, alibi=True),
    _causal("prefill_softcap", heads=32, groups=16, softcap=True, variants=("", "approx")),
    _causal("prefill_window", heads=32, groups=8, softcap=True, window=True, variants=("", "approx")),
    _causal("prefill_causal_64", "prefill_causal", heads=64, groups=64, dim=64, sizes=((1, 8192),),
            exchange=(("heads = 32", "heads = 64"), ("dim = 128", "dim = 64"), ("0.08838834764f", "0.125f"))),
    _causal("prefill_causal_256", "prefill_causal", heads=16, groups=16, dim=256, sizes=((1, 8192),),
            exchange=(("heads = 32", "heads = 16"), ("dim = 128", "dim = 256"), ("0.08838834764f", "0.0625f"))),
    Operator("decode_causal", "decode_causal", "decode", heads=32, groups=32),
    Operator("decode_alibi", "decode_alibi", "decode", heads=32, groups=32, alibi=True),
    Operator("decode_gqa", "decode_gqa", "decode", heads=64, groups=8),
    Operator("decode_softcap", "decode_softcap", "decode", heads=32, groups=16, softcap=True),
    Operator("matmul_bf16", "matmul_bf16", "product"),
    Operator("matmul_epilogue", "matmul_epilogue", "product", "gelu"),
    _causal("prefill_causal_f16", "prefill_causal", heads=32, groups=32, dtype="float16", sizes=((1, 8192),), more=True,
            exchange=(("__bf16", "_Float16"),)),
    Operator("matmul_f64", "matmul_f64", "product", dtype="float64", sizes=((1, 4096),), more=True),
    Operator("matmul_tf32", "matmul", "product", dtype="float32", index="int", variants=("approx",), sizes=((1, 8192),), more=True),
    Operator("batched_matmul", "batched_matmul", "product", "batched", sizes=((64, 1024), (8, 4096)), more=True),
    Operator("rmsnorm_matmul", "rmsnorm_matmul_bf16", "product", "rms", columns=4096, depth=4096, sizes=((1, 8192),), more=True),
    Operator("layernorm_matmul", "layernorm_matmul_bf16", "product", "layer", columns=4096, depth=4096, sizes=((1, 8192),), more=True),
    Operator("linear_cross_entropy", "linear_cross_entropy_bf16", "product", "loss", columns=4096, depth=64, index="int",
             sizes=((1, 65536),), more=True),
    Operator("linear_cross_entropy_wide", "linear_cross_entropy_bf16", "product", "loss", columns=128256, depth=4096, index="int",
             sizes=((1, 8192),), more=True, exchange=(("* 64", "* 4096"), ("e < 64", "e < 4096"), ("z[4096]", "z[131072]"))),
]

# (batch, length) of each kind: of --quick, by default, and what --all adds.
SIZES = {
    "prefill": ([(1, 8192)], [(1, 1024), (1, 8192), (1, 32768)], [(16, 8192)]),
    "decode": ([(1, 8192)], [(1, 1024), (1, 8192), (1, 32768), (16, 8192)], []),
    "product": ([(1, 8192)], [(1, 8192)], []),
}


def operators():
    only = os.environ.get("ONLY", "").split()
    return [op for op in OPERATORS if not only or op.name in only]


def cases(extent):
    """The cases of an extent: quick, default or all."""
    result = []
    for op in operators():
        if op.more and extent != "all" and not os.environ.get("ONLY"):
            continue
        quick, usual, more = SIZES[op.kind]
        sizes = op.sizes or (usual + more if extent == "all" else usual)
        result += [Case(op, *size) for size in (op.sizes[:1] or quick if extent == "quick" else sizes)]
    return result
