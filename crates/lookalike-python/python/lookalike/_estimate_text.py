"""Estimates for people, in the words of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ._estimate import Estimate, Figure, misfit_text

MOST_ROWS = 40
"""Figures that are shown; ``to_frame`` has them all."""


def short(estimate: Estimate) -> str:
    """How many reports there were, what does not fit, and the categories."""
    return "\n".join([*opening(estimate), *table(estimate.histogram, "category")])


def summary(estimate: Estimate) -> str:
    """All that the command line says."""
    lines = [*opening(estimate), *table(estimate.histogram, "category")]
    if len(estimate.mix) > 1:
        lines += table(estimate.mix, "profile")
    return "\n".join([*lines, *remarks(estimate)])


def opening(estimate: Estimate) -> list[str]:
    """What is said before the figures."""
    kind = "all taken together" if estimate.simultaneous else "each taken separately"
    lines = [f"{_count(estimate.reports, 'report')}; {100 * estimate.confidence:.10g} % intervals, {kind}."]
    if estimate.stand_ins:
        lines.append(f"{_count(estimate.stand_ins, 'more record')} that stood in for others taken out.")
    if estimate.misfit is not None:
        lines.append(misfit_text(estimate.misfit, estimate.trust))
    return lines


def remarks(estimate: Estimate) -> list[str]:
    """What a reader of the figures must know."""
    figures = (*estimate.histogram, *estimate.mix)
    lines = []
    if any(figure.unbiased is None for figure in figures):
        lines.append("Some shares cannot be determined exactly, however many reports there are; the intervals allow for that.")
    if estimate.trust != "nothing" and not estimate.mix:
        lines.append("No shares of profiles: the reports do not tell them apart.")
    if any(len(figure.members) > 1 for figure in figures):
        lines.append("Joined by +: the reports do not tell these apart, only their total is known.")
    return [*lines, estimate.about]


def table(figures: Sequence[Figure], what: str) -> list[str]:
    """A line for each of the first figures, below their names."""
    shown = figures[:MOST_ROWS]
    rows = [[what, "share", "lower", "upper", "counted"], *([name(figure), *numbers(figure)] for figure in shown)]
    if all(figure.counted is None for figure in figures):
        rows = [row[:-1] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [_line(row, widths) for row in rows]
    return [*lines, f"… and {len(figures) - MOST_ROWS} more"] if len(figures) > MOST_ROWS else lines


def name(figure: Figure) -> str:
    """Whose share it is, on one line."""
    joined = " + ".join(figure.members)
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in joined)


def numbers(figure: Figure) -> Iterable[str]:
    """The share, the ends of its interval, and the counted share, empty where there is none."""
    for value in (figure.share, figure.lower, figure.upper, figure.counted):
        yield "" if value is None else f"{value:.5f}"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(zip(row, widths)))
    return "  ".join([first, *others]).rstrip()


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
