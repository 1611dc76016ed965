"""The C++ text around a batch of programs: what calls them, and the table of them."""
from fuzzing.compare import LARGEST, NORMAL, UNIT
from fuzzing.model import NAMES
from fuzzing.text import text

HEAD = "#include <algorithm>\n#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <limits>\n#include <numeric>\n#include <span>\n\n"


def source(programs):
    return HEAD + "\n".join(text(p, "source") for p in programs)


def wide(programs):
    calls = "".join(call(p, held(p.kind if p.kind in UNIT else "d")) for p in programs)
    return HEAD + '#include "runtime.h"\n#include "wide.h"\n' + "\n".join(text(p, "wide") for p in programs) + calls


def held(kind):
    return f"  largestHeld = {LARGEST[kind]};\n  roundingHeld = {UNIT[kind]};\n  smallestHeld = {NORMAL[kind]};\n"


def call(p, before=""):
    """A function that calls p with arguments of no type."""
    sizes = [f"static_cast<{p.size_type}>(sizes[{k}])" for k in range(len(p.sizes))]
    arrays = [f"arrays[{k}]" for k in range(len(p.arrays))]
    scalars = [f"static_cast<{NAMES[p.kind]}>(scalars[{k}])" for k in range(len(p.scalars))]
    called = f"{p.name}({', '.join(sizes + arrays + scalars)})"
    held = f"store(result, {called})" if p.result else called
    return (f"void call_{p.name}(const long *sizes, const Any *arrays, const double *scalars, double *result) {{\n"
            f"  (void)sizes, (void)arrays, (void)scalars, (void)result;\n{before}  {held};\n}}\n")


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
