"""What scripts/bench_polyhedral gives to other polyhedral compilers: each kernel of tests/classical in C with arrays of several dimensions,
numbers declared where they were or before the pragma, leaves the bits that the kernel itself leaves."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("bench_polyhedral", str(ROOT / "scripts/bench_polyhedral"))
spec = importlib.util.spec_from_loader(loader.name, loader)
bench = importlib.util.module_from_spec(spec)
loader.exec_module(bench)

SIZES = (7, 9, 8)  # of a kernel's sizes in their order: no two alike
CLANG = os.environ.get("CLANG", "clang++-19")


def caller(name, parameters, counts):
    """A function that runs the kernel in C++ and both of its tables on the same numbers and compares all arrays."""
    sizes = {k: v for k, v in zip(bench.KERNELS[name][0], SIZES)}
    arrays = [(t, p, counts.get(p, "n*n")) for t, star, p in parameters if star]
    declared = ", ".join(t + (" *" if s else "") for t, s, _ in parameters)
    lines = [f'extern "C" void {name}_tables({declared}); extern "C" void {name}_before({declared});', f"bool same_{name}() {{"]
    lines += [f"  const {t} {p} = {sizes.get(p, 1.25)};" for t, s, p in parameters if not s]
    lines += [f"  std::vector<{t}> {p}0({n}); for (std::size_t i = 0; i < {p}0.size(); ++i) {p}0[i] = {'i * 7 % 4' if t == 'int' else '0.1 + i * 37 % 101 / 64.0'};"
              + (f" for (int i = 0; i < n; ++i) {p}0[i * n + i] += 4 * n;" if n == "n*n" and name in bench.FACTORED else "") for t, p, n in arrays]
    for k, call in enumerate((name, f"{name}_tables", f"{name}_before"), 1):
        lines += [f"  auto {p}{k} = {p}0;" for _, p, _ in arrays]
        lines += [f"  {call}({', '.join(p + (f'{k}.data()' if s else '') for _, s, p in parameters)});"]
    return "\n".join(lines + ["  return " + " && ".join(f"same({p}1, {p}{k})" for _, p, _ in arrays for k in (2, 3)) + " && (" + " || ".join(f"!same({p}0, {p}1)" for _, p, _ in arrays) + ");", "}"])


class Tables(unittest.TestCase):
    def test_subscripts_of_several_dimensions(self):
        cube = ["n", "n", "n"]
        self.assertEqual(bench.subscripts("((i + 1) * n + j) * n + k - 1", cube), ["(i + 1)", "j", "k - 1"])
        self.assertEqual(bench.subscripts("(i * q + j) * p + k", ["r", "q", "p"]), ["i", "j", "k"])
        self.assertEqual(bench.subscripts("i * n", ["n", "n"]), ["i", "0"])
        self.assertEqual(bench.subscripts("i * n + n - 1", ["n", "n"]), ["i", "n - 1"])
        self.assertEqual(bench.subscripts("j + 1", ["n", "m"]), ["0", "j + 1"])
        self.assertIsNone(bench.subscripts("n * i + j", ["n", "n"]))

    def test_numbers_are_declared_before(self):
        body = "  double beta = 1, alpha = -r[0];\n  for (int k = 1; k < n; k++) {\n    const int pair = k;\n  }"
        self.assertEqual(bench.declaredBefore(body), ("double beta;\ndouble alpha;\nint pair;\n", "  beta = 1; alpha = -r[0];\n  for (int k = 1; k < n; k++) {\n    pair = k;\n  }"))

    def test_the_tables_of_every_kernel_leave_its_bits(self):
        tables, callers = [], ["#include <cstdio>", "#include <cstring>", "#include <vector>",
                               "template <class T> bool same(const std::vector<T> &x, const std::vector<T> &y) { return !std::memcmp(x.data(), y.data(), sizeof(T) * x.size()); }"]
        for name, (_, counts) in bench.KERNELS.items():
            text = (ROOT / "tests/classical" / f"{name}.cpp").read_text()
            parameters = bench.parametersOf(text, name)
            for suffix, before in (("tables", False), ("before", True)):
                made = bench.inTables(text, name, parameters, counts, before)
                self.assertIsNotNone(made, name)
                tables.append(made.replace(f"void {name}(", f"void {name}_{suffix}("))
            callers += [text, caller(name, parameters, counts)]
        callers.append("int main() {\n" + "\n".join(f'  if (!same_{name}()) std::puts("{name}");' for name in bench.KERNELS) + "\n}")
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            (scratch / "tables.c").write_text("\n".join(tables))
            (scratch / "callers.cpp").write_text("\n".join(callers))
            flags = ["-O1", "-w", "-ffp-contract=off"]
            subprocess.run([CLANG.replace("++", ""), *flags, "-c", "tables.c", "-o", "tables.o"], cwd=scratch, check=True)
            subprocess.run([CLANG, "-std=c++20", *flags, "callers.cpp", "tables.o", "-lm", "-o", "callers"], cwd=scratch, check=True)
            ran = subprocess.run([scratch / "callers"], capture_output=True, text=True, check=True)
        self.assertEqual(ran.stdout.split(), [])


if __name__ == "__main__":
    unittest.main()
