"""translate.py FILE [-o OUT]: makes printed CUDA text, or a driver that includes it, C++ for the emulated device.

Launches become calls, __shared__ variables places in the block's memory, and each asm statement the functions of ptx.h
that its instructions name, with its operands put in where its text has them. An instruction that is not known here is
an error: nothing is left out.
"""
import argparse
import pathlib
import re
import sys


def fail(message):
    sys.exit(f"translate.py: {message}")


def closing(text, at):
    """The index after the bracket that closes the one at `at`; strings and characters are skipped."""
    depth = 0
    while at < len(text):
        c = text[at]
        if c in "\"'":
            end = at + 1
            while text[end] != c:
                end += 2 if text[end] == "\\" else 1
            at = end
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    fail("an unclosed bracket")


def split(text, separator):
    """The parts of text between separators outside brackets and strings."""
    parts, last, at = [], 0, 0
    while at < len(text):
        c = text[at]
        if c in "([{":
            at = closing(text, at)
            continue
        if c == '"':
            end = at + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            at = end
        elif c == separator:
            parts.append(text[last:at])
            last = at + 1
        at += 1
    return [p.strip() for p in parts + [text[last:]]]


def string(text):
    """The value of adjacent string literals."""
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return "".join(literals).replace("\\n", "\n").replace("\\t", "\t")


def operands(text):
    """(constraint, expression) of each operand of a section."""
    found = []
    for part in split(text, ",") if text else []:
        match = re.match(r'"([^"]*)"\s*\((.*)\)$', part, re.S)
        if not match:
            fail(f"an operand {part!r}")
        found.append((match.group(1), match.group(2).strip()))
    return found


class Values:
    """The operands of an asm statement, and its predicates."""

    def __init__(self, given):
        self.given, self.predicates = given, {}

    def __call__(self, text):
        text = text.strip().removeprefix("[").removesuffix("]").strip()
        if re.fullmatch(r"%\d+", text):
            number = int(text[1:])
            if number >= len(self.given):
                fail(f"operand {text} of {len(self.given)}")
            return f"({self.given[number][1]})"
        if re.fullmatch(r"-?\d+", text):
            return text
        fail(f"an operand {text!r}")

    def listed(self, text):
        if not (text.startswith("{") and text.endswith("}")):
            fail(f"a list of operands {text!r}")
        return [self(part) for part in split(text[1:-1], ",")]

    def written(self, text):
        """An operand that the instruction writes."""
        number = int(text.strip().removeprefix("%"))
        if self.given[number][0][0] not in "=+":
            fail(f"%{number} is written and no output")
        return self(text)


def flag(text):
    if text not in ("0", "1"):
        fail(f"a flag {text!r}")
    return "true" if text == "1" else "false"


def product(columns, element, given, values):
    """wgmma.mma_async: sums, left, right, whether to add, scales, transpositions."""
    sums = [f"&{values.written(s)}" for s in split(given[0][1:-1], ",")]
    if int(columns) != 2 * len(sums):
        fail(f"{len(sums)} sums of m64n{columns}")
    keep = values.predicates.get(given[3])
    if keep is None:
        fail(f"a predicate {given[3]!r}")
    if given[4:6] != ["1", "1"]:
        fail(f"scales {given[4:6]}")
    in_registers = given[1].startswith("{")
    transposed = given[6:]
    if len(transposed) != (1 if in_registers else 2):
        fail(f"transpositions {transposed}")
    left, right = ("false" if in_registers else flag(transposed[0])), flag(transposed[-1])
    shape = f"emulated::Shape{{{columns}, emulated::Element::{element}, {left}, {right}}}"
    if in_registers:
        words = values.listed(given[1])
        first = "std::array<const std::uint32_t *, 4>{" + ", ".join(f"&{w}" for w in words) + "}"
    else:
        first = "std::uint64_t{" + values(given[1]) + "}"
    return (f"emulated::wgmma({shape}, std::array<float *, {len(sums)}>{{{', '.join(sums)}}}, {first}, "
            f"std::uint64_t{{{values(given[2])}}}, {keep})")


def copy(rank, given, values):
    """cp.async.bulk.tensor: [to], [map, {coordinates}], [barrier]."""
    source = split(given[1].removeprefix("[").removesuffix("]"), ",")
    at = values.listed(source[1])
    if len(at) != int(rank):
        fail(f"{len(at)} coordinates of {rank}")
    return f"emulated::copy_tensor({values(given[0])}, {values(source[0])}, {values(given[2])}, {rank}, std::array<int, 5>{{{', '.join(at)}}})"


def loaded(transposed, given, values):
    """ldmatrix: {words}, [row]."""
    words = [f"&{values.written(w)}" for w in split(given[0][1:-1], ",")]
    if len(words) != 4:
        fail(f"{len(words)} words of ldmatrix.x4")
    return f"emulated::ldmatrix({{{', '.join(words)}}}, {values(given[1])}, {'true' if transposed else 'false'})"


def warp_product(element, given, values):
    """mma.sync.m16n8k16: {sums}, {left}, {right}, {addends}."""
    sums = [f"&{values.written(s)}" for s in split(given[0][1:-1], ",")]
    left, right, addends = (values.listed(part) for part in given[1:])
    if (len(sums), len(left), len(right), len(addends)) != (4, 4, 2, 4):
        fail("the operands of m16n8k16")
    return (f"emulated::mma(emulated::Element::{element}, {{{', '.join(sums)}}}, {{{', '.join(left)}}}, "
            f"{{{', '.join(right)}}}, {{{', '.join(addends)}}})")


def wide_product(rows, terms, element, given, values):
    """mma.sync of doubles, or of floats whose low 13 bits do not count: {sums}, {left}, {right}, {addends}."""
    sums = [f"&{values.written(s)}" for s in split(given[0][1:-1], ",")]
    left, right, addends = (values.listed(part) for part in given[1:])
    rows, terms = int(rows), int(terms)
    if (len(sums), len(left), len(right), len(addends)) != (rows // 4, rows * terms // 32, terms // 4, rows // 4):
        fail(f"the operands of m{rows}n8k{terms}")
    name = "mma_tf32" if element == "tf32" else "mma_f64"
    return (f"emulated::{name}<{rows}, {terms}>({{{', '.join(sums)}}}, {{{', '.join(left)}}}, {{{', '.join(right)}}}, "
            f"{{{', '.join(addends)}}})")


def elements(count, kind, given, values):
    """ld.shared: {elements}, [address]."""
    names = split(given[0][1:-1], ",") if count else [given[0]]
    if len(names) != int(count or 1):
        fail(f"{len(names)} elements of {count}")
    size = 4 if kind == "f32" else 8
    return f"emulated::load_shared({{{', '.join('&' + values.written(n) for n in names)}}}, {values(given[1])}, {size})"


def approximate(name):
    return lambda given, values: f"{values.written(given[0])} = emulated::{name}({values(given[1])})"


def of_two(name):
    return lambda given, values: f"{values.written(given[0])} = emulated::{name}({values(given[1])}, {values(given[2])})"


def called(name, *fixed):
    return lambda given, values: f"emulated::{name}({', '.join([*fixed, *(values(g) for g in given if g)])})"


INSTRUCTIONS = {
    r"mbarrier\.init\.shared(?:::cta)?\.b64": called("mbarrier_init"),
    r"fence\.mbarrier_init\.release\.cluster": called("fence_mbarrier_init"),
    r"mbarrier\.arrive\.expect_tx\.shared::cta\.b64": lambda given, values: called("mbarrier_arrive_expect_tx")(given[1:], values),
    r"mbarrier\.arrive\.shared(?:::cta)?\.b64": lambda given, values: called("mbarrier_arrive")(given[1:], values),
    r"fence\.proxy\.async\.shared::cta": called("fence_proxy_async"),
    r"fence\.proxy\.async": called("fence_proxy_async"),
    r"prefetch\.tensormap": called("prefetch_tensormap"),
    r"wgmma\.fence\.sync\.aligned": called("wgmma_fence"),
    r"wgmma\.commit_group\.sync\.aligned": called("wgmma_commit_group"),
    r"wgmma\.wait_group\.sync\.aligned": called("wgmma_wait_group"),
    r"setmaxnreg\.inc\.sync\.aligned\.u32": called("setmaxnreg", "true"),
    r"setmaxnreg\.dec\.sync\.aligned\.u32": called("setmaxnreg", "false"),
    r"bar\.sync": called("bar_sync"),
    r"ex2\.approx\.ftz\.f32": approximate("ex2_approx_ftz"),
    r"rcp\.approx\.ftz\.f32": approximate("rcp_approx_ftz"),
    r"tanh\.approx\.f32": approximate("tanh_approx"),
    r"div\.full\.f32": of_two("div_full"),
    r"min\.NaN\.f32": of_two("min_nan"),
    r"cp\.async\.bulk\.tensor\.(\d)d\.shared::cluster\.global\.mbarrier::complete_tx::bytes": copy,
    r"cp\.async\.cg\.shared\.global": called("copy_chunk"),
    r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64": called("chunks_arrive"),
    r"ldmatrix\.sync\.aligned\.m8n8\.x4(\.trans)?\.shared\.b16": loaded,
    r"mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.(bf16|f16)\.\1\.f32": warp_product,
    r"mma\.sync\.aligned\.m(16)n8k(8)\.row\.col\.f32\.(tf32)\.tf32\.f32": wide_product,
    r"mma\.sync\.aligned\.m(8|16)n8k(4)\.row\.col\.(f64)\.f64\.f64\.f64": wide_product,
    r"ld\.shared(?:\.v(2))?\.(f32|f64)": elements,
    r"cvt\.rna\.tf32\.f32": approximate("cvt_rna_tf32"),
    r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k16\.f32\.(bf16|f16)\.\2": product,
}

WAIT_LOOP = re.compile(
    r"\.reg \.pred (?P<p>\w+);\s*(?P<label>[\w%=]+):\s*"
    r"mbarrier\.(?:try|test)_wait\.parity\.shared(?:::cta)?\.b64 (?P=p), (?P<at>[^,]+), (?P<parity>[^;]+);\s*"
    r"@!(?P=p) bra (?P=label);")


def instructions(text, values):
    """The calls for the instructions of an asm text, in order."""
    text = text.strip()
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1].strip()
    loop = WAIT_LOOP.fullmatch(text)
    if loop:
        return [f"emulated::mbarrier_wait_parity({values(loop['at'])}, {values(loop['parity'])})"]
    calls = []
    for statement in filter(None, (s.strip() for s in text.split(";"))):
        if re.fullmatch(r"\.reg \.(pred|b64) \w+", statement):
            continue
        if test := re.fullmatch(r"setp\.ne\.b32 (\w+), (%\d+), 0", statement):
            values.predicates[test.group(1)] = f"{values(test.group(2))} != 0"
            continue
        name, rest = re.match(r"(\S+)\s*(.*)", statement, re.S).groups()
        for pattern, make in INSTRUCTIONS.items():
            if match := re.fullmatch(pattern, name):
                calls.append(make(*match.groups(), split(rest, ",") if rest else [], values))
                break
        else:
            fail(f"no emulation of {name!r}")
    return calls


def assembly(text):
    """Every asm statement as calls; one of no text is nothing."""
    result, at = "", 0
    for match in iter(lambda: re.compile(r"\basm\b\s*(?:volatile\b)?\s*\(").search(text, at), None):
        end = closing(text, match.end() - 1)
        sections = split(text[match.end():end - 1], ":")
        sections += [""] * (4 - len(sections))
        given = operands(sections[1]) + operands(sections[2])
        calls = instructions(string(sections[0]), Values(given))
        result += text[at:match.start()] + ("static_cast<void>(0)" if not calls else ", ".join(calls))
        at = end
    return result + text[at:]


def launches(text):
    """NAME<<<grid, block, ...>>>(arguments) as a call."""
    result, at = "", 0
    for match in iter(lambda: re.compile(r"\b(\w+(?:<[^<>;]*>)?)\s*<<<").search(text, at), None):
        end = text.index(">>>", match.end())
        result += text[at:match.start()] + f'emulated::configured({match.group(1)}, {text[match.end():end]})'
        at = end + 3
    return result + text[at:]


def shared(text):
    text = re.sub(r"extern\s+__shared__\s+(?:__align__\(\d+\)\s+)?unsigned char (\w+)\[\];", r"unsigned char *const \1 = emulated::dynamicShared();", text)
    text = re.sub(r"__shared__\s+(?:__align__\(\d+\)\s+)?([\w:]+(?: [\w:]+)*)\s+(\w+)((?:\[[^;]*\])+);", r"\1 (&\2)\3 = emulated::shared<\1\3>([] {});", text)
    text = re.sub(r"__shared__\s+([\w:]+(?: [\w:]+)*)\s+(\w+);", r"\1 &\2 = emulated::shared<\1>([] {});", text)
    if "__shared__" in text:
        fail("a __shared__ variable of another form")
    return text


def bounds(text):
    """Kernels' names and largest blocks, told to the device behind each kernel, in its namespace."""
    kernel = r"(?m)(?<!>\n)^__global__ void __launch_bounds__\((\d+)[^)]*\)\s+(\w+)\("
    for match in reversed(list(re.finditer(kernel, text))):
        bound, name = match.groups()
        note = f'[[maybe_unused]] static const bool bounds_of_{name} = emulated::noteBounds(reinterpret_cast<const void *>(&{name}), "{name}", {bound});'
        end = text.index("\n}\n", match.end()) + len("\n}\n")
        text = text[:end] + note + "\n" + text[end:]
    return text


def unfused(text):
    """The source's own order runs on the host as the original does, which is built without contraction."""
    return re.sub(r"(?m)^((?:(?:\[\[maybe_unused\]\]|__attribute__\(\(noinline\)\)) )*static [^;{}=]*\b\w+_reference\([^;{}]*\)\s*\{)", r"\1\n#pragma clang fp contract(off)\n", text)


def translate(text):
    return '#include "cuda_runtime.h"\n' + bounds(shared(launches(assembly(unfused(text)))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("-o", dest="out", type=pathlib.Path)
    options = parser.parse_args()
    text = translate(options.file.read_text())
    if options.out:
        options.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
