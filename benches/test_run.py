"""Tests of the harness itself: `python3 -m unittest discover benches`. They need no peer and take a second."""

import math
import random
import sys
import tempfile
import unittest
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "peers")]

import geo_released
import noise_released
import page
import table
from measure import Failed, Measured, measure, run
from row import Bench, Row, Side
from rows import all_rows
from run import outcome


def a_row(**changes: object) -> Row:
    return Row(**{"name": "r", "instance": "i", "limit": 5.0, "ours": Side("ours", ()), **changes})


def script(text: str, **changes: object) -> Side:
    return Side("python", (sys.executable, "-c", text), **changes)


class Ratios(unittest.TestCase):
    def test_a_ratio_is_our_rate_over_the_peers(self) -> None:
        outcome = table.Outcome(a_row(wanted=4.0), Measured(800, 2.0, 0), Measured(100, 1.0, 0))
        self.assertEqual(outcome.ratio, 4.0)
        self.assertIs(outcome.met, True)

    def test_just_below_is_not_met_and_nothing_measured_is_not_met(self) -> None:
        row = a_row(wanted=4.0)
        self.assertIs(table.Outcome(row, Measured(799, 2.0, 0), Measured(100, 1.0, 0)).met, False)
        self.assertIs(table.Outcome(row, None, Measured(100, 1.0, 0)).met, False)
        self.assertIsNone(table.Outcome(a_row(), Measured(1, 1.0, 0)).met)

    def test_memory_is_wanted_below_its_bound(self) -> None:
        row = a_row(memory_below=400)
        self.assertIs(table.Outcome(row, Measured(1, 1.0, 399_999_999)).met, True)
        self.assertIs(table.Outcome(row, Measured(1, 1.0, 400_000_000)).met, False)


    def test_a_call_and_a_program_are_wanted_below_their_bounds(self) -> None:
        row = a_row(nanoseconds_below=100.0)
        self.assertIs(table.Outcome(row, Measured(10**6, 0.0999, 0)).met, True)
        self.assertIs(table.Outcome(row, Measured(10**6, 0.1001, 0)).met, False)
        row = a_row(bytes_below=32768)
        self.assertIs(table.Outcome(row, Measured(1, 1.0, 0, bytes=32767)).met, True)
        self.assertIs(table.Outcome(row, Measured(1, 1.0, 0, bytes=32768)).met, False)
        self.assertIs(table.Outcome(row, Measured(1, 1.0, 0)).met, False)
        self.assertEqual(table.cells(table.Outcome(row, Measured(1, 1.0, 0, bytes=3434)))[5], "3,434 bytes")


class Pages(unittest.TestCase):
    def test_a_run_of_some_rows_keeps_the_lines_of_the_others(self) -> None:
        def outcome_of(name: str, seconds: float, **changes: object) -> table.Outcome:
            return table.Outcome(a_row(name=name, instance=f"of {name}", **changes), Measured(100, seconds, 0))

        design = {"design": True, "same_records": False}
        all_of = [
            outcome_of("a", 1.0, note="slow"),
            outcome_of("b", 1.0, note="slower"),
            outcome_of("d", 1.0, **design),
            outcome_of("e", 1.0, **design),
            outcome_of("g", 1.0, growth=True),
        ]
        order = [name for one in all_of for name in (one.row.name, one.row.instance)]
        old = table.markdown(all_of, "old")
        self.assertEqual(page.merged(old, old, order), old)
        new = table.markdown([outcome_of("b", 2.0), outcome_of("d", 2.0, **design)], "new")
        found = page.merged(old, new, order)
        self.assertIn("\nnew.\n", found)
        expected = [
            outcome_of("a", 1.0, note="slow"),
            outcome_of("b", 2.0),
            outcome_of("d", 2.0, **design),
            outcome_of("e", 1.0, **design),
            outcome_of("g", 1.0, growth=True),
        ]
        self.assertEqual(found, table.markdown(expected, "new"))

    def test_columns_that_are_new_stay_empty_and_rows_that_are_gone_go(self) -> None:
        old = [["row", "ours"], ["---", "---"], ["a", "1"], ["z", "2"]]
        new = [["row", "more", "ours"], ["---"] * 3, ["b", "x", "3"]]
        self.assertEqual(page.join(old, new, ["a", "b"])[2:], [["a", "", "1"], ["b", "x", "3"]])


    def test_a_time_by_itself_is_wanted_below_its_bound(self) -> None:
        row = a_row(seconds_below=0.15)
        shown = table.cells(table.Outcome(row, Measured(1, 0.1234, 0)))
        self.assertEqual(shown[3:], ["time", "", "123 ms", "", "< 150 ms", "yes"])
        self.assertIs(table.Outcome(row, Measured(1, 0.15, 0)).met, False)
        self.assertIs(table.Outcome(row).met, False)


class Sweeps(unittest.TestCase):
    FOUND = {
        "median": 1.25,
        "worst": 0.4,
        "worst_name": "w",
        "largest": 20.0,
        "below_half": 1,
        "median_with_model": None,
        "differ": ["d (ours 1, HiGHS 2)"],
        "ours_failed": [],
        "highs_failed": ["x", "y"],
        "larger": 3,
        "peak_bytes": 5 * 10**6,
    }

    def test_a_sweep_shows_median_and_worst_and_names_every_failure(self) -> None:
        done = table.Outcome(a_row(name="design-sweep-a", sweep=True), Measured(12, 2.5, 0, sweep=self.FOUND))
        shown = ["12", "1.25×", "0.400×", "w", "1", "20.0×", "", "1", "0", "2", "3", "2.5 s", "5 MB"]
        self.assertEqual(table.sweep_cells(done)[2:], shown)
        said = ["design-sweep-a: values differ: d (ours 1, HiGHS 2)", "design-sweep-a: HiGHS had no optimum in time: x; y"]
        self.assertEqual(table.named([done]), said)
        written = table.markdown([done], "m")
        self.assertTrue(all(f"- {line}" in written for line in said))
        self.assertEqual(page.merged(written, written, ["design-sweep-a"]), written)
        stopped = table.Outcome(a_row(sweep=True), failure="stopped")
        self.assertEqual(table.sweep_cells(stopped)[2], "not available")


class Designs(unittest.TestCase):
    def test_values_that_are_apart_leave_no_number(self) -> None:
        sides = [script(f"print('{{\"records\": 1, \"seconds\": 1, \"value\": {value}}}')") for value in (0.5, 0.5002)]
        row = a_row(ours=sides[0], peer=sides[1], design=True, limit=20.0, agree_within=1e-3)
        self.assertAlmostEqual(outcome(row, {}).apart, 2e-4)
        disagreeing = outcome(replace(row, agree_within=1e-4), {})
        self.assertIsNone(disagreeing.ours)
        self.assertIn("2.0e-04 apart", disagreeing.failure)

    def test_a_larger_instance_may_take_so_many_times_as_long(self) -> None:
        small, row = Measured(10, 2.0, 0), a_row(longer_at_most=40.0, design=True)
        self.assertIs(table.Outcome(row, Measured(100, 80.0, 0), small).met, True)
        self.assertIs(table.Outcome(row, Measured(100, 80.1, 0), small).met, False)
        self.assertEqual(table.design_cells(table.Outcome(row, Measured(100, 80.0, 0), small))[6], "40.0× as long")

    def test_the_same_program_under_two_names_is_the_same_side(self) -> None:
        self.assertEqual(len({Side("one", ("a",)), Side("other", ("a",)), Side("one", ("a",), timed="part")}), 2)

    def test_a_part_of_the_time_is_taken_by_name(self) -> None:
        report = "print('{\"records\": 6, \"seconds\": 2.0, \"part_seconds\": 0.5}')"
        self.assertEqual(measure(script(report, timed="part_seconds"), 20.0).seconds, 0.5)
        with self.assertRaisesRegex(Failed, "no other in its report"):
            measure(script(report, timed="other"), 20.0)

    def test_a_design_shows_seconds_and_what_was_reached(self) -> None:
        ours, peer = Measured(5, 0.5, 2 * 10**6, 0.25, 0.25 - 1e-9), Measured(5, 2.0, 0, 0.25 + 1e-8, None, "ipx")
        shown = table.design_cells(table.Outcome(a_row(peer=Side("p", ()), wanted=4.0, design=True), ours, peer))
        figures = ["2 s (ipx)", "0.5 s", "4.00×", "≥ 4×", "yes", "0.2500000000", "1e-09", "1e-08", "2 MB", ""]
        self.assertEqual(shown[4:], figures)

    def test_growth_without_a_bound_is_shown_as_such_and_nothing_is_met(self) -> None:
        row = a_row(design=True, same_records=False, peer=Side("p", ()))
        shown = table.design_cells(table.Outcome(row, Measured(257, 3.0, 0), Measured(129, 1.0, 0)))
        self.assertEqual(shown[6:9], ["3.00× as long", "", ""])

    def test_what_a_check_proves_is_shown_beside_what_was_asked(self) -> None:
        check = "print('{\"epsilon\": 0.5268, \"above\": 0.4214, \"is_kept\": false}')"
        side = script("print('{\"records\": 1, \"seconds\": 1}')", check=(sys.executable, "-c", check))
        self.assertEqual(table.true_epsilon(measure(side, 20.0)), "0.52680 (+4e-01)")
        infinite = replace(side, check=(sys.executable, "-c", check.replace("0.5268", "Infinity")))
        self.assertEqual(table.true_epsilon(measure(infinite, 20.0)), "infinite")
        kept = Measured(1, 1.0, 0, epsilon=0.1, above=-1e-18, is_kept=True)
        self.assertEqual(table.true_epsilon(kept), "0.10000 (kept)")
        self.assertEqual(table.true_epsilon(Measured(1, 1.0, 0)), "")


class Texts(unittest.TestCase):
    def test_rates_have_three_digits_and_a_unit(self) -> None:
        shown = [table.rate(value) for value in (8_700.0, 34.25e6, 123.4e6, 1.5e9, 12.0)]
        self.assertEqual(shown, ["8.70 k/s", "34.2 M/s", "123 M/s", "1.50 G/s", "12.0 /s"])

    def test_a_failed_row_is_shown_with_its_reason(self) -> None:
        outcome = table.Outcome(a_row(wanted=1.0, peer=Side("p", ())), failure="ours: no such format")
        self.assertEqual(table.cells(outcome)[4:], ["not available", "not available", "", "≥ 1×", "no"])
        self.assertIn("r: ours: no such format", table.plain([outcome]))

    def test_bars_in_a_cell_do_not_end_it(self) -> None:
        self.assertEqual(table.markdown_table(["h"], [["a|b"]]), "| h |\n| --- |\n| a\\|b |")

    def test_the_page_has_every_row_with_its_limit(self) -> None:
        outcomes = [table.Outcome(a_row(note="why"), Measured(10, 1.0, 0)), table.Outcome(a_row(name="g", growth=True))]
        page = table.markdown(outcomes, "a machine")
        for part in ("| r | i | 5 s |", "- r: why", "| i | 5 s | not available |"):
            self.assertIn(part, page)


class Processes(unittest.TestCase):
    def test_a_side_reports_its_own_seconds_or_is_timed_whole(self) -> None:
        report = "print('{\"records\": 6, \"seconds\": 2.0}')"
        self.assertEqual(measure(script(report), 20.0).rate, 3.0)
        self.assertNotEqual(measure(script(report, whole_process=True), 20.0).seconds, 2.0)

    def test_failure_gives_the_last_line_and_a_limit_stops_the_process(self) -> None:
        with self.assertRaisesRegex(Failed, "^the reason$"):
            run(script("import sys; sys.exit('first\\nthe reason')").command, 20.0)
        with self.assertRaisesRegex(Failed, "limit of 0.2 s"):
            run(script("import time; time.sleep(20)").command, 0.2)
        with self.assertRaises(Failed):
            run(("./no-such-program",), 20.0)

    def test_a_failed_check_leaves_no_number(self) -> None:
        check = (sys.executable, "-c", "raise SystemExit('wrong')")
        side = script("print('{\"records\": 1, \"seconds\": 1}')", check=check)
        with self.assertRaisesRegex(Failed, "wrong"):
            measure(side, 20.0)


class Noise(unittest.TestCase):
    def complaint(self, epsilon: float, change: Callable[[int], int] = lambda z: z) -> str | None:
        """What the check says of a hundred thousand draws of the law, each of them changed."""
        rng = random.Random(1)
        # The difference of two geometric numbers; a uniform number of (0, 1] makes each.
        draws = (int(math.log(1 - rng.random()) / -epsilon) for _ in range(200_000))
        return noise_released.complaint(Counter(change(one - other) for one, other in zip(draws, draws)), epsilon)

    def test_draws_of_the_law_pass(self) -> None:
        for epsilon in (0.1, 1.0, 3.0):
            self.assertIsNone(self.complaint(epsilon))

    def test_another_mean_share_of_zeros_or_distribution_is_found(self) -> None:
        self.assertIn("has mean", self.complaint(1.0, lambda z: max(z, -2)))
        self.assertIn("of the noise is 0", self.complaint(1.0, lambda z: 0 if abs(z) == 1 else z))
        self.assertIn("from its law", self.complaint(1.0, lambda z: 2 * z))

    def test_noise_of_another_kind_or_too_little_of_it_is_found(self) -> None:
        rng = random.Random(1)
        continuous = Counter(round(rng.expovariate(1.0) * rng.choice([-1, 1])) for _ in range(100_000))
        self.assertIn("of the noise is 0", noise_released.complaint(continuous, 1.0))
        self.assertIn("of the noise is 0", noise_released.complaint(Counter({0: 100_000}), 1.0))
        self.assertIn("9999 rows", noise_released.complaint(Counter({0: 9_999}), 1.0))

    def test_columns_are_compared_row_by_row(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, values in (("true", range(20_000)), ("same", range(20_000)), ("short", range(10_000))):
                Path(folder, name).write_bytes(array("q", values).tobytes())
            for name, message in (("same", "1.00000 of the noise is 0"), ("short", "10000 rows released of 20000")):
                program = str(HERE / "peers/noise_released.py")
                check = (sys.executable, program, f"{folder}/true", f"{folder}/{name}", "1")
                with self.assertRaisesRegex(Failed, message):
                    run(check, 20.0)


class Places(unittest.TestCase):
    EPSILON = 0.005

    def complaint(self, change: Callable[[float, float], tuple[float, float]] = lambda r, turn: (r, turn)) -> str | None:
        """What the check says of twenty thousand steps of the law, each of them changed, from 60° N over the date line."""
        rng = random.Random(1)
        true, released = array("d"), array("d")
        north, east = geo_released.metres_per_degree(60.0)
        for _ in range(20_000):
            # The sum of two exponential numbers has the density of the radius.
            radius, turn = change(rng.gammavariate(2, 1 / self.EPSILON), rng.random())
            true.extend((60.0, 179.999))
            angle = 2 * math.pi * turn
            along = 179.999 + radius * math.cos(angle) / east
            released.extend((60.0 + radius * math.sin(angle) / north, (along + 180) % 360 - 180))
        return geo_released.complaint(list(geo_released.steps(true, released)), self.EPSILON)

    def test_steps_of_the_law_pass(self) -> None:
        self.assertIsNone(self.complaint())

    def test_another_distance_or_direction_is_found(self) -> None:
        self.assertIn("the mean distance is", self.complaint(lambda r, turn: (1.1 * r, turn)))
        self.assertIn("of distances", self.complaint(lambda r, turn: (2 / self.EPSILON, turn)))
        self.assertIn("of directions", self.complaint(lambda r, turn: (r, turn * 0.9)))

    def test_a_degree_has_its_known_lengths(self) -> None:
        for latitude, expected in ((0.0, (110_574, 111_320)), (45.0, (111_132, 78_847)), (80.0, (111_660, 19_394))):
            for found, metres in zip(geo_released.metres_per_degree(latitude), expected):
                self.assertLess(abs(found - metres), 1.0)


class Rows(unittest.TestCase):
    def test_names_are_unique_and_every_row_says_what_it_runs(self) -> None:
        bench = Bench("python", "driver", "cli", Path("data"), False, dict.fromkeys(PEERS, "1"))
        rows = all_rows(bench)
        self.assertEqual(len({row.name for row in rows}), len(rows))
        for row in rows:
            self.assertIn("seed", row.instance)
            self.assertGreater(row.limit, 0)


PEERS = ("numpy", "duckdb", "opendp", "multi-freq-ldpy", "highspy", "cvxpy", "polars", "scipy", "pyspark")

if __name__ == "__main__":
    unittest.main()
