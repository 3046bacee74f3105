"""Places: those that are near each other look alike, the more the nearer they are.

Geo-indistinguishability: two places d metres apart are ε·d-alike, with an ε for each metre. ``planar`` is noise for any
place of a region. On a ``grid`` of cells ``optimal`` loses the least for a prior; ``truncated`` and ``planar_cells`` need
none. ε is written per metre: 0.005, ``"5/km"`` or ``"ln(4)/200"``; lengths are metres, or ``"0.2km"``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._errors import InputError
from ._mechanism import Mechanism
from ._numbers import Number, at_least_one, text
from ._place_grid import PlaceGrid, Prior, cell_name, weights
from ._places import length, metres, origin_of
from ._planar import PlanarNoise, Region

__all__ = [
    "Errors",
    "PlaceGrid",
    "PlanarNoise",
    "Region",
    "cell_map",
    "errors",
    "expected_loss",
    "grid",
    "optimal",
    "planar",
    "planar_cells",
    "remap",
    "truncated",
]


def planar(
    epsilon: Number | None = None,
    *,
    level: Number | None = None,
    radius: Number | None = None,
    origin: tuple[Number, Number] | str,
    extent: Number = 20_000,
    grid: Number | None = None,
) -> PlanarNoise:
    """Planar Laplace noise on the places of a region, with the claim of ``epsilon`` for each metre, proved.

    ``level`` and ``radius`` instead of ``epsilon``: places at most ``radius`` metres apart are ``level``-alike, rounding
    included. ``origin`` is a public place, latitude and longitude in degrees; the region goes ``extent`` metres to the
    north, south, east and west of it. Releases stay within. ``grid`` is a power of two in metres, by default about a
    thousandth of the noise.

    >>> import lookalike
    >>> noise = lookalike.geo.planar(epsilon="ln(4)/200", origin=(45.07, 7.69))
    >>> noise.epsilon_text, noise.certify().upper <= noise.epsilon
    ('1/100*ln(2)', True)
    >>> noise == lookalike.geo.planar(epsilon="ln(4)/0.2km", origin="45.07,7.69", extent="20km", grid="1/8")
    True
    """
    if (epsilon is None) == (level is None) or (level is None) != (radius is None):
        raise InputError("expected either epsilon, or level and radius")
    within = None if level is None or radius is None else (text(level, "level"), length(radius, "radius"))
    core = _core.geo_planar(
        None if epsilon is None else text(epsilon, "epsilon"),
        within,
        origin_of(origin),
        length(extent, "extent"),
        None if grid is None else length(grid, "grid"),
    )
    return PlanarNoise._of(core)


def grid(columns: int, rows: int, step: Number, origin: tuple[Number, Number] | str) -> PlaceGrid:
    """Columns × rows square cells of side ``step`` metres, with a public origin in the middle.

    >>> import lookalike
    >>> lookalike.geo.grid(8, 6, step="0.5km", origin=(52.52, 13.405))
    PlaceGrid(8x6 cells of 500 m, within 2 km of 52.52,13.405)
    """
    counts = at_least_one(columns, "columns"), at_least_one(rows, "rows")
    if max(counts) >= 1 << 32:
        raise InputError("columns and rows: expected at most 1,024 cells")
    return PlaceGrid._of(_core.PlaceGrid(*counts, length(step, "step"), origin_of(origin)))


def optimal(
    grid: PlaceGrid,
    epsilon: Number | None = None,
    *,
    level: Number | None = None,
    radius: Number | None = None,
    within: Number | None = None,
    prior: Prior = None,
    loss: str = "euclidean",
    spanner: Number = 1,
    progress: Progress = None,
) -> Mechanism:
    """The mechanism between the cells with the least expected loss under a prior, proved.

    ``epsilon`` is for each metre. With ``level`` and ``radius`` instead, places at most ``radius`` metres apart are
    ``level``-alike, the cells counted in. With ``level`` and ``within`` only cells at most so far apart are protected, however
    near, which promises less and costs less.

    ``prior`` has a weight for each cell in order, or by name; by default all are equally frequent. ``loss`` is
    ``"euclidean"``, ``"squared"``, or ``"within:200m"``, how often the release is farther away than that. A ``spanner``
    above 1 designs on fewer pairs, which is faster and a little worse; the claim is about all pairs all the same.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(4, 4, step=100, origin=(45.07, 7.69))
    >>> mech = lookalike.geo.optimal(grid, epsilon="ln(4)/200")
    >>> mech
    Mechanism(geo-optimal, point, 4x4 cells of 100 m, epsilon up to 2.941)
    >>> mech.objective["value"] - mech.objective["lower_bound"] < 1e-6
    True
    >>> mech.privatize_places([45.0703, 45.0690], [7.6899, 7.6885], seed=1)
    ([45.0704499, 45.0695501], [7.6906349, 7.6893651])
    """
    asked = _promise(epsilon, level, radius, within)
    return _made("optimal", grid, asked, prior, loss, spanner, progress)


def truncated(
    grid: PlaceGrid,
    epsilon: Number | None = None,
    *,
    level: Number | None = None,
    radius: Number | None = None,
    progress: Progress = None,
) -> Mechanism:
    """Noise cut off at the edge of the grid, with the largest decay that keeps the claim, proved.

    On a finite grid weights near an edge sum to less, and tell of it; so the decay is between half of ε and ε. ``level`` and
    ``radius`` are as for ``optimal``.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(4, 4, step=100, origin=(45.07, 7.69))
    >>> mech = lookalike.geo.truncated(grid, epsilon="ln(4)/200")
    >>> round(mech.report["share_of_epsilon"], 3)
    0.694
    """
    return _made("truncated", grid, _promise(epsilon, level, radius, None), None, "euclidean", 1, progress)


def planar_cells(
    grid: PlaceGrid,
    epsilon: Number | None = None,
    *,
    level: Number | None = None,
    radius: Number | None = None,
    progress: Progress = None,
) -> Mechanism:
    """Noise on the endless grid, brought to the nearest cell of this one, proved: no price for the edge in ε.

    ``level`` and ``radius`` are as for ``optimal``.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(4, 4, step=100, origin=(45.07, 7.69))
    >>> mech = lookalike.geo.planar_cells(grid, epsilon="ln(4)/200")
    >>> better = lookalike.geo.remap(mech)
    >>> lookalike.geo.expected_loss(better) < lookalike.geo.expected_loss(mech)
    True
    """
    return _made("planar", grid, _promise(epsilon, level, radius, None), None, "euclidean", 1, progress)


def remap(mechanism: Mechanism, prior: Prior = None, loss: str = "euclidean") -> Mechanism:
    """The mechanism with each release replaced by the one that costs least given it, under a prior.

    Post-processing: the claim stays as it is, and the expected loss never grows. ``report["map"]`` says what replaces
    each cell.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(4, 4, step=100, origin=(45.07, 7.69))
    >>> better = lookalike.geo.remap(lookalike.geo.planar_cells(grid, epsilon="ln(4)/200"))
    >>> better.name, better.report["map"]["0,0"]
    ('geo-planar-remapped', '1,1')
    """
    core, names = _core.geo_remap(mechanism._core, _weights(mechanism, prior), loss)
    made = Mechanism._of(core)
    made._report = {"map": dict(zip(mechanism.categories, names))}
    return made


def expected_loss(mechanism: Mechanism, prior: Prior = None, loss: str = "euclidean") -> float:
    """The expected loss of a mechanism between cells under a prior; see ``optimal`` for the losses.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(3, 3, step=100, origin=(45.07, 7.69))
    >>> mech = lookalike.geo.optimal(grid, epsilon="ln(4)/200")
    >>> abs(lookalike.geo.expected_loss(mech) - mech.objective["value"]) < 1e-6
    True
    """
    return _core.geo_expected_loss(mechanism._core, _weights(mechanism, prior), loss)


@dataclass(frozen=True)
class Errors:
    """How far the released cell is from the true one, in metres between their middles. ``geo.errors`` finds it."""

    mean: float
    """The mean distance."""
    _core: _core.CellErrors

    def quantile(self, probability: Number) -> float:
        """The least distance that is not exceeded with this probability; which one is decided exactly."""
        return self._core.quantile(text(probability, "probability"))

    def within(self, distance: Number) -> float:
        """How often the release is at most so far away."""
        return self._core.within(length(distance, "distance"))

    def __repr__(self) -> str:
        return f"Errors(mean {self.mean:.4g} m, half within {metres(self.quantile('1/2'))})"


def errors(mechanism: Mechanism, prior: Prior = None) -> Errors:
    """The law of the distance between the true cell and the released one, under a prior.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(9, 9, step=100, origin=(45.07, 7.69))
    >>> found = lookalike.geo.errors(lookalike.geo.planar_cells(grid, epsilon=0.01))
    >>> round(found.mean, 1), found.quantile(0.7), round(found.within("0.1km"), 2)
    (157.1, 200.0, 0.47)
    """
    core = _core.CellErrors(mechanism._core, _weights(mechanism, prior))
    return Errors(core.mean, core)


def cell_map(mechanism: Mechanism, cell: Any = None) -> str:
    """What is released for one cell, by default the one in the middle, as a map: the text of an SVG file.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(5, 5, step=100, origin=(45.07, 7.69))
    >>> svg = lookalike.geo.cell_map(lookalike.geo.truncated(grid, epsilon="ln(4)/200"), "0,0")
    >>> svg.startswith("<svg") and "the true cell" in svg
    True
    """
    places = _places(mechanism)
    name = f"{places.columns // 2},{places.rows // 2}" if cell is None else cell_name(cell)
    return _core.geo_cell_map(mechanism._core, name, f"What is released for the cell {name}")


def _promise(
    epsilon: Number | None, level: Number | None, radius: Number | None, within: Number | None
) -> dict[str, str | None]:
    """How alike places must look, as texts."""
    return {
        "epsilon": None if epsilon is None else text(epsilon, "epsilon"),
        "level": None if level is None else text(level, "level"),
        "radius": None if radius is None else length(radius, "radius"),
        "within": None if within is None else length(within, "within"),
    }


def _made(
    name: str,
    grid: PlaceGrid,
    promise: dict[str, str | None],
    prior: Prior,
    loss: str,
    spanner: Number,
    progress: Progress,
) -> Mechanism:
    if not isinstance(grid, PlaceGrid):
        raise TypeError(f"grid: a {type(grid).__name__}, expected a PlaceGrid: geo.grid makes one")
    words = {
        **promise,
        "prior": weights(grid, prior),
        "loss": loss,
        "spanner": text(spanner, "spanner"),
    }
    core, report = _core.geo_cells(name, grid._core, words, progress)
    made = Mechanism._of(core)
    made._report = json.loads(report)
    return made


def _places(mechanism: Mechanism) -> PlaceGrid:
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"a {type(mechanism).__name__}, expected a Mechanism between the cells of a grid")
    if mechanism.places is None:
        raise InputError("the mechanism is between values, expected one between the cells of a grid")
    return mechanism.places


def _weights(mechanism: Mechanism, prior: Prior) -> list[str] | None:
    return weights(_places(mechanism), prior)
