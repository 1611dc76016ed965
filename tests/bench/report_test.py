"""Ranking and report of scripts/bench_operators on results that are made up: ratios, shares, what JAX adds, which kernels count."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "operators"))
sys.dont_write_bytecode = True

import cases
import plot
import report
from ranking import joined, ranked


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
