"""What notebooks show."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any

from . import _lookalike as _core
from ._errors import PrivacyError

if TYPE_CHECKING:
    from ._estimate import Estimate
    from ._mechanism import Mechanism

MOST_MAPS = 4
"""Channels that are shown."""
MOST_CATEGORIES = 40
"""Larger channels are not drawn."""


def mechanism_html(mechanism: Mechanism) -> str:
    """The claim, whether it is proved, and heat maps of the noisiest channels."""
    try:
        facts = mechanism.certify()
        upper = "infinite" if facts.upper is None else f"at most {facts.upper:.12g}"
        worst, more = facts.worst or ("", ""), facts.edges or 0
        proof = (
            f"Certified in exact arithmetic: {more} pair{'s' * (more != 1)}; the tightest, {escape(worst[0])} against "
            f"{escape(worst[1])} at output {escape(str(facts.output))}, has a true ε of {upper}."
        )
    except PrivacyError as error:
        proof = f"<strong>Not private:</strong> {escape(str(error))}"
    pictures = "".join(map(picture, _maps(mechanism)))
    return f"<div><p><code>{escape(repr(mechanism))}</code></p><p>{proof}</p>{pictures}</div>"


def _maps(mechanism: Mechanism) -> list[str]:
    if mechanism.places is not None:
        from .geo import cell_map

        return [cell_map(mechanism), cell_map(mechanism, "0,0")]
    if max(len(mechanism.categories), len(mechanism.outputs)) > MOST_CATEGORIES:
        return []
    aware = mechanism.kind == "aware"
    channels: dict[Any, list[Any]] = {}
    for name in mechanism.secrets[:200] if aware else [None]:
        rows, scale = mechanism._core.weights(name)
        channels.setdefault(tuple(tuple(weight / scale for weight in row) for row in rows), []).append(name)
    noisiest = sorted(channels.items(), key=lambda item: min(map(max, item[0])))
    maps = []
    for rows, names in noisiest[:MOST_MAPS]:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        title = ", ".join(map(str, names[:3])) + more if aware else "One channel for all"
        maps.append(_core.heat_map(mechanism._core, title, [list(row) for row in rows]))
    return maps


def picture(svg: str, what: str = "heat map of a channel") -> str:
    """The image of an SVG text."""
    # As an image, so that its style sheet stays its own.
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(what)}" src="data:image/svg+xml;base64,{data}">'


def estimate_html(estimate: Estimate) -> str:
    """A table of shares with their intervals, and what they rest on."""
    from ._estimate_text import name, numbers, opening, remarks

    has_counts = any(figure.counted is not None for figure in estimate.histogram)
    heads = ["category", "share", "lower", "upper", *["counted"] * has_counts]
    rows = [[name(figure), *numbers(figure)][: len(heads)] for figure in estimate.histogram]
    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    first, *more = opening(estimate)
    before = "".join(f"<p><strong>{escape(line)}</strong></p>" for line in more)
    after = "".join(f"<p>{escape(line)}</p>" for line in remarks(estimate))
    return f"<div>{before}<table><caption>{first}</caption><tr>{head}</tr>{cells}</table>{after}</div>"
