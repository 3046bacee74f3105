"""Mechanisms over counts: from the question to a certified mechanism, against LP solvers on the plain program."""

from dataclasses import dataclass, replace

from row import Bench, Row, Side, flags

ALPHA = "0.9"
PROPERTIES = "WH,CM"
WANTED = {"l0": 10.0}
# When all were tried hipo took 9 and 6 s for l0 and l1, hipdlp 10 and 16, ipx 16 and 18; pdlp 41 s for l0, and simplex
# had not ended after 120.
HIGHS_FASTEST = "hipo"
HIGHS_DEFAULT = "default"


@dataclass(frozen=True)
class Question:
    """The best mechanism over the counts 0 to n for a loss."""

    loss: str
    n: int
    # How far apart the scores of both sides may be: about 1e-6 of them.
    agree_within: float
    repetitions: int = 5


def rows(bench: Bench) -> list[Row]:
    small, large = (16, 32) if bench.quick else (128, 256)
    often, seldom = Question("l0", small, 1e-6), Question("l1", small, 1e-5)
    return [
        against_highs(bench, often),
        against_cvxpy(bench, often),
        growth(bench, often, large),
        against_highs(bench, seldom),
        against_cvxpy(bench, seldom),
        growth(bench, seldom, large),
        as_it_comes(bench, often),
    ]


def against_highs(bench: Bench, question: Question) -> Row:
    label = f"{bench.version('highspy')}, the plain program, {HIGHS_FASTEST}"
    side = peer(bench, question, "highs", label, *flags(solvers=HIGHS_FASTEST))
    return row(bench, question, "highs", peer=side, wanted=WANTED.get(question.loss), agree_within=question.agree_within)


def against_cvxpy(bench: Bench, question: Question) -> Row:
    label = f"{bench.version('cvxpy')}, the plain program, its own choice of solver"
    side = peer(bench, question, "cvxpy", label)
    return row(bench, question, "cvxpy", peer=side, wanted=WANTED.get(question.loss), agree_within=question.agree_within)


def as_it_comes(bench: Bench, question: Question) -> Row:
    """HiGHS without an option: much slower than at its best, so that there is no ratio to want."""
    label = f"{bench.version('highspy')}, the plain program, as it comes: its own choice of solver, with crossover"
    side = peer(bench, question, "highs-default", label, *flags(solvers=HIGHS_DEFAULT))
    found = row(bench, question, "highs-default", peer=side, agree_within=question.agree_within)
    return replace(found, limit=100.0)


def growth(bench: Bench, question: Question, n: int) -> Row:
    smaller = replace(ours(bench, question), label=f"Lookalike, n = {question.n}")
    return row(bench, replace(question, n=n, repetitions=1), "growth", peer=smaller, same_records=False)


def row(bench: Bench, question: Question, kind: str, **changes: object) -> Row:
    return Row(
        name=f"counts-{question.loss}-{kind}",
        instance=f"counts 0 to {question.n}, {PROPERTIES}, α = {ALPHA} (ε = 0.10536), uniform prior, "
        f"{question.loss.upper().replace('L', 'L_')}; nothing is drawn, so that there is no seed",
        limit=60.0,
        ours=ours(bench, question),
        design=True,
        **changes,
    )


def ours(bench: Bench, question: Question) -> Side:
    asked = flags(
        n=question.n, alpha=ALPHA, properties=PROPERTIES, loss=question.loss, repetitions=question.repetitions
    )
    return Side("Lookalike", (bench.driver, "counts", *asked))


def peer(bench: Bench, question: Question, name: str, label: str, *options: str) -> Side:
    """A solver, whose matrix our certifier then looks at."""
    matrix = bench.data / f"counts-{question.loss}-{question.n}-{name}.f64"
    script = f"counts_{name.split('-')[0]}"
    command = bench.peer(script, *flags(n=question.n, alpha=ALPHA, loss=question.loss, matrix=matrix), *options)
    check = (bench.driver, "epsilon", *flags(n=question.n, alpha=ALPHA, matrix=matrix))
    return Side(label, command, check=check)
