"""Pictures with matplotlib, which is imported when the first one is drawn."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _lookalike as _core
from ._errors import LookalikeError

if TYPE_CHECKING:
    from ._estimate import Estimate
    from ._mechanism import Mechanism
    from ._planar import PlanarNoise

MOST_NUMBERS = 12
"""Larger channels are drawn without their numbers."""


def _pyplot() -> Any:
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise LookalikeError("plots need matplotlib: pip install lookalike[plot]") from error


def heat_map(mechanism: Mechanism, profile: Any, ax: Any) -> Any:
    """A heat map of the channel of a profile, on these axes or on new ones."""
    pyplot = _pyplot()
    rows, scale = mechanism._core.weights(None if profile is None else str(profile))
    values = [[weight / scale for weight in row] for row in rows]
    if ax is None:
        _, ax = pyplot.subplots()
    image = ax.imshow(values, vmin=0.0, vmax=1.0, cmap="Blues", aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="probability")
    ax.set_xticks(range(len(mechanism.outputs)), mechanism.outputs, rotation=45, ha="right")
    ax.set_yticks(range(len(mechanism.categories)), mechanism.categories)
    ax.set_xlabel("released")
    ax.set_ylabel("value")
    of = "" if profile is None else f" of {profile}"
    ax.set_title(f"{mechanism.name or 'channel'}{of}, epsilon {mechanism.epsilon_text}")
    if max(len(row) for row in values) <= MOST_NUMBERS:
        for y, row in enumerate(values):
            for x, value in enumerate(row):
                shade = "white" if value > 0.6 else "black"
                ax.text(x, y, f"{value:.2f}", ha="center", va="center", color=shade)
    return ax


def noise_map(noise: PlanarNoise, ax: Any) -> Any:
    """Releases of the origin, in metres from it, with the circles that hold half and 95 % of them."""
    pyplot = _pyplot()
    if ax is None:
        _, ax = pyplot.subplots()
    points = _core.geo_draws(noise._core, 1000, 1)
    ax.scatter([x for x, _ in points], [y for _, y in points], s=4, alpha=0.5, label="released")
    ax.scatter([0], [0], marker="+", color="black", label="the true place")
    for share, style in ((0.5, "-"), (0.95, "--")):
        radius = noise.quantile(share)
        ax.add_patch(pyplot.Circle((0, 0), radius, fill=False, linestyle=style, label=f"{share:.0%} within {radius:.0f} m"))
    ax.set_aspect("equal")
    ax.set_xlabel("metres east")
    ax.set_ylabel("metres north")
    ax.set_title(f"releases of one place, epsilon {noise.epsilon:.4g} per metre")
    ax.legend()
    return ax


def intervals(estimate: Estimate, ax: Any) -> Any:
    """The intervals of the shares as bars, the shares as dots and the counted shares as rings, the first one on top."""
    from ._estimate_text import name, opening

    pyplot = _pyplot()
    figures = estimate.histogram
    if ax is None:
        _, ax = pyplot.subplots(figsize=(6.4, 1.2 + 0.3 * len(figures)), layout="constrained")
    places = range(len(figures))
    widths = [figure.upper - figure.lower for figure in figures]
    ax.barh(places, widths, left=[figure.lower for figure in figures], height=0.5, color="lightsteelblue", label="interval")
    ax.plot([figure.share for figure in figures], places, "o", color="navy", label="share")
    counted = [(figure.counted, place) for place, figure in zip(places, figures) if figure.counted is not None]
    if counted:
        shares, rows = zip(*counted)
        ax.plot(shares, rows, "o", color="black", markerfacecolor="none", markersize=8, label="counted")
    ax.set_yticks(places, [name(figure) for figure in figures])
    ax.invert_yaxis()
    ax.set_xlabel("share")
    # As the lines of the terminal, which say what does not fit.
    ax.set_title("\n".join(opening(estimate)), fontsize="medium", wrap=True)
    ax.legend()
    return ax
