"""Channels between categories."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _lookalike as _core
from ._base import Progress
from ._certificate import Certificate, Delta, certificate, delta
from ._data import check_pairs, is_single, take
from ._errors import InputError, PrivacyError
from ._graph import SecretGraph
from ._joint import take_values
from ._numbers import Number, key, seed_of, text
from ._readback import Readback

if TYPE_CHECKING:
    from ._place_grid import PlaceGrid


class Mechanism(Readback, core=_core.Mechanism):
    """A mechanism over categories: ``design`` makes one, ``load`` reads one.

    ``kind`` is ``"aware"`` (a channel for each profile), ``"shared"`` (one channel for all profiles) or ``"point"``
    (the values themselves are the secrets).

    >>> import lookalike
    >>> graph = lookalike.SecretGraph.values(["no", "yes"])
    >>> mech = lookalike.design(graph, epsilon="ln(3)", mechanism="k-rr")
    >>> mech
    Mechanism(k-rr, point, 2 categories, epsilon ln(3))
    >>> mech.matrix()
    [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    >>> mech.certify().edges
    1
    >>> mech.privatize(["no", "yes", "yes"], seed=1)
    ['no', 'no', 'no']
    """

    __slots__ = ("_report",)

    _core: _core.Mechanism
    _report: dict[str, Any]

    @classmethod
    def from_matrix(
        cls,
        rows: Mapping[Any, Sequence[Sequence[Number]]] | Sequence[Sequence[Number]],
        epsilon: Number | None = None,
        *,
        graph: SecretGraph | None = None,
        outputs: Sequence[Any] | None = None,
        name: str = "matrix",
        round: bool = False,
    ) -> Mechanism:
        """The mechanism of your own matrix, with the claim that the secrets of ``graph`` look alike within ``epsilon``.

        ``rows[x][y]`` is the probability of output y for category x. For a graph of profiles one matrix serves all of
        them, or ``rows`` maps each profile to its own. Without a graph the secrets are the categories 0, 1, …, of which any
        two must look alike. ``outputs`` names the columns; by default they are the categories.

        The claim is proved here; if it is false, ``PrivacyError`` has the witness. Probabilities are drawn from exactly as
        they are, so they must be multiples of 2^-53. With ``round=True`` others are taken to the nearest such, after rows
        that sum to nearly 1, as floats do, were scaled; where that breaks the claim, as little even noise is mixed in as
        mends it. ``report`` then says ``rounded`` and the share of noise, ``repair_cost``, which is below 2^-30: a claim that
        needs more is false.

        >>> import lookalike
        >>> warner = lookalike.Mechanism.from_matrix([[0.75, 0.25], [0.25, 0.75]], epsilon="ln(3)")
        >>> warner.certify().upper == warner.epsilon
        True
        >>> thirds = lookalike.Mechanism.from_matrix([["2/3", "1/3"], ["1/3", "2/3"]], epsilon="ln(2)", round=True)
        >>> thirds.report["rounded"], thirds.report["repair_cost"] < 1e-15
        (True, True)
        >>> try:
        ...     lookalike.Mechanism.from_matrix([[0.75, 0.25], [0.25, 0.75]], epsilon=1)
        ... except lookalike.PrivacyError as error:
        ...     print(error.facts["worst"]["edge"], error.facts["worst"]["output"])
        ['0', '1'] 0
        """
        if graph is None:
            if isinstance(rows, Mapping):
                raise InputError("graph is missing: expected one with the profiles that the matrices are for")
            graph = SecretGraph.values([str(place) for place in range(len(rows))])
        problem, _ = graph._with(epsilon, {})
        if graph._spec is None and epsilon is not None:
            raise InputError("epsilon: a graph from a spec file has its own budgets")
        named = [(key(profile, "rows"), matrix) for profile, matrix in rows.items()] if isinstance(rows, Mapping) else [(None, rows)]
        matrices = [(profile, [[text(p, "rows") for p in row] for row in matrix]) for profile, matrix in named]
        columns = None if outputs is None else [key(output, "outputs") for output in outputs]
        core, rounded, cost = _core.mechanism_of_rows(problem, matrices, columns, name, round)
        made = cls._of(core)
        made._report = {"rounded": rounded, "repair_cost": cost}
        return made

    @property
    def outputs(self) -> list[str]:
        """What can be released, in order."""
        return self._core.outputs

    @property
    def secrets(self) -> list[str]:
        """The names of the secrets: profiles, or the categories themselves."""
        return self._core.secrets

    @property
    def profiles(self) -> dict[str, list[Fraction]]:
        """The probabilities of the categories for each secret, exactly."""
        return {name: [Fraction(p) for p in self._core.profile(name)] for name in self.secrets}

    @property
    def places(self) -> PlaceGrid | None:
        """Where on the ground the categories are, for a mechanism between the cells of a ``geo.grid``."""
        from ._place_grid import PlaceGrid

        found = _core.geo_places(self._core)
        return None if found is None else PlaceGrid._of(found)

    @property
    def objective(self) -> dict[str, Any] | None:
        """What the design reached: ``name``, ``value``, ``lower_bound``, ``gap`` and ``tie_break``."""
        found = self._core.objective
        return None if found is None else json.loads(found)

    @property
    def report(self) -> dict[str, Any]:
        """What ``design`` found beside the mechanism, as ``lookalike design --json`` says it: the baseline of local DP, the figures
        of each secret, the algorithm, what set the optimum.

        Empty for a mechanism that was loaded: the file has only ``objective``.
        """
        return getattr(self, "_report", {})

    def channel(self, profile: Any = None) -> list[list[Fraction]]:
        """The probabilities of the outputs (columns) for each category (rows) under a profile, exactly.

        Where there is one channel for all, no profile is needed.
        """
        rows, scale = self._core.weights(None if profile is None else key(profile, "profile"))
        return [[Fraction(weight, scale) for weight in row] for row in rows]

    def matrix(self, profile: Any = None, *, dtype: Any = None) -> Any:
        """The same; with ``dtype=float`` as a numpy array of the nearest doubles."""
        rows = self.channel(profile)
        if dtype is None:
            return rows
        import numpy as np

        return np.array([[float(p) for p in row] for row in rows], dtype=dtype)

    def output_law(self, secret: Any) -> list[Fraction]:
        """The probability of each output for a secret, exactly."""
        return [Fraction(p) for p in self._core.output_law(key(secret, "secret"))]

    def delta_at(self, epsilon: Number) -> Delta:
        """The least δ with which every pair is (ε, δ)-indistinguishable, for an ε above 0.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> mech.delta_at("ln(2)").exact
        Fraction(1, 4)
        """
        return delta(self._core.delta_at(text(epsilon, "epsilon")))

    def certify(self, graph: SecretGraph | None = None) -> Certificate:
        """The facts of the proof that the mechanism keeps its claim, and with a ``graph`` that it claims no less.

        The graph has its own budgets, or that given when it was made. Raises ``PrivacyError`` with the witness if the
        claim is false, or less than the graph asks for. The proof is made once for each object.
        """
        facts = super().certify()
        if graph is not None:
            shortfall = graph._with(None, {})[0].shortfall(self._core)
            if shortfall is not None:
                raise PrivacyError(f"claims less than the graph asks for: {shortfall}")
        return facts

    def certify_within(self, limits: str | os.PathLike[str]) -> Certificate:
        """How private the mechanism is if every profile lies anywhere within its limits.

        ``limits`` is a file as ``lookalike fit --limits`` writes it; ``Fitted.limits_csv`` is its text. The true ε is at
        most ``upper``; ``None`` stands for infinite. It may be larger than the claim, which is about the profiles
        as they are.
        """
        return certificate(self._core.within(os.fspath(limits)), "profiles within limits")

    def export(self, profile: Any = None) -> str:
        """What the device of one profile needs and nothing more, as JSON: its own channel, without a name or a profile."""
        return self._core.device(None if profile is None else key(profile, "profile"), False).decode()

    def export_table(self, profile: Any = None) -> bytes:
        """The same as a table for the device library, the bytes that ``lookalike export --form table`` writes.

        The last 32 of them are the SHA-256 digest of the rest.

        >>> import hashlib, lookalike
        >>> graph = lookalike.SecretGraph({"ana": [0.2, 0.8], "bo": [0.3, 0.7]}, edges=[("ana", "bo")])
        >>> table = lookalike.design(graph, epsilon=1).export_table("ana")
        >>> hashlib.sha256(table[:-32]).digest() == table[-32:]
        True
        """
        return self._core.device(None if profile is None else key(profile, "profile"), True)

    def privatize(
        self,
        profiles: Any,
        values: Any = None,
        *,
        seed: int | None = None,
        unknown: Any = None,
        shuffle: bool = False,
        progress: Progress = None,
        _charge: Any = None,
    ) -> Any:
        """Releases values, one for each record, in the kind in which they came; a single value gives a single value.

        ``privatize(profiles, values)`` where each profile has its channel, ``privatize(values)`` otherwise. The data are
        lists, numpy arrays, or anything that speaks the Arrow PyCapsule interface. Rows are paired by their positions;
        columns of pandas with different indexes are refused. ``unknown`` is a category that takes the place of values that
        are none; without it they are an error.

        Several columns, as a list of columns or a table, make one joint category, whose parts are joined with ``|``; what
        comes back is one column. The order of the rows is kept; ``shuffle`` releases them in a random one, so that it
        reveals nothing.

        ``Ledger.privatize`` charges a budget before it releases.

        With a ``seed`` the output is reproducible, and the same as that of the command line; it is then not private:
        whoever knows the seed can undo the noise.

        >>> import lookalike
        >>> graph = lookalike.SecretGraph.values(["low|0", "low|1", "high|0", "high|1"])
        >>> mech = lookalike.design(graph, epsilon=4)
        >>> mech.privatize([["low", "low", "high"], [0, 1, 1]], seed=1)
        ['low|0', 'low|1', 'high|1']
        """
        if seed is None and unknown is None and not shuffle and progress is None and _charge is None:
            released = self._core.privatize_one(profiles, values)
            if released is not None:
                return released
        if is_single(profiles) and (values is None or is_single(values)):
            given = ([profiles],) if values is None else ([profiles], [values])
            return self.privatize(*given, seed=seed, unknown=unknown, progress=progress, _charge=_charge)[0]
        if self.kind == "aware":
            if values is None:
                raise InputError("values are missing: each profile has its channel, expected privatize(profiles, values)")
            check_pairs(("profiles", profiles), ("values", values))
            profile_data, _ = take(profiles, "profiles")
        else:
            if values is not None:
                raise InputError("profiles, but there is one channel for all: expected privatize(values)")
            profile_data, values = None, profiles
        columns, restore = take_values(values, shuffle)
        unknown = None if unknown is None else key(unknown, "unknown")
        released = self._core.privatize(profile_data, columns, seed_of(seed), unknown, shuffle, progress, _charge)
        return restore(released)

    def privatize_places(
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
        """Releases places by way of the cells that they are in, for a mechanism between the cells of a ``geo.grid``.

        Each is released as the middle of a cell. Columns and data frames are taken and given as by
        ``geo.PlanarNoise.privatize``.
        """
        from ._places import released

        chosen = seed_of(seed)

        def draw(latitudes: Any, longitudes: Any, names: tuple[str, str]) -> list[Any]:
            return _core.geo_privatize(self._core, latitudes, longitudes, names, chosen, shuffle, progress)

        return released(draw, places, longitudes, latitude, longitude, keep, shuffle)

    def then(self, other: Mechanism) -> Mechanism:
        """This mechanism with another one after it, on its outputs: post-processing, which never costs privacy.

        The other has one channel for all. The product is rounded to multiples of 2^-53 where it has to be, and proved.
        """
        if not isinstance(other, Mechanism):
            raise TypeError(f"then: a {type(other).__name__}, expected a Mechanism")
        return Mechanism._of(self._core.then(other._core))

    def plot(self, profile: Any = None, *, ax: Any = None) -> Any:
        """A heat map of the channel, with matplotlib; returns its axes. ``pip install lookalike[plot]``."""
        from ._plot import heat_map

        return heat_map(self, profile, ax)

    def __repr__(self) -> str:
        name, kind = self.name or "mechanism", self.kind
        secrets = "" if kind == "point" else f"{len(self.secrets)} secrets, "
        if (places := self.places) is not None:
            from ._places import metres

            size = f"{places.columns}x{places.rows} cells of {metres(places.step)}"
            return f"Mechanism({name}, {kind}, {size}, epsilon up to {self.epsilon:.4g})"
        return f"Mechanism({name}, {kind}, {secrets}{len(self.categories)} categories, epsilon {self.epsilon_text})"

    def _repr_html_(self) -> str:
        from ._html import mechanism_html

        return mechanism_html(self)
