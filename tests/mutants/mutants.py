"""What scripts/mutants rests on: faults are found by what they are, not by where they stand, and one build holds them all."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), "/usr/lib/python3/dist-packages"]

from mutating import build, drawn, main, sites  # noqa: E402

FUNCTION = """
int share(int all, int parts) {
  if (parts == 0) return 0;
  return all / parts;
}
"""
CALLER = """
int share(int all, int parts);
int main() { return share(12, 3); }
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        main.library()
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "src/algebra").mkdir(parents=True)

    def tearDown(self):
        self.folder.cleanup()

    def sites(self, name, text):
        path = self.root / "src/algebra" / name
        path.write_text(text)
        return sites.numbered([sites.Site(**s) for s in sites.read(self.root, path, ["clang++", "-std=c++20"])])

    def test_a_fault_applies_after_its_function_has_moved(self):
        before = self.sites("here.cpp", FUNCTION)
        moved = self.sites("there.cpp", "int other(int a) { return a + 1; }\n\n\n" + FUNCTION.replace("all / parts", "all  /\n parts"))
        self.assertGreaterEqual(len(before), 4)
        self.assertLessEqual({s.id for s in before}, {s.id for s in moved})

    def test_a_fault_of_another_text_is_another(self):
        before, after = self.sites("here.cpp", FUNCTION), self.sites("here.cpp", FUNCTION.replace("all / parts", "all * parts"))
        quotient = [s.id for s in before if s.kind == "sign"]
        self.assertEqual(len(quotient), 1)
        self.assertNotIn(quotient[0], {s.id for s in after})

    def test_a_number_chooses_one_of_the_faults_of_a_build(self):
        found = self.sites("here.cpp", FUNCTION)
        guard = next(s for s in found if s.kind == "guard")
        sign = next(s for s in found if s.kind == "sign")
        text = build.Build.written(self, "src/algebra/here.cpp", [(3, guard), (7, sign)])
        (self.root / "all.cpp").write_bytes(text + CALLER.encode())
        program = self.root / "program"
        subprocess.run(["clang++-19", "-std=c++20", str(self.root / "all.cpp"), str(ROOT / "scripts/mutating/runtime.cpp"), "-o", str(program)], check=True)
        run = lambda number: subprocess.run([str(program)], env=dict(os.environ, POLYMEND_MUTANT=str(number))).returncode  # noqa: E731
        self.assertEqual([run(-1), run(3), run(7)], [4, 4, 36])
        reached = self.root / "reached"
        reached.write_bytes(bytes(8))
        subprocess.run([str(program)], env=dict(os.environ, POLYMEND_REACHED=str(reached)))
        self.assertEqual(reached.read_bytes(), bytes([0, 0, 0, 1, 0, 0, 0, 1]))

    def test_drawn_faults_do_not_overlap(self):
        chosen = drawn.draw(self.sites("here.cpp", FUNCTION), "algebra", 3, 1)
        self.assertTrue(chosen)
        for a in chosen:
            for b in chosen:
                self.assertTrue(a is b or a.end <= b.start or b.end <= a.start)


if __name__ == "__main__":
    unittest.main()
