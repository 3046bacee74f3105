"""Pictures with matplotlib, which is imported when the first one is drawn."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._errors import LookalikeError

if TYPE_CHECKING:
    from ._mechanism import Mechanism

MOST_NUMBERS = 12
"""Larger channels are drawn without their numbers."""


def heat_map(mechanism: Mechanism, profile: Any, ax: Any) -> Any:
    """A heat map of the channel of a profile, on these axes or on new ones."""
    try:
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise LookalikeError("plots need matplotlib: pip install lookalike[plot]") from error
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
