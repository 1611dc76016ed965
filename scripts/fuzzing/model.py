"""Random programs as values: what is printed, run and made smaller.

Subscripts, bounds and conditions on indices are C++ text (the same in every printing); values are trees, because a wide evaluation
spells them in another type. Kinds of element: f float, d double, h _Float16, b __bf16, i int, u unsigned; of arrays alone
s 16 bits, e 8 bits without a sign, l 64 bits.
"""
import dataclasses

NAMES = {"f": "float", "d": "double", "h": "_Float16", "b": "__bf16", "i": "int", "u": "unsigned", "s": "std::int16_t", "e": "std::uint8_t", "l": "std::int64_t"}
BYTES = {"f": 4, "d": 8, "h": 2, "b": 2, "i": 4, "u": 4, "s": 2, "e": 1, "l": 8}


@dataclasses.dataclass(frozen=True)
class Literal:
    text: str


@dataclasses.dataclass(frozen=True)
class Scalar:
    name: str


@dataclasses.dataclass(frozen=True)
class Index:
    text: str  # an integer as a value


@dataclasses.dataclass(frozen=True)
class Gather:
    array: str
    text: str
    bound: str  # the elements of the index array lie in [0, bound)


@dataclasses.dataclass(frozen=True)
class Load:
    array: str
    subscripts: tuple  # text, or one Gather


@dataclasses.dataclass(frozen=True)
class Binary:
    op: str
    left: object
    right: object


@dataclasses.dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple


@dataclasses.dataclass(frozen=True)
class Cast:
    kind: str
    value: object


@dataclasses.dataclass(frozen=True)
class OnIndex:
    text: str


@dataclasses.dataclass(frozen=True)
class OnData:
    op: str
    left: object
    right: object


@dataclasses.dataclass(frozen=True)
class Select:
    condition: object
    yes: object
    no: object


@dataclasses.dataclass(frozen=True)
class Let:
    name: str
    kind: str
    value: object


@dataclasses.dataclass(frozen=True)
class LetArray:
    name: str
    kind: str
    extent: int


@dataclasses.dataclass(frozen=True)
class Assign:
    target: object  # Load or Scalar
    op: str  # = += -= *=
    value: object


@dataclasses.dataclass(frozen=True)
class Loop:
    variable: str
    start: str
    end: str
    step: int
    down: bool  # from end - 1 to start
    body: tuple


@dataclasses.dataclass(frozen=True)
class If:
    condition: object
    body: tuple


@dataclasses.dataclass(frozen=True)
class Array:
    name: str
    kind: str
    inner: tuple = ()  # constant extents after the first dimension
    written: bool = False
    bound: str = ""  # of an index array: its elements lie in [0, bound)


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    kind: str  # of computations: f, d, i or u
    sizes: tuple  # names
    size_type: str
    arrays: tuple
    scalars: tuple  # names of parameters of the computations' kind
    body: tuple
    restrict: bool
    result: str = ""  # the scalar that is returned
    family: str = ""
    spelling: int = 0  # in which forms the source is written; 0: in the plainest
    ended: bool = False  # some loops of the source end by what data are
    held: bool = False  # some arrays of the source are spans or vectors
    compares: bool = False  # takes a maximum by comparison: the class of a result is promised without NaN only

    def array(self, name):
        return next((a for a in self.arrays if a.name == name), None)
