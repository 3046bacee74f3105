"""Cells on the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _lookalike as _core
from ._base import Progress
from ._errors import InputError
from ._numbers import Number, key, text
from ._places import metres, released
from ._planar import Region

_Core = _core.PlaceGrid

Prior = Sequence[Number] | Mapping[Any, Number] | None
"""How frequent each cell is: a weight for each in order, weights by name where the others are 0, or all equally."""


class PlaceGrid:
    """Square cells about a public origin: rows go north and columns east. ``geo.grid`` makes one.

    A cell has the name ``column,row``, both from 0 in the south west.

    >>> import lookalike
    >>> grid = lookalike.geo.grid(10, 10, step=500, origin=(-10.95, -37.06))
    >>> grid
    PlaceGrid(10x10 cells of 500 m, within 2.5 km of -10.95,-37.06)
    >>> grid.cell_of(-10.94, -37.05)
    '7,7'
    >>> [round(degrees, 3) for degrees in grid.place_of("7,7")]
    [-10.939, -37.049]
    """

    __slots__ = ("_core",)

    if TYPE_CHECKING:
        _core: _Core

    def __init__(self) -> None:
        raise TypeError("a PlaceGrid is made by geo.grid, or part of a mechanism")

    @classmethod
    def _of(cls, core: _Core) -> PlaceGrid:
        made = cls.__new__(cls)
        made._core = core
        return made

    @property
    def columns(self) -> int:
        """Cells from west to east."""
        return self._core.shape[0]

    @property
    def rows(self) -> int:
        """Cells from south to north."""
        return self._core.shape[1]

    @property
    def step(self) -> Fraction:
        """The side of a cell, in metres."""
        return Fraction(self._core.parameters[3])

    @property
    def region(self) -> Region:
        """The square that just holds the cells."""
        latitude, longitude, extent, _ = (Fraction(number) for number in self._core.parameters)
        return Region(latitude, longitude, extent, self._core.stretch)

    @property
    def cells(self) -> list[str]:
        """The names of the cells, the southern row first and from west to east."""
        return self._core.names

    def cell_of(self, latitude: float, longitude: float) -> str | None:
        """The name of the cell of a place; ``None`` for a place outside of the grid."""
        return self._core.cell_of(float(latitude), float(longitude))

    def place_of(self, cell: Any) -> tuple[float, float]:
        """Latitude and longitude of the middle of a cell, which has a name or a column and a row."""
        latitude, longitude = self._core.place_of(cell_name(cell))
        return latitude, longitude

    def counts(
        self,
        places: Any = None,
        longitudes: Any = None,
        /,
        *,
        latitude: Any = None,
        longitude: Any = None,
        skip_outside: bool = False,
        progress: Progress = None,
    ) -> list[int]:
        """How many places are in each cell: a prior, if they are public. A prior is part of what is designed for it.

        Takes columns and data frames as ``PlanarNoise.privatize`` does. A place outside of the grid is an error, unless
        ``skip_outside``.

        >>> import lookalike
        >>> grid = lookalike.geo.grid(2, 2, step=500, origin=(-10.95, -37.06))
        >>> grid.counts([-10.951, -10.948, -10.0], [-37.059, -37.061, -37.06], skip_outside=True)
        [0, 1, 1, 0]
        """
        found: list[int] = []

        def draw(latitudes: Any, longitudes: Any, names: tuple[str, str]) -> list[Any]:
            counts, _ = self._core.counts(latitudes, longitudes, names, skip_outside, progress)
            found.extend(counts)
            return [latitudes, longitudes]

        released(draw, places, longitudes, latitude, longitude, (), False)
        return found

    def __len__(self) -> int:
        return self.columns * self.rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlaceGrid):
            return NotImplemented
        return (self._core.shape, self._core.parameters) == (other._core.shape, other._core.parameters)

    def __hash__(self) -> int:
        return hash((self._core.shape, tuple(self._core.parameters)))

    def __reduce__(self) -> tuple[Any, ...]:
        latitude, longitude, _, step = self._core.parameters
        return _made, (self.columns, self.rows, step, f"{latitude},{longitude}")

    def __repr__(self) -> str:
        return f"PlaceGrid({self.columns}x{self.rows} cells of {metres(self.step)}, {self.region})"


def _made(columns: int, rows: int, step: str, origin: str) -> PlaceGrid:
    return PlaceGrid._of(_core.PlaceGrid(columns, rows, step, origin))


def cell_name(cell: Any) -> str:
    """The name of a cell, or of a column and a row."""
    if isinstance(cell, (tuple, list)) and len(cell) == 2:
        return ",".join(key(number, "cell") for number in cell)
    return key(cell, "cell")


def weights(grid: PlaceGrid, prior: Prior) -> list[str] | None:
    """The weights of a prior for the core."""
    if prior is None:
        return None
    if not isinstance(prior, Mapping):
        listed = prior.tolist() if hasattr(prior, "tolist") else prior
        return [text(weight, "prior") for weight in listed]
    given = {cell_name(cell): text(weight, "prior") for cell, weight in prior.items()}
    names = grid.cells
    other = next((name for name in given if name not in set(names)), None)
    if other is not None:
        raise InputError(f"prior: {other!r} is none of the cells {names[0]!r} to {names[-1]!r} (column, row)")
    return [given.get(name, "0") for name in names]
