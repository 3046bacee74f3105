"""Runs the benchmarks: `make bench`, or `python3 benches/run.py --help`.

Needs Python 3.11 and cargo; everything else goes into `.bench/`. Prints one table and writes BENCHMARKS.md.
"""

import argparse
import fnmatch
import os
import sys
import time
from pathlib import Path

import page
import prepare
import table
from measure import Failed, Measured, measure, run
from row import Bench, Row, Side
from rows import all_rows

WORK = Path(".bench")
PAGE = Path("BENCHMARKS.md")
# Seconds for a whole run, set-up included; rows that would begin later are not run, and say so.
BUDGET = 15 * 60.0
STEP_LIMIT = 120.0


def main() -> int:
    asked = arguments()
    os.chdir(Path(__file__).resolve().parent.parent)
    began = time.monotonic()
    if asked.list:
        for row in chosen(placeholder(asked.quick), asked.only):
            print(f"{row.name} (limit {row.limit:g} s)\n    {row.instance}\n    {row.peer.label if row.peer else ''}")
        return 0
    bench = set_up(asked.quick)
    known: dict[Side, Measured | str] = {}
    outcomes = []
    for row in chosen(bench, asked.only):
        print(row.name, file=sys.stderr, flush=True)
        late = time.monotonic() - began > BUDGET
        outcomes.append(table.Outcome(row, failure="not run: out of time") if late else outcome(row, known))
    print(table.plain(outcomes))
    if not asked.quick:
        write(outcomes, all_rows(bench) if asked.only else None)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def write(outcomes: list[table.Outcome], others: list[Row] | None) -> None:
    """Writes BENCHMARKS.md; where only some rows ran, the lines of the others stay."""
    text = table.markdown(outcomes, prepare.machine())
    if others is not None and PAGE.exists():
        order = [name for row in others for name in (row.name, row.instance)]
        text = page.merged(PAGE.read_text(), text, order)
    PAGE.write_text(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="NAME", action="append", help="a row, or rows by pattern: 'csv-*'; the page keeps its other lines")
    parser.add_argument("--list", action="store_true", help="the rows, without running them")
    parser.add_argument("--quick", action="store_true", help="small instances, to try the harness itself")
    return parser.parse_args()


def placeholder(quick: bool) -> Bench:
    """Enough to describe the rows."""
    return Bench("python", "driver", "lookalike", WORK / "data", quick, prepare.versions())


def set_up(quick: bool) -> Bench:
    python = prepare.environment(WORK / "venv")
    built = prepare.build()
    prepare.package(python)
    data = WORK / ("quick" if quick else "data")
    data.mkdir(parents=True, exist_ok=True)
    driver, cli = (str(built / name) for name in ("lookalike-bench", "lookalike"))
    return Bench(python, driver, cli, data, quick, prepare.versions())


def chosen(bench: Bench, only: list[str] | None) -> list[Row]:
    rows = all_rows(bench)
    found = [row for row in rows if not only or any(fnmatch.fnmatch(row.name, name) for name in only)]
    if not found:
        raise SystemExit(f"no row is called {' or '.join(only or [])}; --list shows them")
    return found


def outcome(row: Row, known: dict[Side, Measured | str]) -> table.Outcome:
    """Makes the instance and measures both sides; a side that several rows share is measured once."""
    try:
        for step in row.steps:
            if not step.makes.exists():
                run(step.command, STEP_LIMIT)
    except Failed as failure:
        return table.Outcome(row, failure=f"no instance: {failure}")
    sides = {"ours": row.ours, "peer": row.peer}
    found: dict[str, Measured] = {}
    failures = []
    for name, side in sides.items():
        if side is None:
            continue
        if side not in known:
            known[side] = measured(side, row.limit)
        result = known[side]
        if isinstance(result, Measured):
            found[name] = result
        else:
            failures.append(f"{name}: {result}")
    if row.same_records and len({result.records for result in found.values()}) > 1:
        return table.Outcome(row, failure="answers disagree: different numbers of records")
    result = table.Outcome(row, found.get("ours"), found.get("peer"), "; ".join(failures))
    if row.agree_within is not None and result.apart is not None and not result.apart <= row.agree_within:
        return table.Outcome(row, failure=f"answers disagree: values {result.apart:.1e} apart")
    return result


def measured(side: Side, limit: float) -> Measured | str:
    try:
        return measure(side, limit)
    except Failed as failure:
        return str(failure)


if __name__ == "__main__":
    raise SystemExit(main())
