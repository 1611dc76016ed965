"""Is a result what it must be? Bits under --fp=strict and for integers, else classes and errors in units of rounding.

The unit of an element is one rounding times the sizes of what the source adds up for it (2^-p * sum |terms|, carried to first order through
products, quotients and functions by the wide evaluation); where moving the inputs by a few roundings makes an element jump, the jump. The
largest error over an array of a case may be twice the original's and a few dozen units. An element whose class or value in the original
itself changes when inputs move by one rounding, or when its fmax and fmin choose the other among zeros of both signs, is ill-conditioned
and excused, as is a NaN of the original where the wide evaluation gives the result's class (the original overflowed on its way), and an
element made of sums that overflow in one order and not in another (their terms' sizes add up to more than the type holds), or of a
quotient or logarithm of what two roundings may make zero; excuses are counted.
"""
import array
import dataclasses
import math
import struct

UNIT = {"f": 2.0**-24, "d": 2.0**-53, "h": 2.0**-11, "b": 2.0**-8}
NORMAL = {"f": 2.0**-126, "d": 2.0**-1022, "h": 2.0**-14, "b": 2.0**-126}
TINY = {"f": 2.0**-149, "d": 2.0**-1074, "h": 2.0**-24, "b": 2.0**-133}
LARGEST = {"f": 3.4e38, "d": 1.7e308, "h": 65504.0, "b": 3.3e38}
SLACK = 48


@dataclasses.dataclass
class Verdict:
    fault: str = ""
    where: str = ""
    worst: float = 0.0
    original: float = 0.0
    excused: int = 0
    compared: int = 0


def records(path):
    """case number -> (state, values) of what one process wrote; what it left unfinished is missing."""
    result = {}
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return result
    at = 0
    while at + 24 <= len(data):
        number, state, count = struct.unpack_from("<qqq", data, at)
        if at + 24 + 8 * count > len(data):
            break
        values = array.array("d")
        values.frombytes(data[at + 24:at + 24 + 8 * count])
        result[number] = (state, values)
        at += 24 + 8 * count
    return result


def same_bits(x, y):
    return (x != x and y != y) or (x == y and math.copysign(1, x) == math.copysign(1, y))


def kind_of(x):
    return "NaN" if x != x else "finite" if abs(x) < math.inf else "+inf" if x > 0 else "-inf"


def bitwise(original, result):
    verdict = Verdict(compared=len(original))
    for k, (o, r) in enumerate(zip(original, result)):
        if not same_bits(o, r):
            verdict.fault, verdict.where = "bits", f"element {k}: {r!r}, original {o!r}"
            break
    return verdict


def numeric(kind, original, result, wide, moved, neighbours=()):
    """`moved`: wide evaluations of moved inputs; `neighbours`: originals on moved inputs, or with another choice of zeros."""
    unit, tiny, verdict = UNIT[kind], TINY[kind], Verdict(compared=len(original))
    if original.tobytes() == result.tobytes():
        return verdict
    errors = []
    for k, (o, r, w) in enumerate(zip(original, result, wide)):
        rounding = wide[len(original) + k] * unit
        near = [v[k] for v in neighbours]
        if kind_of(o) != kind_of(r):
            if any(kind_of(v) != kind_of(o) for v in near) or beyond(kind, o, r, w) or lost(o, w) or (o != o and kind_of(r) == kind_of(w)) or not math.isfinite(rounding) or any(kind_of(v[k]) != kind_of(w) for v in moved):
                verdict.excused += 1
            elif not verdict.fault:
                verdict.fault, verdict.where = "class", f"element {k}: {r!r}, original {o!r}, wide {w!r}"
            continue
        if kind_of(o) != "finite":
            continue
        others = [v[k] for v in moved]
        if not all(math.isfinite(v) for v in [rounding, w, *others, *near]):
            verdict.excused += 1
            continue
        step = max(rounding, unit * abs(w), tiny, *jumps(others, w, rounding))
        errors.append((abs(r - w) / step, max(abs(v - w) for v in [o, *near]) / step, k))
    if errors:
        verdict.original = max(e[1] for e in errors)
        verdict.worst, _, k = max(errors)
        if verdict.worst > 2 * verdict.original + SLACK and not verdict.fault:
            verdict.fault = "error"
            verdict.where = f"element {k}: {result[k]!r}, original {original[k]!r}, wide {wide[k]!r}: {verdict.worst:.0f} units, original's largest {verdict.original:.1f}"
    return verdict


def jumps(others, w, rounding):
    """How far moved inputs carry an element where that is no smooth movement: a value stored in a narrower type or a comparison went the
    other way."""
    return [abs(v - w) for v in others if abs(v - w) > 24 * rounding]


def beyond(kind, o, r, w):
    """The value itself is near or beyond the largest number, or the original overflowed on its way to a value that is not."""
    if not math.isfinite(w):
        return False
    if not math.isfinite(o):
        return True
    return r == r and abs(w) > 0.2 * LARGEST[kind]


def lost(o, w):
    """The original itself has no digit of the value left."""
    return math.isfinite(o) and math.isfinite(w) and abs(o - w) > 0.5 * max(abs(o), abs(w))
