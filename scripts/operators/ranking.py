"""What a case's times say of each other: the ratio of each text to the best peer, its share of each given library.

A contender is a text of ours, a peer (`peer`: a library that is installed) or a library of the command line (`given`).
"""
import math


def ranked(result):
    """The result with ratios and shares (times of the other over the text's own); a library that is wrong is compared with nothing."""
    contenders = {name: {k: v for k, v in got.items() if k not in ("ratio", "shares")} for name, got in result["contenders"].items()}
    timed = {name: got for name, got in contenders.items() if "ms" in got}
    best = min((got["ms"] for got in timed.values() if got.get("peer")), default=None)
    lent = {name: got["ms"] for name, got in timed.items() if got.get("given") and got.get("ok")}
    for got in timed.values():
        if best and not got.get("peer"):
            got["ratio"] = round(best / got["ms"], 3)
        if lent and not got.get("peer") and not got.get("given"):
            got["shares"] = {name: round(ms / got["ms"], 3) for name, ms in lent.items()}
    first = contenders.get(result.get("text"), {})
    return dict(result, contenders=contenders, ratio=first.get("ratio"), shares=first.get("shares", {}))


def joined(results, further):
    """The results, each with the contenders of its case's further result (measured in another process), where there is one."""
    contenders = [f["contenders"] for f in further] + [{}] * (len(results) - len(further))
    return [dict(r, contenders={**r["contenders"], **more}) for r, more in zip(results, contenders)]


def given_names(results):
    """The libraries of the command line, in order of appearance."""
    return list(dict.fromkeys(name for r in results for name, got in r["contenders"].items() if got.get("given")))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None
