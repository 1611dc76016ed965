"""Writes DIR/NAME.TARGET.main.cu for every DIR/NAME.TARGET.cu: a program that runs it on fresh data beside its original.
A file of several functions gets one driver each, NAME-FUNCTION.TARGET.main.cu.

What a function takes is read from the tile program beside it (DIR/NAME.tile, from --dump=tile); the original runs on the
host with every floating type as double. Errors are in units of a tolerance per type; each class of non-finite value must
be the original's. Each size is run on random data and again with infinities, NaNs, zeros and runs of one of them; an output
that ends where an input does must be refused by NAME_on. Where DIR/NAME.json (from --report) lists assumptions, or arrays hold
16 bits (whose small weights become zero, and zero times infinity NaN, where the original in double keeps them), non-finite
values that differ on such data are only noted.
"""
import json
import pathlib
import re
import sys

TYPES = {"f32": "float", "f64": "double", "f16": "_Float16", "bf16": "__bf16", "i32": "int", "i64": "std::int64_t",
         "i8": "signed char", "u8": "unsigned char", "i16": "short", "u16": "unsigned short", "u32": "unsigned"}
CUDA = dict(TYPES, f16="__half", bf16="__nv_bfloat16")
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64")
TOLERANCE = {"f32": 4e-5, "f64": 1e-12, "f16": 2e-3, "bf16": 1.6e-2, **dict.fromkeys(INTEGERS, 0)}

# Sources that touch an element even where a size is zero.
NEVER_EMPTY = {"correlation", "log_sum_weights"}

COMMON = r"""
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

static std::uint64_t drawnSeed() {
  const char *const given = std::getenv("EMULATE_SEED");
  return given ? std::strtoull(given, nullptr, 10) : static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
static std::mt19937_64 engine(drawnSeed());
template <class T> static double asDouble(T x) { return static_cast<double>(static_cast<float>(x)); }
template <> double asDouble(double x) { return x; }
template <> double asDouble(int x) { return x; }
template <> double asDouble(std::int64_t x) { return static_cast<double>(x); }
template <class T> struct Data {
  std::vector<T> device;
  std::vector<double> host;
  void fill(std::int64_t count, bool integers, std::int64_t most, bool odd) {
    std::uniform_real_distribution<double> real(-1, 1);
    const double odds[] = {INFINITY, -INFINITY, NAN, 0};
    std::int64_t run = 0;
    double repeated = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      double x = integers ? static_cast<double>(engine() % static_cast<std::uint64_t>(most)) : real(engine);
      if (odd && !integers && run == 0 && engine() % 211 == 0) {
        run = engine() % 4 == 0 ? 150 : 1;
        repeated = odds[engine() % 4];
      }
      if (run > 0) {
        x = repeated;
        --run;
      }
      device.push_back(static_cast<T>(static_cast<float>(x)));
      host.push_back(asDouble(device.back()));
    }
    device.push_back(static_cast<T>(0.0f));
    host.push_back(0);
  }
};
template <class T> static T *endingThere(std::int64_t count) { return reinterpret_cast<T *>((std::uintptr_t{1} << 40) - count * sizeof(T)); }
static double worst = 0;
static long long compared = 0, faults = 0, outside = 0;
static bool assumes = false;
static void compare(const char *what, double got, double expected, double tolerance, double scale, std::int64_t at) {
  ++compared;
  const double error = std::fabs(got - expected);
  const bool alike = std::isfinite(expected) ? error <= tolerance * scale : std::isnan(expected) ? std::isnan(got) : got == expected;
  if (std::isfinite(expected) && scale > 0 && tolerance > 0 && std::isfinite(error)) worst = std::fmax(worst, error / (tolerance * scale));
  if (!alike && assumes && !std::isfinite(expected)) {
    ++outside;
    return;
  }
  if (!alike && ++faults <= 3) std::printf("    %s[%lld] = %.9g, expected %.9g\n", what, static_cast<long long>(at), got, expected);
}
"""


def split_top(text):
    parts, depth, current = [], 0, ""
    for c in text:
        depth += c in "([{<"
        depth -= c in ")]}>"
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return parts + [current.strip()] if current.strip() else parts


def parameters(source, function):
    """(name, is an array, scalar type) of each parameter, in order."""
    found = re.search(r"\b" + function + r"\s*\(([^;{]*)\)\s*(?:noexcept\s*)?\{", source)
    if not found:
        return None
    result = []
    for text in split_top(re.sub(r"/\*.*?\*/|//[^\n]*", "", found.group(1))):
        name = re.search(r"(\w+)\s*(\[.*)?$", text, re.S)
        if not name:
            return None  # a pointer to rows, say
        result.append((name.group(1), "*" in text or "[" in text, text[: name.start()].strip(), text))
    return result


def extent(text):
    text = re.sub(r":i32|:i64", "", text)
    text = re.sub(r"\b(\d+)\b", r"std::int64_t{\1}", text)
    return re.sub(r"\b(min|max)\(", r"std::\1<std::int64_t>(", text)


def capacity(source):
    """The largest size that stays inside every array of constant extent; an extent that is a loop's own bound limits nothing."""
    named = dict(re.findall(r"constexpr\s+(?:int|long|std::int64_t)\s+(\w+)\s*=\s*(\d+)", source))
    limits = [1 << 20]
    for word in re.findall(r"\[(\w+)\]", source):
        if (word.isdigit() or word in named) and not re.search(r"<=?\s*" + word + r"\b", source):
            limits.append(int(named.get(word, word)) - 2)
    return min(limits)


def programs(tile):
    """Each program of the dump: name, returned type, sizes, arrays."""
    for part in re.split(r"(?m)^(?=program )", tile):
        head = re.match(r"program (\w+)(?: returns (\w+))?\n", part)
        if not head:
            continue
        preamble = part.split("\nkernel ")[0]
        sizes = [s for line in re.findall(r"(?m)^size (.*)$", preamble) for s in line.split(", ")]
        arrays = {}
        for name, kind, extents, rest in re.findall(r"(?m)^array (\w+) : (\w+)(?: \[|\[)?([^\]\n]*)\]?(.*)$", preamble):
            arrays[name] = (kind, split_top(extents) if "written" != extents.strip() else [], "written" in rest + extents)
        yield head.group(1), head.group(2), sizes, arrays


def given(tile, function):
    """The condition on sizes that the program rests on, or none: elsewhere arrays' rows overlap, and nothing is run."""
    for part in re.split(r"(?m)^(?=program )", tile):
        if re.match(rf"program {function}\b", part):
            found = re.search(r"(?m)^given (.*)$", part.split("\nkernel ")[0])
            return extent(found.group(1)) if found else None
    return None


def elements(extents):
    return " * ".join(f"static_cast<std::int64_t>({extent(e)})" for e in extents) or "1"


def refusal(function, types, ordered, arrays, sizes, globals_):
    """Statements that call NAME_on with arrays that end in one place, which it must refuse where elements of two of them are touched: at
    small sizes there may be none. Which element of an array is the first that is touched the tile program does not tell, but the last
    row of its extents is."""
    known = [name for name in arrays if name in globals_ or name == "return" or any(name == p[0] for p in ordered)]
    written = [name for name in known if arrays[name][2] or name == "return"]
    if not written or len(known) < 2:
        return []
    other = next(name for name in known if name != written[0])

    def placed(name):
        return f"endingThere<{types[arrays[name][0]]}>({elements(arrays[name][1])})"

    arguments = ["nullptr"]
    for parameter, is_array, scalar, _ in ordered:
        known_scalar = "0.75f" if "int" not in scalar else "3"
        arguments.append(placed(parameter) if is_array else parameter if parameter in sizes else known_scalar)
    arguments += [placed(name) for name in globals_]
    arguments += [placed(name) for name in arrays if name == "return"]
    counts = " && ".join(f"({elements(arrays[name][1])}) > 0" for name in (written[0], other))
    return [
        f"  if (most >= 16 && {counts} && static_cast<int>({function}_on({', '.join(arguments)})) == 0) {{",
        '    std::printf("    overlapping arguments are not refused\\n");',
        "    ++faults;",
        "  }",
    ]


def driver(name, target, source, program, ordered, assumes, condition):
    function, returned, sizes, arrays = program
    # Where the source holds a value as float, a double made from it is as exact as that.
    tolerance = dict(TOLERANCE, f64=TOLERANCE["f32"]) if re.search(r"\bfloat\s+\w+\s*(=|;|\[)", source) else TOLERANCE
    types = CUDA if target == "cuda" else TYPES
    integers = any(kind in INTEGERS for kind, _, _ in arrays.values())
    lines = [f'#include "{name}.{target}.cu"', COMMON]
    globals_ = [a for a in arrays if a != "return" and all(a != p[0] for p in ordered)]
    for array in globals_:
        lines.append(f'extern "C" void *{function}_original_{array}();')
    reference = []
    for parameter, is_array, scalar, text in ordered:
        kind = "double" if not is_array or arrays.get(parameter, ("f32",))[0][0] in "fb" else types[arrays[parameter][0]]
        if is_array:
            reference.append(kind + " *")
        else:
            reference.append("int" if parameter in sizes or "int" in scalar else "double")
    result = "double" if returned else "void"
    lines.append(f'extern "C" {result} {function}_original({", ".join(reference)});')
    lines.append("static void one(" + "".join(f"int {s}, " for s in sizes) + "bool odd) {")
    if condition:
        lines.append(f"  if (!({condition})) return;")
    lines.append("  std::int64_t most = 1 << 20;")
    for s in sizes:
        lines.append(f"  if ({s} < most) most = {s};")
    if integers:
        lines.append("  if (most < 1) return;")
    if assumes or any(kind in ("f16", "bf16") for kind, _, _ in arrays.values()):
        lines.append("  assumes = odd;")
    if any("?" in e or "floordiv" in e for _, extents, _ in arrays.values() for e in extents):
        return None
    lines += refusal(function, types, ordered, arrays, sizes, globals_)
    for array in globals_:
        kind, extents, _ = arrays[array]
        held = "double" if kind[0] in "fb" else types[kind]
        lines += [
            f"  Data<{types[kind]}> {array}_;",
            f"  {array}_.fill({elements(extents)}, {'true' if kind in INTEGERS else 'false'}, most, odd);",
            f"  std::memcpy({array}, {array}_.device.data(), ({elements(extents)}) * sizeof({types[kind]}));",
            f"  {{",
            f"    std::vector<{held}> same({array}_.host.begin(), {array}_.host.end());",
            f"    std::memcpy({function}_original_{array}(), same.data(), ({elements(extents)}) * sizeof({held}));",
            f"  }}",
        ]
    calls, references = [], []
    for parameter, is_array, scalar, text in ordered:
        if is_array:
            if parameter not in arrays:
                return None
            kind, extents, _ = arrays[parameter]
            count = elements(extents)
            lines.append(f"  Data<{types[kind]}> {parameter}_;")
            lines.append(f"  {parameter}_.fill({count}, {'true' if kind in INTEGERS else 'false'}, most, odd);")
            inner = re.findall(r"\[[^\]]*\]", text)[1:]
            calls.append(f"reinterpret_cast<{types[kind]} (*){''.join(inner)}>({parameter}_.device.data())" if inner else f"{parameter}_.device.data()")
            if kind in INTEGERS:
                lines.append(f"  std::vector<{types[kind]}> {parameter}_same({parameter}_.device);")
                references.append(f"{parameter}_same.data()")
            else:
                references.append(f"{parameter}_.host.data()")
        else:
            calls.append(parameter if parameter in sizes else "0.75f" if "int" not in scalar else "3")
            references.append(calls[-1])
    call, original = f"{function}({', '.join(calls)})", f"{function}_original({', '.join(references)})"
    if returned:
        lines.append(f"  const double got = static_cast<double>({call}), expected = {original};")
        lines.append(f'  compare("result", got, expected, {tolerance[returned]}, std::fmax(1.0, std::fabs(expected)), 0);')
    else:
        lines += [f"  {call};", f"  {original};"]
    for parameter, (kind, extents, written) in arrays.items():
        if parameter == "return" or not written:
            continue
        lines.append("  {")
        if parameter in globals_:
            held = "double" if kind[0] in "fb" else types[kind]
            lines += [
                f"    std::memcpy({parameter}_.device.data(), {parameter}, ({elements(extents)}) * sizeof({types[kind]}));",
                f"    const auto *same = static_cast<const {held} *>({function}_original_{parameter}());",
                f"    for (std::int64_t i = 0; i < {elements(extents)}; ++i) {parameter}_.host[static_cast<std::size_t>(i)] = static_cast<double>(same[i]);",
            ]
        elif kind in INTEGERS:
            lines.append(f"    {parameter}_.host.assign({parameter}_same.begin(), {parameter}_same.end());")
        lines.append("    double scale = 1e-2;")
        lines.append(f"    for (const double x : {parameter}_.host) if (std::isfinite(x)) scale = std::fmax(scale, std::fabs(x));")
        lines.append(f"    for (std::size_t i = 0; i < {parameter}_.host.size(); ++i)")
        lines.append(f'      compare("{parameter}", asDouble({parameter}_.device[i]), {parameter}_.host[i], {tolerance[kind]}, scale, static_cast<std::int64_t>(i));')
        lines.append("  }")
    lines.append("}")
    lines.append("int main(int count, char **words) {")
    lines.append("  const bool brief = count > 1;")
    lines.append("  std::vector<int> values = {0, 1, 2, 63, 64, 65, 130, 200};")
    lines.append("  if (brief) values = {1, 65, 20};")
    most = capacity(source)
    lines.append(f"  std::erase_if(values, [](int v) {{ return v > {most}; }});")
    if name in NEVER_EMPTY:
        lines.append("  std::erase(values, 0);")
    lines.append("  int cases = 0;")
    lines.append("  try {")
    given = ", ".join(f"std::atoi(words[{i + 1}])" for i in range(len(sizes)))
    if sizes:
        lines.append(f"    if (count == {len(sizes) + 1} && std::isdigit(words[1][0])) {{")
        lines.append(f"      one({given}, false);")
        lines.append(f"      one({given}, true);")
        lines.append("      values.clear();")
        lines.append("      cases = 2;")
        lines.append("    }")
    else:
        lines.append("    static_cast<void>(words);")
    lines.append("    for (std::size_t a = 0; a < values.size(); ++a)")
    lines.append(f"      for (std::size_t b = 0; b < {'2' if len(sizes) > 1 else '1'}; ++b, ++cases) {{")
    lines.append('        static_cast<void>(b);')
    values = ", ".join(f"values[(a + {i} * b) % values.size()]" for i in range(len(sizes)))
    values += ", " if values else ""
    lines.append(f"        one({values}false);")
    lines.append(f"        one({values}true);")
    lines.append("      }")
    if len(sizes) == 1 and most >= 777:
        lines.append("    if (!brief) { one(777, false); ++cases; }")
    lines.append("  } catch (const std::exception &e) {")
    lines.append('    std::printf("    %s\\n", e.what());')
    lines.append("    ++faults;")
    lines.append("  }")
    lines.append(f'  std::printf("%-5s %-28s %-5s %3d cases %10lld values  largest error %.3f of the tolerance%s\\n", faults ? "FAIL" : "ok", "{function}", "{target}", cases, compared, worst, outside ? ", non-finite values differ outside the assumptions" : "");')
    lines.append("  return faults != 0;")
    lines.append("}")
    return "\n".join(lines) + "\n"


def reference(source, program, ordered):
    """The original in double, in a namespace of its own, with the addresses of its file's arrays."""
    function, returned, _, arrays = program
    text = re.sub(r"\b(float|__bf16|_Float16)\b", "double", source)
    text = re.sub(r"(\d\.\d*(?:e[-+]?\d+)?)f\b", r"\1", text)
    text = re.sub(r"\b" + function + r"(?=\s*\()", function + "_original", text)
    kind = "double" if returned else "void"
    text = re.sub(r"(?m)^(?=(static\s+|inline\s+)?" + kind + r"\s+" + function + "_original)", 'extern "C" ', text)
    for array in arrays:
        if array != "return" and all(array != p[0] for p in ordered):
            text += f'extern "C" void *{function}_original_{array}() {{ return {array}; }}\n'
    directives = "".join(line + "\n" for line in text.split("\n") if line.startswith("#include"))
    body = "\n".join("" if line.startswith("#include") else line for line in text.split("\n"))
    return f"{directives}\nnamespace {function}_original {{\n{body}\n}}\n"


def assumes(folder, stem):
    """Does the report beside the printed text list assumptions?"""
    report = folder / f"{stem}.json"
    return report.exists() and bool(json.loads(report.read_text())["assumptions"])


def main():
    folder, sources = pathlib.Path(sys.argv[1]), sys.argv[2:]
    for path in map(pathlib.Path, sources):
        source, tile = path.read_text(), (folder / f"{path.stem}.tile").read_text()
        found = list(programs(tile))
        rests = assumes(folder, path.stem)
        for program in found:
            name = path.stem if len(found) == 1 else f"{path.stem}-{program[0]}"
            ordered = parameters(source, program[0])
            if ordered is None:
                print(f"gpu_check: no driver for {name}: its parameters were not found")
                continue
            for target in ("cuda", "hip"):
                if not (folder / f"{path.stem}.{target}.cu").exists():
                    continue
                text = driver(path.stem, target, source, program, ordered, rests, given(tile, program[0]))
                if text is None:
                    print(f"gpu_check: no driver for {name}: what a parameter holds is not known")
                    continue
                (folder / f"{name}.{target}.main.cu").write_text(text)
            (folder / f"{name}.reference.cpp").write_text(reference(source, program, ordered))


if __name__ == "__main__":
    main()
