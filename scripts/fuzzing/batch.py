"""One batch: many programs in one file, transformed, built, run in three processes, compared."""
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import time

from fuzzing import compare, driver
from fuzzing.cases import cases
from fuzzing.tool import OWN_FAULTS, plain, transform

KINDS = {"_Float16": "h", "__bf16": "b", "float": "f", "double": "d"}
SECONDS = 20  # of the processor, that all the cases of one program may run
FLAGS = ["-std=c++20", "-w", "-ffp-contract=off"]
ZEROS = {"below": "-0.0", "above": "0.0"}  # originals that choose this zero among zeros of both signs
LATE = (-signal.SIGXCPU, -signal.SIGALRM, -signal.SIGKILL)


@dataclasses.dataclass
class Outcome:
    """What became of one program."""
    number: int
    outcome: str  # transformed, left, wrong, crash, timeout, invalid, uncompilable, faulty (the generator's own)
    detail: str = ""
    case: str = ""
    excused: int = 0
    compared: int = 0
    worst: float = 0.0
    seconds: float = 0.0


class Batch:
    """The programs of one file under one set of options, in a folder of their own."""

    def __init__(self, settings, folder, numbers, programs, options, level):
        self.settings, self.folder, self.numbers, self.options = settings, folder, numbers, options
        self.programs = dict(zip(numbers, programs))
        self.outcomes = {}
        self.strict = "--fp=strict" in options
        self.compiled = [*FLAGS, level, "-I", str(settings.home)]
        folder.mkdir(parents=True, exist_ok=True)

    def settle(self, number, outcome, detail="", **more):
        self.outcomes[number] = Outcome(number, outcome, detail, **more)

    def alive(self):
        return [n for n in self.numbers if n not in self.outcomes or self.outcomes[n].outcome in ("transformed", "left")]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        return path

    def tool(self, numbers, stem, limit):
        source = self.write(f"{stem}.cpp", driver.source([self.programs[n] for n in numbers]))
        return transform(self.settings.polymend, source, self.folder / f"{stem}.{self.suffix()}", self.options, limit)

    def suffix(self):
        return "cu" if self.settings.target == "cuda" else "result.cpp"

    def transformed(self):
        """Transforms the file; where that fails, each program alone, and then those that did not."""
        told = self.tool(self.alive(), "batch", self.settings.limit)
        if told.code != 0:
            for n in list(self.alive()):
                self.alone(n)
            if not self.alive():
                return
            told = self.tool(self.alive(), "batch", self.settings.limit * 10)
        self.roundings = told.roundings
        for n in self.alive():
            outcome, reason = told.outcomes.get(self.programs[n].name, ("left", "not in the report"))
            if outcome == "transformed":
                self.settle(n, "transformed", "")
            else:
                self.settle(n, "invalid" if reason.startswith(OWN_FAULTS) else "left", plain(reason))

    def alone(self, n):
        told = self.tool([n], f"alone{n}", self.settings.limit)
        last = told.messages.strip().splitlines()
        said = next((line for line in last if "error" in line or "failed" in line), last[-1] if last else "")
        if told.code is None:
            self.settle(n, "timeout", f"more than {self.settings.limit:g} s", seconds=told.seconds)
        elif told.code == 3 or any(fault in told.messages for fault in OWN_FAULTS):
            self.settle(n, "invalid", plain(re.sub(r"^\S+: ", "", said)))
        elif told.code < 0 or told.code > 3:
            self.settle(n, "crash", f"exit {told.code}: {plain(said)}")
        elif told.code != 0:
            self.settle(n, "faulty", f"exit {told.code}: {said[:200]}")

    def command(self, arguments, log):
        with open(self.folder / log, "w") as out:
            return subprocess.run([self.settings.clang, *arguments], cwd=self.folder, stdout=out, stderr=subprocess.STDOUT, check=False).returncode == 0

    def object(self, text, more=()):
        flags = self.settings.headers.flags([*self.compiled, *more])
        return self.command([*flags, "-c", text, "-o", text.replace(".cpp", ".o")], text + ".log")

    def built(self):
        """Builds the three programs; what does not compile is found out one by one."""
        included = self.included("batch")
        if included is None:
            return False
        self.kept = {}
        programs = [self.programs[n] for n in self.alive()]
        self.write("table.cpp", driver.table(programs))
        self.write("original.cpp", driver.calls(programs, "batch.cpp"))
        self.write("wide.cpp", driver.wide(programs))
        self.write("changed.cpp", driver.calls(programs, included))
        for name in ("table.cpp", "original.cpp", "wide.cpp"):
            if not self.object(name):
                raise RuntimeError(f"{self.folder / name} does not compile")
        if not self.object("changed.cpp", self.extra()):
            return False
        parallel = self.settings.device.link if self.settings.device else ["-fopenmp"]
        return self.linked("original", "narrow") and self.linked("wide", "wide") and self.linked("changed", "narrow", parallel)

    def linked(self, name, runtime, more=()):
        objects = ["table.o", f"{name}.o", str(self.settings.library / f"{runtime}.o")]
        return self.command(["--rtlib=compiler-rt", *objects, *more, "-lstdc++", "-lm", "-o", name], "link.log")

    def compiled_alone(self):
        """Which programs' results do not compile."""
        for n in self.alive():
            self.tool([n], f"alone{n}", self.settings.limit)
            included = self.included(f"alone{n}")
            text = self.write(f"check{n}.cpp", f'#include "{included}"\n')
            log = f"alone{n}.translate.log" if included is None else f"check{n}.log"
            if included is None or not self.command([*self.compiled, *self.extra(), "-fsyntax-only", text.name], log):
                said = [line for line in (self.folder / log).read_text().splitlines() if "error" in line or "translate" in line]
                self.settle(n, "uncompilable", plain(said[0].split("error:")[-1].strip() if said else ""))

    def included(self, stem):
        """The text of a result as C++."""
        return self.settings.device.header(self.folder, stem) if self.settings.device else f"{stem}.result.cpp"

    def extra(self):
        return self.settings.device.flags if self.settings.device else ["-fopenmp", "-DPOLYMEND_LEAST_WORK=0"]

    def run(self, program, perturbation, out, first=0, last=None):
        """Runs one of the three; returns the status of each program."""
        last = len(self.alive()) - 1 if last is None else last
        environment = dict(os.environ, OMP_NUM_THREADS=str(self.settings.threads), OMP_WAIT_POLICY="passive", EMULATE_SEED="1")
        environment["LD_LIBRARY_PATH"] = self.settings.openmp + ":" + environment.get("LD_LIBRARY_PATH", "")
        seconds = SECONDS * (20 if self.settings.device else 1)  # a thread of the emulated device is a call
        done = subprocess.run([str(self.folder / program), "cases", out, str(first), str(last), str(perturbation), str(seconds)], cwd=self.folder,
                              env=environment, capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL)
        return {int(k): int(s) for k, s in re.findall(r"(?m)^(\d+) (-?\d+)$", done.stdout)}

    def judge(self, k, n, statuses, drawn):
        """Compares what program k of the file left behind."""
        p = self.programs[n]
        original, result = (compare.records(self.folder / f"{name}.{k}") for name in ("o", "c"))
        if statuses["original"].get(k) != 0:
            self.settle(n, "faulty", f"the original ends with {statuses['original'].get(k)}")
            return
        before = self.outcomes[n]
        exact = p.kind in "iu" or (self.settings.target == "cpp" and (self.strict or before.outcome == "left"))
        for case in drawn:
            if case.number not in original:
                continue
            state, expected = original[case.number]
            if state == 2:
                self.settle(n, "faulty", "the original writes outside", case=case.told(p))
                return
            if state == 1:
                continue
            if case.number not in result:
                status = statuses["changed"].get(k)
                kind = "timeout" if status in LATE else "crash"
                self.settle(n, kind, f"the result ends with {status}", case=case.told(p))
                return
            state, got = result[case.number]
            if state == 2 or len(got) != len(expected):
                self.settle(n, "wrong", "writes outside its arrays", case=case.told(p))
                return
            verdict = compare.bitwise(expected, got) if exact else self.numeric(k, n, case, expected, got)
            before.compared += verdict.compared
            before.excused += verdict.excused
            before.worst = max(before.worst, verdict.worst)
            if verdict.fault:
                self.settle(n, "wrong", f"{verdict.fault}: {verdict.where}", case=case.told(p))
                return

    def kind(self, p):
        """The type in whose roundings errors count: a narrower one where the report says that a correction rounds to it."""
        moved = self.roundings.get(p.name, set())
        return min((p.kind, *(KINDS[t] for t in moved)), key=lambda k: -compare.UNIT[k])

    def numeric(self, k, n, case, expected, got):
        p = self.programs[n]
        if expected.tobytes() == got.tobytes():
            return compare.Verdict(compared=len(expected))
        wide = self.evaluation("wide", k, 0)
        if case.number not in wide:
            return compare.Verdict(excused=len(expected))
        verdict = compare.numeric(self.kind(p), expected, got, wide[case.number][1], [])
        if not verdict.fault:
            return verdict
        moved = [self.evaluation("wide", k, s) for s in range(1, 9)]
        near = [self.evaluation("original", k, s) for s in range(1, 7)]
        near += [self.evaluation(name, k, 0) for name in self.other_zeros()]
        near = [e[case.number][1] for e in near if case.number in e]
        return compare.numeric(self.kind(p), expected, got, wide[case.number][1], [e[case.number][1] for e in moved if case.number in e], near)

    def other_zeros(self):
        """Originals whose fmax and fmin choose one sign among zeros of both; built when they are first asked for."""
        for name, zero in ZEROS.items():
            if (self.folder / name).exists():
                continue
            self.write(f"{name}.cpp", '#include "zeros.h"\n#include "original.cpp"\n')
            if not self.object(f"{name}.cpp", [f"-DZERO={zero}"]) or not self.linked(name, "narrow"):
                raise RuntimeError(f"{self.folder / name}.cpp does not compile")
        return ZEROS

    def evaluation(self, program, k, perturbation):
        """What a program gives with moved inputs; run when it is first asked for."""
        key = f"{program}{perturbation}"
        if not (self.folder / f"{key}.{k}").exists():
            self.run(program, perturbation, key, k, k)
        if (key, k) not in self.kept:
            self.kept[key, k] = compare.records(self.folder / f"{key}.{k}")
        return self.kept[key, k]

    def done(self):
        """Everything; the outcome of each program by number."""
        began, self.kept = time.monotonic(), {}
        self.transformed()
        if self.alive() and not self.built():
            self.compiled_alone()
            if self.alive():
                self.tool(self.alive(), "batch", self.settings.limit * 10)
                if not self.built():
                    for n in self.alive():
                        self.settle(n, "uncompilable", "with others in one file")
        alive = self.alive()
        if alive:
            drawn = {n: cases(self.programs[n], self.settings.seed, n, self.settings.cases) for n in alive}
            self.write("cases", "".join(c.line(k) + "\n" for k, n in enumerate(alive) for c in drawn[n]))
            statuses = {"original": self.run("original", 0, "o"), "changed": self.run("changed", 0, "c")}
            for k, n in enumerate(alive):
                self.judge(k, n, statuses, drawn[n])
        self.seconds = time.monotonic() - began
        return self.outcomes
