"""Writes DIR/NAME.ARCH.main.cu for every DIR/NAME.ARCH.cu, ARCH sm_90a or sm_80, with _tf32 where factors may be rounded
(--fp=approx), that holds a matrix kernel: a driver of tests/gpu/matrix_check.h.

Beside it NAME.ARCH.reference.cpp holds the original twice: FUNCTION_original with every floating type as double, and
FUNCTION_written as it stands. What a function takes is read from its tile program (DIR/NAME.tile).
"""
import pathlib
import re
import sys

import gpu_drivers

ARCHITECTURES = ("sm_90a", "sm_80", "sm_90a_tf32", "sm_80_tf32")
KINDS = {"f32", "f64", "f16", "bf16", "i32", "i64"}


def written(source, function):
    """The original as it stands, in a namespace of its own."""
    text = re.sub(r"\b" + function + r"(?=\s*\()", function + "_written", source)
    text = re.sub(r"(?m)^(?=void\s+" + function + "_written)", 'extern "C" ', text)
    lines = ["" if line.startswith("#include") else line for line in text.split("\n")]
    return f"namespace {function}_as_written {{\n" + "\n".join(lines) + "\n}\n"


def call(function, sizes, ordered, arrays, first, pointer):
    """The call of one form; `pointer` gives the type that an array's kind is passed as."""
    names, arguments = list(arrays), list(first)
    for name, is_array, scalar, _ in ordered:
        if is_array:
            arguments.append(f"static_cast<{pointer(arrays[name][0])} *>(p[{names.index(name)}])")
        else:
            arguments.append(f"static_cast<{scalar}>(s[{sizes.index(name)}])" if name in sizes else "0.75f" if "int" not in scalar else "3")
    return f"{function}({', '.join(arguments)})"


def declaration(function, ordered):
    """A form on the host, of C linkage: its arrays' types are not told."""
    return f'extern "C" void {function}({", ".join("void *" if is_array else scalar for _, is_array, scalar, _ in ordered)});'


def truth(value):
    return "true" if value else "false"


def doubled(ordered):
    """The parameters of the original on doubles."""
    return [(name, is_array, "double" if scalar == "float" else scalar, *rest) for name, is_array, scalar, *rest in ordered]


def is_read(array, tile):
    """Does the tile program read the array, rather than only assign its elements?"""
    everywhere = len(re.findall(rf"\b{array}\[", tile))
    return everywhere > len(re.findall(rf"(?m)^\s*{array}\[", tile))


def driver(printed, program, ordered, tile, assumes, rounded):
    function, returned, sizes, arrays = program
    known = {p[0] for p in ordered}
    if returned or any(a not in known for a in arrays) or any(p[1] and p[0] not in arrays for p in ordered):
        return None
    if any(kind not in KINDS or any("?" in e or "floordiv" in e for e in extents) for kind, extents, _ in arrays.values()):
        return None
    lines = [f'#include "{printed}"', '#include "tests/gpu/matrix_check.h"',
             declaration(function + "_original", doubled(ordered)), declaration(function + "_written", ordered), "",
             "int main(int count, char **arguments) {", *(["  matrix_check::floatTolerance = 1.2e-2;"] if rounded else []), "  using matrix_check::Kind;", "  const matrix_check::Function function{", f'      "{function}", {len(sizes)}, {{']
    named = "".join(f"[[maybe_unused]] const std::int64_t {s} = s[{i}]; " for i, s in enumerate(sizes))
    for array, (kind, extents, is_written) in arrays.items():
        lines.append(f'          {{"{array}", Kind::{kind}, {truth(is_written)}, {truth(is_read(array, tile))}, '
                     f"[]([[maybe_unused]] const std::int64_t *s) -> std::int64_t {{ {named}return {gpu_drivers.elements(extents)}; }}}},")
    on = call(function + "_on", sizes, ordered, arrays, ["nullptr"], lambda kind: gpu_drivers.CUDA[kind])
    forms = [call(function + form, sizes, ordered, arrays, [], lambda kind: "void") for form in ("_original", "_written")]
    head = "[](const std::int64_t *s, matrix_check::Arguments p) {"
    condition = gpu_drivers.given(tile, function)
    rests = f", []([[maybe_unused]] const std::int64_t *s) -> bool {{ {named}return {condition}; }}" if condition else ""
    lines += ["      },", f"      {head} return static_cast<int>({on}); }},", f"      {head} {forms[0]}; }},", f"      {head} {forms[1]}; }}, {'true' if assumes else 'false'}{rests}}};",
              "  return matrix_check::check(function, count, arguments);", "}"]
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    for path, arch in ((pathlib.Path(name), arch) for name in sys.argv[2:] for arch in ARCHITECTURES):
        printed = folder / f"{path.stem}.{arch}.cu"
        if not printed.exists() or "_matrix_kernel" not in printed.read_text():
            printed.unlink(missing_ok=True)
            continue
        source = path.read_text()
        tile = (folder / f"{path.stem}.tile").read_text()
        found = list(gpu_drivers.programs(tile))
        ordered = gpu_drivers.parameters(source, found[0][0]) if len(found) == 1 else None
        text = driver(printed.name, found[0], ordered, tile, gpu_drivers.assumes(folder, path.stem), arch.endswith("_tf32")) if ordered else None
        if text is None:
            print(f"gpu_check: no driver for the matrix kernel of {path.stem} for {arch}")
            continue
        (folder / f"{path.stem}.{arch}.main.cu").write_text(text)
        original = gpu_drivers.reference(source, found[0], ordered)
        (folder / f"{path.stem}.{arch}.reference.cpp").write_text(original + written(source, found[0][0]))


main()
