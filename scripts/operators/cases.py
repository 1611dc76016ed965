"""The operators that are timed, their sizes, and how much work each does.

An operator names an input of inputs/ (perhaps with numbers of its text exchanged), the flags it is printed with, and what the
reference and the peers need to know of it. Nothing here is known to polymend.
"""
import dataclasses
import os

WINDOW, CAP = 4096, 50.0


@dataclasses.dataclass(frozen=True)
class Operator:
    name: str
    source: str
    kind: str  # prefill, decode or product
    heads: int = 0
    groups: int = 0
    dim: int = 128
    causal: bool = False
    alibi: bool = False
    softcap: bool = False
    window: bool = False
    gelu: bool = False
    exchange: tuple = ()  # (text, its replacement) of the source
    variants: tuple = ("",)  # "" or "approx" (--fp=approx)
    sizes: tuple = ()  # of its own, instead of its kind's

    def libraries(self):
        """(name of the printed file, flags) of each variant."""
        return [(self.name + ("." + v if v else ""), ["--fp=" + v] if v else []) for v in self.variants]


@dataclasses.dataclass(frozen=True)
class Case:
    operator: Operator
    batch: int
    length: int

    @property
    def queries(self):
        return 1 if self.operator.kind == "decode" else self.length

    def flops(self):
        """Operations that cannot be left out: masked pairs do not count."""
        op, n = self.operator, self.length
        if op.kind == "product":
            return 2 * n**3
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
            return 6 * self.length**2
        return 4 * self.batch * op.dim * (op.heads * self.queries + op.groups * self.length)

    def label(self):
        op = self.operator
        return f"{op.name}, {self.length}" + (f", batch {self.batch}" if self.batch > 1 else "")


def _causal(name, **more):
    return Operator(name, name, "prefill", causal=True, **more)


OPERATORS = [
    Operator("prefill_global", "prefill_global", "prefill", 32, 32),
    _causal("prefill_causal", heads=32, groups=32),
    _causal("prefill_masked", heads=32, groups=32, sizes=((1, 8192),)),
    _causal("prefill_gqa", heads=64, groups=8),
    _causal("prefill_alibi", heads=32, groups=32, alibi=True),
    _causal("prefill_softcap", heads=32, groups=16, softcap=True, variants=("", "approx")),
    _causal("prefill_window", heads=32, groups=8, softcap=True, window=True, variants=("", "approx")),
    Operator("prefill_causal_64", "prefill_causal", "prefill", 64, 64, 64, causal=True, sizes=((1, 8192),),
             exchange=(("heads = 32", "heads = 64"), ("dim = 128", "dim = 64"), ("0.08838834764f", "0.125f"))),
    Operator("prefill_causal_256", "prefill_causal", "prefill", 16, 16, 256, causal=True, sizes=((1, 8192),),
             exchange=(("heads = 32", "heads = 16"), ("dim = 128", "dim = 256"), ("0.08838834764f", "0.0625f"))),
    Operator("decode_causal", "decode_causal", "decode", 32, 32),
    Operator("decode_alibi", "decode_alibi", "decode", 32, 32, alibi=True),
    Operator("decode_gqa", "decode_gqa", "decode", 64, 8),
    Operator("decode_softcap", "decode_softcap", "decode", 32, 16, softcap=True),
    Operator("matmul_bf16", "matmul_bf16", "product"),
    Operator("matmul_epilogue", "matmul_epilogue", "product", gelu=True),
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
        quick, usual, more = SIZES[op.kind]
        sizes = quick if extent == "quick" else op.sizes or (usual + more if extent == "all" else usual)
        result += [Case(op, *size) for size in sizes]
    return result
