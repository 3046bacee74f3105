"""Subjects charged to a ledger before their rows are released."""

from row import Bench, Row, Side, flags

LIMIT = 120.0


def rows(bench: Bench) -> list[Row]:
    many, few = bench.records(10**6), bench.records(10**5, 10_000)
    together = bench.records(10**5, 10_000)
    bare = Side("sqlite3 of Python: the same rows into a table, nothing decided", bench.peer("ledger_sqlite", *flags(subjects=many)))
    return [
        # 100,000 rows per second.
        Row("ledger-rate", describe(many), LIMIT, charge(bench, many), seconds_below=10.0),
        Row("ledger-sqlite", describe(many), LIMIT, charge(bench, many), peer=bare, same_records=False,
            note="the peer has no CSV, no decision, no chain and no draw"),
        Row("ledger-together", f"8 processes at once, each with the same {together:,} subjects; checked: each charged once, none over"
            " its budget; no seed", LIMIT, charge(bench, together, 8)),
        Row("growth-ledger-few", describe(few), LIMIT, charge(bench, few), growth=True),
        Row("growth-ledger-many", describe(many), LIMIT, charge(bench, many), growth=True),
    ]


def charge(bench: Bench, subjects: int, processes: int = 1) -> Side:
    asked = flags(cli=bench.cli, subjects=subjects, processes=processes)
    return Side("Lookalike, privatize --ledger", bench.peer("ledger_run", *asked), cores=2)


def describe(subjects: int) -> str:
    return f"{subjects:,} subjects, one row of CSV each, charged to a new ledger in one run; randomized response on two values, no seed"
