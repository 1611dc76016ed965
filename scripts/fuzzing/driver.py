"""The C++ text around a batch of programs: what calls them, and the table of them."""
from fuzzing.compare import LARGEST, NORMAL, UNIT
from fuzzing.model import NAMES
from fuzzing.spelling import holder
from fuzzing.text import text

HEAD = "#include <algorithm>\n#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <limits>\n#include <numeric>\n#include <span>\n#include <vector>\n\n"


def source(programs):
    return HEAD + "\n".join(text(p, "source") for p in programs)


def wide(programs):
    calls = "".join(call(p, limits(p.kind if p.kind in UNIT else "d"), True) for p in programs)
    return HEAD + '#include "runtime.h"\n#include "wide.h"\n' + "\n".join(text(p, "wide") for p in programs) + calls


def limits(kind):
    return f"  largestHeld = {LARGEST[kind]};\n  roundingHeld = {UNIT[kind]};\n  smallestHeld = {NORMAL[kind]};\n"


def call(p, before="", plain=False):
    """A function that calls p with arguments of no type; `plain`: p takes pointers, whatever its source does."""
    sizes = [f"static_cast<{p.size_type}>(sizes[{k}])" for k in range(len(p.sizes))]
    arrays, made, after = [], "", ""
    for k, array in enumerate(p.arrays):
        how, kind = "pointer" if plain else holder(p, array), "int" if array.bound else NAMES[array.kind]
        if how == "vector":
            made += f"  Held<{kind}> held_{k}(arrays[{k}]);\n"
            after += f"  held_{k}.giveBack();\n" if array.written else ""
        span = f"std::span<{kind}>(static_cast<{kind} *>(arrays[{k}].at), static_cast<std::size_t>(arrays[{k}].count))"
        arrays.append({"pointer": f"arrays[{k}]", "vector": f"held_{k}.elements", "span": span}[how])
    scalars = [f"static_cast<{NAMES[p.kind]}>(scalars[{k}])" for k in range(len(p.scalars))]
    called = f"{p.name}({', '.join(sizes + arrays + scalars)})"
    kept = f"store(result, {called})" if p.result else called
    return (f"void call_{p.name}(const long *sizes, const Any *arrays, const double *scalars, double *result) {{\n"
            f"  (void)sizes, (void)arrays, (void)scalars, (void)result;\n{before}{made}  {kept};\n{after}}}\n")


def calls(programs, included):
    return f'#include "{included}"\n#include "runtime.h"\n' + "".join(call(p) for p in programs)


def table(programs):
    """The shapes of the programs and what is known of them."""
    lines = [HEAD, '#include "runtime.h"\n']
    for p in programs:
        lines.append(text(p, "shape"))
        lines.append(f"void call_{p.name}(const long *, const Any *, const double *, double *);\n")
        facts = [f'{{"{a.name}", \'{a.kind}\', {"true" if a.written else "false"}, {p.sizes.index(a.bound) if a.bound else -1}}}' for a in p.arrays]
        lines.append(f"static const ArrayFacts arrays_{p.name}[] = {{{', '.join(facts)}}};\n")
    rows = [f'{{"{p.name}", \'{p.kind}\', {len(p.sizes)}, {len(p.arrays)}, {len(p.scalars)}, arrays_{p.name}, shape_{p.name}, call_{p.name}, '
            f'{"true" if p.result else "false"}}}' for p in programs]
    lines.append(f"const ProgramFacts programs[] = {{{', '.join(rows)}}};\nconst int programCount = {len(programs)};\n")
    return "".join(lines)
