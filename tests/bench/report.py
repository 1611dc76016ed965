"""Ranking and report of scripts/bench_operators on results that are made up: ratios, shares, what JAX adds, which kernels count."""
import json
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "operators"))
sys.dont_write_bytecode = True

import bench
import cases
import plot
import report
from ranking import joined, ranked
from resume import earlier


def timed(ms, **more):
    return dict(ms=ms, rate=100 / ms, error=1e-3, graph=True, **more)


def case(label="causal, 8192", **contenders):
    names = {"own": "polymend", "approx": "polymend --fp=approx", "hand": "by hand", "cudnn": "cuDNN"}
    return dict(operator="causal", label=label, kind="prefill", unit="TFLOP/s", text="polymend",
                contenders={names.get(n, n): c for n, c in contenders.items()})


class Ranking(unittest.TestCase):
    def test_a_text_has_a_ratio_to_the_best_peer_and_a_share_of_each_library(self):
        got = ranked(case(own=timed(2.0, ok=True), approx=timed(1.0), hand=timed(1.5, given=True, ok=True), cudnn=timed(3.0, peer=True)))
        self.assertEqual((got["ratio"], got["shares"]), (1.5, {"by hand": 0.75}))
        self.assertEqual(got["contenders"]["polymend --fp=approx"]["shares"], {"by hand": 1.5})
        self.assertEqual(got["contenders"]["by hand"]["ratio"], 2.0)
        self.assertNotIn("shares", got["contenders"]["by hand"])

    def test_a_library_that_is_wrong_is_compared_with_nothing(self):
        self.assertEqual(ranked(case(own=timed(2.0), hand=timed(1.0, given=True, ok=False, wrong="error")))["shares"], {})

    def test_the_first_variant_alone_counts(self):
        self.assertIsNone(ranked(case(own=dict(failed="not built"), approx=timed(1.0), cudnn=timed(1.0, peer=True)))["ratio"])

    def test_what_is_measured_later_can_be_the_best_peer(self):
        first = [ranked(case(own=timed(2.0), cudnn=timed(3.0, peer=True))), case("short", own=timed(1.0))]
        both = joined(first, [dict(contenders={"Pallas": timed(2.5, peer=True)})])
        self.assertEqual([ranked(r)["ratio"] for r in both], [1.25, None])


class Report(unittest.TestCase):
    kernels = {"causal_matrix_small_kernel": dict(registers=168)}
    notes = dict(generate={"causal": 0.5}, build={"causal": dict(seconds=9.0, faults=[], kernels=kernels)})

    def text(self, *results):
        return report.markdown(dict(jax="1.0"), [ranked(r) for r in results], self.notes)

    def test_shares_have_a_column_and_a_mean(self):
        text = self.text(case(own=timed(2.0), hand=timed(1.0, given=True, ok=True)),
                         case("short", own=timed(1.0), hand=timed(2.0, given=True, ok=True)))
        self.assertIn("| share of by hand |", text)
        self.assertIn("by hand: 2 cases, the printed text reaches 1.00 of it (geometric mean), lowest 0.50.", text)

    def test_every_row_has_every_column(self):
        lines = self.text(case(own=timed(2.0), hand=timed(1.0, given=True, ok=True)), case("lost")).split("\n\n")[2].splitlines()
        self.assertEqual({line.count("|") for line in lines}, {10})

    def test_a_peer_that_fails_is_told_once_with_its_reason(self):
        lost = dict(failed="no bf16", peer=True)
        text = self.text(case(own=timed(1.0), Pallas=lost), case("short", own=timed(1.0), Pallas=lost))
        self.assertEqual(text.count("- Pallas, failed: no bf16 (causal, 8192; short)"), 1)

    def test_a_small_matrix_kernel_is_one(self):
        self.assertIn("| causal | 0.50 | 9.0 | matrix units, 168 registers | none |", self.text(case(own=timed(1.0))))

    def test_a_long_legend_has_several_lines(self):
        names = [f"a library of some length {i}" for i in range(9)]
        _, one = plot.legend(40, names[:2], dict.fromkeys(names, "#000"))
        _, many = plot.legend(40, names, dict.fromkeys(names, "#000"))
        self.assertLess(one, many)


class Worker:
    """A process that measures: it says these lines and ends."""
    returncode = 0

    def __init__(self, *said):
        self.stdout = [json.dumps(one) + "\n" for one in said]

    def wait(self):
        pass

    kill = wait


class Resuming(unittest.TestCase):
    wanted = cases.cases("quick")[:3]
    build = {c.operator.name: dict(text=c.operator.name + "'s digest") for c in wanted}

    def results(self):
        return [dict(case(own=timed(1.0)), label=c.label()) for c in self.wanted]

    def kept(self, results, build):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "operators.json"
            path.write_text(json.dumps(dict(about=dict(device="A"), results=results, build=self.build)))
            about, kept = earlier(path, self.wanted, build)
            return about, [r["label"] for r in kept]

    def test_what_was_measured_of_the_same_texts_is_kept(self):
        labels = [c.label() for c in self.wanted]
        self.assertEqual(self.kept(self.results(), self.build), (dict(device="A"), labels))
        self.assertEqual(self.kept(self.results()[:2], self.build), (dict(device="A"), labels[:2]))

    def test_what_failed_or_has_another_text_is_measured_again_with_all_behind_it(self):
        second = self.wanted[1].operator.name
        self.assertEqual(len(self.kept(self.results(), {**self.build, second: dict(text="another")})[1]), 1)
        results = self.results()
        results[0]["failed"] = "hung"
        self.assertEqual(self.kept(results, self.build), ({}, []))

    def test_without_a_file_all_is_measured(self):
        self.assertEqual(earlier(pathlib.Path("nowhere/operators.json"), self.wanted, self.build), ({}, []))

    def measured(self, device):
        said, started = self.results(), []

        def start(first):
            started.append(first)
            return Worker(dict(about=dict(device=device)), *said[first:])

        asked = types.SimpleNamespace(extent="quick")
        before, bench.cases, bench.show = (bench.cases, bench.show), lambda extent: self.wanted, lambda result: None
        try:
            return started, bench.measure(asked, 5, start, None, lambda *_: None, (dict(device="A"), said[:2]))
        finally:
            bench.cases, bench.show = before

    def test_only_the_rest_is_measured(self):
        started, (about, results) = self.measured("A")
        self.assertEqual((started, about, [r["label"] for r in results]),
                         ([2], dict(device="A"), [c.label() for c in self.wanted]))

    def test_another_device_does_not_go_on(self):
        with self.assertRaises(SystemExit) as ended:
            self.measured("B")
        self.assertIn("another device, A; this is B", str(ended.exception))


class Cases(unittest.TestCase):
    def test_further_operators_are_timed_where_all_are_wanted(self):
        self.assertNotIn("matmul_f64, 4096", [c.label() for c in cases.cases("default")])
        self.assertIn("matmul_f64, 4096", [c.label() for c in cases.cases("all")])

    def test_work_of_a_product_counts_its_three_extents_and_its_batch(self):
        of = {c.label(): c for c in cases.cases("all")}
        self.assertEqual(of["batched_matmul, 1024, batch 64"].flops(), 2 * 64 * 1024**3)
        self.assertEqual(of["rmsnorm_matmul, 8192"].flops(), 2 * 8192 * 4096**2)
        self.assertEqual(of["matmul_f64, 4096"].bytes(), 3 * 8 * 4096**2)


if __name__ == "__main__":
    unittest.main()
