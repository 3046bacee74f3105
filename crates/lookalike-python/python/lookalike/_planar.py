"""Noise on places."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from . import _lookalike as _core
from ._base import Claim, Progress
from ._numbers import Number, seed_of, text
from ._places import degrees, length, metres, released


@dataclass(frozen=True)
class Region:
    """Where places can be: a square about a public origin, as seen in a projection that is made for it."""

    latitude: Fraction
    """The latitude of the origin, in degrees."""
    longitude: Fraction
    """The longitude of the origin, in degrees."""
    extent: Fraction
    """How far the square goes to the north, south, east and west of the origin, in metres."""
    stretch: float
    """Proved: in the projection no two places are farther apart than this times their distance on the ground."""

    def __str__(self) -> str:
        return f"within {metres(self.extent)} of {degrees(self.latitude)},{degrees(self.longitude)}"


class PlanarNoise(Claim, core=_core.PlanarNoise):
    """Planar Laplace noise on places, drawn in whole numbers of grid steps and exact. ``geo.planar`` makes one.

    Two places d metres apart on the ground are ε·(d + ``resolution``)-alike, for all d at once.

    >>> import lookalike
    >>> noise = lookalike.geo.planar(level="ln(4)", radius=200, origin=(45.07, 7.69))
    >>> noise
    PlanarNoise(epsilon 0.00692535 per metre, within 20 km of 45.07,7.69, grid 1/8 m)
    >>> noise.epsilon_at(200) <= 1.3863
    True
    >>> round(noise.mean_error), round(noise.quantile(0.95))
    (289, 685)
    """

    __slots__ = ()

    _core: _core.PlanarNoise

    @property
    def region(self) -> Region:
        """Where places can be, which is public."""
        latitude, longitude, extent, _ = (Fraction(number) for number in self._core.parameters)
        return Region(latitude, longitude, extent, self.stretch)

    @property
    def grid(self) -> Fraction:
        """The step of the grid in metres. Places are rounded to it before noise is added."""
        return Fraction(self._core.parameters[3])

    @property
    def stretch(self) -> float:
        """By how much the projection stretches any distance at most; the noise makes up for it."""
        return self._core.bounds[0]

    @property
    def resolution(self) -> float:
        """The metres that rounding to the grid can add to the distance of two places."""
        return self._core.bounds[1]

    @property
    def mean_error(self) -> float:
        """The mean distance from a place to its release in metres, but for the border of the region."""
        return self._core.mean_error()

    def quantile(self, probability: Number) -> float:
        """The distance in metres that a release does not exceed with this probability, but for the border of the region.

        >>> import lookalike
        >>> noise = lookalike.geo.planar(epsilon="5/km", origin=(52.52, 13.405))
        >>> [round(noise.quantile(p)) for p in (0.5, 0.9, 0.99)]
        [336, 778, 1328]
        """
        return self._core.quantile(text(probability, "probability"))

    def epsilon_at(self, distance: Number) -> float:
        """How alike two places so far apart are: ε·(distance + resolution), rounded up. ``"0.2km"`` is a distance, too.

        >>> import lookalike
        >>> noise = lookalike.geo.planar(epsilon="5/km", origin=(52.52, 13.405))
        >>> round(noise.epsilon_at("0.2km"), 3)
        1.001
        """
        return self._core.epsilon_at(length(distance, "distance"))

    def privatize(
        self,
        places: Any = None,
        longitudes: Any = None,
        /,
        *,
        latitude: Any = None,
        longitude: Any = None,
        keep: Sequence[Any] = (),
        seed: int | None = None,
        shuffle: bool = False,
        progress: Progress = None,
    ) -> Any:
        """Releases places, in degrees of WGS 84 with at most seven decimals, about a centimetre.

        ``privatize(latitudes, longitudes)`` takes lists, numpy arrays, or anything that speaks the Arrow PyCapsule
        interface, and gives two columns of floats in the kind in which they came. ``privatize(frame)`` takes a data frame
        or a table, and gives one with the released columns and those to ``keep``, which are released in clear.
        ``latitude`` and ``longitude`` name the columns of a frame where they have no usual names, such as ``lat`` and
        ``lon``.

        The index of pandas is not released, since it may hold the place: rows come back numbered from 0. A ``RangeIndex``
        stays. To keep another, ``reset_index`` makes it a column, which ``keep`` then names. Two Series must have the same
        index. A column with a usual name of a place cannot be kept.

        A place outside of the region is an error, which names the row and never the place. Places of one person add up:
        a track of k places costs ε·d for each of them. With a ``seed`` the output is reproducible, and the same as
        that of the command line; it is then not private. ``shuffle`` releases the rows in a random order.

        >>> import lookalike
        >>> noise = lookalike.geo.planar(epsilon="5/km", origin=(45.07, 7.69))
        >>> noise.privatize([45.0703, 45.0621], [7.6869, 7.6785], seed=1)
        ([45.0682734, 45.0624144], [7.693576, 7.6846373])
        """
        chosen = seed_of(seed)

        def draw(latitudes: Any, longitudes: Any, names: tuple[str, str]) -> list[Any]:
            return self._core.privatize(latitudes, longitudes, names, chosen, shuffle, progress)

        return released(draw, places, longitudes, latitude, longitude, keep, shuffle)

    def plot(self, *, ax: Any = None) -> Any:
        """Releases of one place, and the circles that hold half and 95 % of them, with matplotlib; returns its axes."""
        from ._plot import noise_map

        return noise_map(self, ax)

    def svg(self) -> str:
        """Releases of one place as a map: the text of an SVG file.

        >>> import lookalike
        >>> lookalike.geo.planar(epsilon="5/km", origin=(45.07, 7.69)).svg().startswith("<svg")
        True
        """
        return _core.geo_noise_map(self._core, self._title(), 1000, 1)

    def _title(self) -> str:
        return f"1000 releases of one place: half are within {metres(round(self.quantile('1/2')))}"

    def __repr__(self) -> str:
        return f"PlanarNoise(epsilon {self.epsilon:.6g} per metre, {self.region}, grid {self.grid} m)"

    def _repr_html_(self) -> str:
        from ._html import picture

        facts = json.loads(self._core.claim.certify())
        proof = (
            f"Certified in exact arithmetic: two places d metres apart are {escape(self.epsilon_text)}·(d + "
            f"{facts['resolution']:.3g})-alike. The projection stretches no distance by more than a factor of {facts['stretch']:.7g}."
        )
        svg = picture(self.svg(), "map of releases of one place")
        return f"<div><p><code>{escape(repr(self))}</code></p><p>{proof}</p>{svg}</div>"
