"""The options of a batch."""
import random

FP = ["--fp=strict", "--fp=algebraic", "--fp=approx"]
OPTIMISED = 4  # one batch of so many: Clang takes three quarters of its time over what it optimises
RELAX = ["auto", "none", "rolling", "split-k"]


def options(seed, batch, target, fixed):
    """The flags of one batch: drawn, or what the user fixed."""
    result = ["--target=cuda"] if target == "cuda" else []
    if fixed is not None:
        return result + fixed
    r = random.Random(f"{seed}:batch:{batch}")
    result.append(r.choices(FP, [30, 60, 10])[0])
    if r.random() < 0.45:
        result.append("--relax=" + r.choice(RELAX[:2] if "--fp=strict" in result else RELAX))
    if r.random() < 0.3 and target == "cpp":
        loops = r.sample(["i", "j", "l", "e", "p", "r", "row", "col", "t"], r.randint(1, 4))
        result.append("--tile=" + ",".join(f"{loop}:{r.choice([1, 2, 3, 8, 16, 32, 33, 64, 100])}" for loop in loops))
    return result


def level(batch):
    """How Clang compiles a batch: original, wide evaluation and result alike."""
    return "-O1" if batch % OPTIMISED == 0 else "-O0"
