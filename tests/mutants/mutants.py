"""What scripts/mutants rests on: faults are found by what they are, not by where they stand, and one build holds them all."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), "/usr/lib/python3/dist-packages"]

from mutating import build, drawn, main, sites, trial  # noqa: E402

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


RANGE = """
struct Range { int low, high; bool none() const; };
bool meets(const Range &one, const Range &other) {
  if (one.none() || other.none()) return false;
  return one.low < other.high && other.low < one.high;
}
"""
RENAMED = """
namespace ranges {
struct Interval { int low() const; int high() const; bool none() const; };
struct Asker { bool meets(const Interval &one, const Interval *another) const; };
bool Asker::meets(const Interval &one, const Interval *another) const {
  if (one.none() || another->none()) return false;
  return one.low() < another->high() && another->low() < one.high();
}
}
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        main.library()
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "src/algebra").mkdir(parents=True)

    def tearDown(self):
        self.folder.cleanup()

    def sites(self, name, text, room="algebra"):
        path = self.root / "src" / room / name
        path.parent.mkdir(exist_ok=True)
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

    def kept(self, before, after):
        """What became of faults that a list has kept: their texts and functions, by names."""
        path = self.root / "algebra.txt"
        drawn.write(path, before)
        return {name: (s.kind, s.room, s.function, s.text) for name, s in drawn.found(drawn.listed(path), after).items()}

    def test_a_fault_keeps_its_name_in_another_room_class_and_writing(self):
        before = [s for s in self.sites("here.cpp", RANGE) if s.kind in ("junction", "guard")]
        now = self.kept(before, self.sites("there.cpp", RENAMED, "tile"))
        place, none = ("tile", "ranges::Asker::meets"), "one.none() || another->none()"
        self.assertEqual({name: s[0] for name, s in now.items()}, {s.id: s.kind for s in before})
        self.assertEqual(set(now.values()), {("junction", *place, none), ("guard", *place, none),
                                             ("junction", *place, "one.low() < another->high() && another->low() < one.high()")})

    def test_a_fault_is_found_in_a_function_of_another_name_where_its_text_stands_once(self):
        junction = [s for s in self.sites("here.cpp", RANGE) if s.kind == "junction"]
        named = RANGE.replace("meets", "touches")
        self.assertEqual(len(self.kept(junction, self.sites("there.cpp", named))), 2)
        self.assertEqual(self.kept(junction, self.sites("there.cpp", named + named.replace("touches", "overlap").replace("struct", "//"))), {})

    def test_a_fault_is_not_taken_for_one_of_several_that_are_like_it(self):
        text = "bool both(int a, int b, int c, int d) { return a < c && %s; }\n"
        before = [s for s in self.sites("here.cpp", text % "a < d") if s.text == "a < d" and s.kind == "comparison"]
        self.assertEqual(len(before), 1)
        self.assertEqual(self.kept(before, self.sites("here.cpp", text % "b < d && b < c")), {})

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

    def test_a_slow_program_is_waited_for_and_one_that_stands_still_is_not(self):
        def begun(text):
            return subprocess.Popen([sys.executable, "-c", text], start_new_session=True)

        self.assertEqual(trial.ended(begun("import time\nwhile time.process_time() < 3: pass\nraise SystemExit(7)"), 2), 7)
        standing = begun("import time\ntime.sleep(60)")
        self.assertIsNone(trial.ended(standing, 2))
        standing.kill()
        standing.wait()

    def test_drawn_faults_do_not_overlap(self):
        chosen = drawn.draw(self.sites("here.cpp", FUNCTION), "algebra", 3, 1)
        self.assertTrue(chosen)
        for a in chosen:
            for b in chosen:
                self.assertTrue(a is b or a.end <= b.start or b.end <= a.start)


if __name__ == "__main__":
    unittest.main()
