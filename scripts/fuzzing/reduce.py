"""Makes a failing program smaller: whole statements go first, then parts of expressions, then steps, casts and unused arguments, as long
as the outcome stays of its kind. What is left is well defined, because its shape is printed anew each time."""
import dataclasses
import time

from fuzzing import model
from fuzzing.batch import Batch
from fuzzing.model import Binary, Call, Cast, If, Loop, Select


def parts(node):
    """What may stand in the place of an expression or statement, each simpler."""
    match node:
        case Binary(_, left, right):
            return [left, right]
        case Call(_, arguments):
            return list(arguments)
        case Cast(_, value):
            return [value]
        case Select(_, yes, no):
            return [yes, no]
        case Loop(step=step, down=down, start=start):
            plain = [dataclasses.replace(node, step=1, down=False)] if step != 1 or down else []
            return plain + ([dataclasses.replace(node, start="0")] if start != "0" else [])
    return []


def variants(node):
    """Every program with one part of `node` taken away."""
    if not dataclasses.is_dataclass(node):
        return
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if field.name == "body":
            for k in range(len(value)):
                yield dataclasses.replace(node, body=value[:k] + value[k + 1:])
            for k, s in enumerate(value):
                if isinstance(s, If):
                    yield dataclasses.replace(node, body=value[:k] + s.body + value[k + 1:])
        if isinstance(value, tuple):
            for k, part in enumerate(value):
                for v in (*parts(part), *variants(part)) if dataclasses.is_dataclass(part) and not isinstance(part, model.Array) else ():
                    yield dataclasses.replace(node, **{field.name: value[:k] + (v,) + value[k + 1:]})
        elif dataclasses.is_dataclass(value):
            for v in (*parts(value), *variants(value)):
                yield dataclasses.replace(node, **{field.name: v})


def used(node):
    """The names and texts of a program's body."""
    if isinstance(node, str):
        return {node}
    if isinstance(node, tuple):
        return set().union(*map(used, node)) if node else set()
    return set().union(*(used(getattr(node, f.name)) for f in dataclasses.fields(node))) if dataclasses.is_dataclass(node) else set()


def without_unused(p):
    """The program without arrays and scalars that its body does not name."""
    names = used(p.body) | {p.result}
    return dataclasses.replace(p, arrays=tuple(a for a in p.arrays if a.name in names), scalars=tuple(s for s in p.scalars if s in names))


class Reduction:
    def __init__(self, settings, folder, number, options, level, outcome, seconds):
        self.settings, self.folder, self.number, self.options, self.level = settings, folder, number, options, level
        self.wanted, self.until, self.tried = self.signature(outcome), time.monotonic() + seconds, 0
        self.last = outcome

    @staticmethod
    def signature(outcome):
        return outcome.outcome, outcome.detail.split(":")[0] if outcome.outcome == "wrong" else outcome.detail

    def fails(self, p):
        if not p.arrays:
            return False
        self.tried += 1
        batch = Batch(self.settings, self.folder / f"reduction{self.number}_{self.tried}", [self.number], [p], self.options, self.level)
        try:
            outcome = batch.done()[self.number]
        except RuntimeError:
            return False
        finally:
            batch.remove()
        if self.signature(outcome) != self.wanted:
            return False
        self.last = outcome
        return True

    def least(self, p):
        """The smallest program found in the time, and its outcome."""
        smaller = without_unused(p)
        if smaller != p and self.fails(smaller):
            p = smaller
        again = True
        while again and time.monotonic() < self.until:
            again = False
            for v in variants(p):
                if time.monotonic() > self.until:
                    break
                v = without_unused(v)
                if self.fails(v):
                    p, again = v, True
                    break
        return p, self.last
