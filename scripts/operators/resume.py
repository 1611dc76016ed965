"""What an interrupted run has measured already."""
import json


def earlier(path, wanted, build):
    """(about the run, its first results) of the operators.json at `path`: those cases, in the order of `wanted`, that were measured
    with the texts that `build` (of build.json) knows. Nothing where there is no such file."""
    try:
        said = json.loads(path.read_text())
    except FileNotFoundError:
        return {}, []
    kept = []
    for case, result in zip(wanted, said["results"]):
        names = [name for name, _, _ in case.operator.libraries()]
        same = all(said["build"].get(n, {}).get("text") == build.get(n, {}).get("text") for n in names)
        if result["label"] != case.label() or result.get("failed") or not same:
            break
        kept.append(result)
    return (said["about"] if kept else {}), kept
