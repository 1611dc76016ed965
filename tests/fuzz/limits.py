"""What scripts/fuzz allows a program: seconds of the processor, not of the clock; how its batches are compiled; which classes count."""
import array
import pathlib
import subprocess
import sys
import tempfile
import unittest

HOME = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(HOME))
sys.dont_write_bytecode = True

from fuzzing import compare  # noqa: E402
from fuzzing.batch import FLAGS, LATE  # noqa: E402
from fuzzing.options import level  # noqa: E402

TABLE = """#include "runtime.h"
#include <unistd.h>
static void shape(const long *) {}
static void turns(const long *, const Any *, const double *, double *) { for (volatile long k = 0;; k = k + 1); }
static void sleeps(const long *, const Any *, const double *, double *) { usleep(1300000); }
const ProgramFacts programs[] = {{"turns", 'f', 0, 0, 0, nullptr, shape, turns, false}, {"sleeps", 'f', 0, 0, 0, nullptr, shape, sleeps, false}};
const int programCount = 2;
"""


class Limits(unittest.TestCase):
    def test_are_of_the_processor(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "table.cpp").write_text(TABLE)
            (folder / "cases").write_text("".join(f"{k} 0 0 -1 -1 -1 0 0 1\n" for k in range(2)))
            home = HOME / "fuzzing"
            subprocess.run(["clang++-19", "--rtlib=compiler-rt", *FLAGS, "-I", str(home), "table.cpp", str(home / "runtime.cpp"), "-o", "both"], cwd=folder, check=True)
            said = subprocess.run(["./both", "cases", "out", "0", "1", "0", "1"], cwd=folder, capture_output=True, text=True, check=True).stdout
        status = dict(map(int, line.split()) for line in said.splitlines())
        self.assertIn(status[0], LATE, "what turns for ever is stopped")
        self.assertEqual(status[1], 0, "what waits for longer is not")


WIDE = """#include "wide.h"
#include <cstdio>
#include <initializer_list>
int main() {
  largestHeld = 1e308, roundingHeld = 0x1p-53, smallestHeld = 0x1p-1022;
  const W mean(1e9 + 1e-7L), exact(3.0), near = mean - W(1e9);
  for (const W x : {wide::log(near), W(1) / near, wide::log(exact), W(1) / (exact - W(1)), wide::log(W(1e-300)), near * near, wide::log(W(1e-200) * W(1e-150)), wide::exp(W(-800)) / (W(1e-200) * W(1e-150)), wide::sqrt(W(0) * exact), wide::fmax(exact, W(1) / near)}) std::printf("%d", std::isfinite(x.e));
}
"""


class Wide(unittest.TestCase):
    def test_knows_nothing_of_quotients_by_what_roundings_alone_keep_from_zero(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "known.cpp"
            path.write_text(WIDE)
            subprocess.run(["clang++-19", *FLAGS, "-I", str(HOME / "fuzzing"), str(path), "-o", str(path.with_suffix(""))], check=True)
            told = subprocess.run([str(path.with_suffix(""))], capture_output=True, text=True, check=True).stdout
        self.assertEqual(told, "0011110010", "nor by what underflows, nor of the greater of one and anything")


class Levels(unittest.TestCase):
    def test_are_mostly_unoptimised(self):
        levels = [level(batch) for batch in range(8)]
        self.assertEqual(levels.count("-O0"), 6)
        self.assertEqual(levels[0], "-O1", "one of a short run is optimised")


class Classes(unittest.TestCase):
    def fault(self, original, result, wide, error=0, near=()):
        """What is told of one element; a wide evaluation also tells how far roundings move it."""
        neighbours = [array.array("d", [v]) for v in near]
        return compare.numeric("f", *(array.array("d", v) for v in ([original], [result], [wide, error])), [], neighbours).fault

    def test_count_where_the_wide_evaluation_has_the_original_s(self):
        inf, nan = float("inf"), float("nan")
        self.assertEqual(self.fault(nan, inf, nan), "class")
        self.assertEqual(self.fault(inf, -inf, nan), "class")
        self.assertEqual(self.fault(inf, -inf, -inf), "class", "what underflows has the sign of the source's zero")
        self.assertEqual(self.fault(nan, inf, inf), "", "the original overflowed on its way")

    def test_do_not_count_where_the_original_s_is_a_matter_of_choice(self):
        inf, nan = float("inf"), float("nan")
        self.assertEqual(self.fault(-inf, inf, inf), "class")
        self.assertEqual(self.fault(-inf, inf, inf, near=[-inf, inf]), "", "a tie of zeros decides")
        self.assertEqual(self.fault(-inf, nan, -inf), "class")
        self.assertEqual(self.fault(-inf, nan, -inf, error=inf), "", "sums that overflow in another order")


if __name__ == "__main__":
    unittest.main()
