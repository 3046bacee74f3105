"""Markov chains, and the classes of them that a sequence may have come from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar, Union

from . import _lookalike as _core
from ._base import Progress
from ._data import take
from ._errors import InputError
from ._numbers import Number, at_least_one, key, text

Self = TypeVar("Self", bound="ChainClass")


class ChainClass:
    """What a chain, and all chains within limits, have in common: states, and a chain file."""

    __slots__ = ("_core", "_document")

    _core: _core.Chains
    _document: dict[str, Any]

    def _begin(self, document: dict[str, Any]) -> None:
        self._core = _core.Chains(json.dumps(document, ensure_ascii=False))
        self._document = json.loads(self._core.to_json())

    @property
    def states(self) -> list[str]:
        """What a moment can be, in order."""
        return self._core.states

    @property
    def values(self) -> list[Fraction] | None:
        """The number that each state stands for in sums and means, where it was given."""
        return _fractions(self._document.get("values"))

    @property
    def bins(self) -> list[Fraction] | None:
        """The lower edges, where the states are bins of a number."""
        return _fractions(self._document.get("bins"))

    def gap(self) -> Fraction:
        """A lower bound of the spectral gap, which says how fast the chain forgets; exact arithmetic proves it.

        Raises ``InputError`` where there is none: the chain has states that it leaves for good, or never mixes.
        """
        return Fraction(self._core.mixing()[0])

    def to_toml(self) -> str:
        """The text of the chain file, as the command line reads it."""
        return self._core.to_toml()

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes the chain file, in one step: ``lookalike pufferfish`` and ``pufferfish.load`` read it."""
        save(self, path, overwrite)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChainClass):
            return NotImplemented
        return type(self) is type(other) and self._document == other._document

    def __hash__(self) -> int:
        return hash(self._core.to_json())

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        return self


class Chain(ChainClass):
    """A Markov chain: for each state how likely each state comes next, and what is known of the first one.

    ``transition`` has a row for each state, or maps each state to its row. ``initial`` is ``"stationary"`` where the
    sequence began long before it was written down, ``"arbitrary"`` where nothing is known of its first state, or a
    list of probabilities. ``states`` are names, by default 0, 1, …; ``bins``, lower edges, are states of a column of
    numbers. ``values`` are the numbers that states stand for in sums and means, where their names are none.

    >>> import lookalike
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]], states=["idle", "walk"])
    >>> chain
    Chain(2 states, stationary)
    >>> chain.stationary()
    [Fraction(4, 5), Fraction(1, 5)]
    >>> chain.gap() <= 1
    True
    >>> round(chain.influence(length=3, node=2, left=1, right=1), 4)
    3.5835
    """

    __slots__ = ("_counts",)

    _counts: list[list[int]] | None

    def __init__(
        self,
        transition: Any,
        initial: str | Sequence[Number] = "stationary",
        states: Sequence[Any] | None = None,
        *,
        values: Sequence[Number] | None = None,
        bins: Sequence[Number] | None = None,
        normalize: bool = False,
        name: str | None = None,
    ) -> None:
        if isinstance(transition, Mapping):
            states = list(transition) if states is None else states
            transition = [_row(transition, state, states) for state in states]
        rows = [[text(p, "transition") for p in listed(row, "transition")] for row in listed(transition, "transition")]
        one: dict[str, Any] = {"initial": _initial(initial), "transition": rows}
        if name is not None:
            one["name"] = name
        self._counts = None
        self._begin({**_domain(states, bins, values, len(rows)), "normalize": normalize, "chain": [one]})

    @classmethod
    def fit(
        cls,
        sequences: Any,
        states: Sequence[Any] | None = None,
        smoothing: Number = 0,
        initial: str | Sequence[Number] = "stationary",
        *,
        bins: Sequence[Number] | None = None,
        values: Sequence[Number] | None = None,
        public_states: bool = False,
        progress: Progress = None,
    ) -> Chain:
        """The chain whose transition probabilities are the shares seen in sequences, exactly.

        ``sequences`` is one column of states in their order, as a list, a numpy array or an Arrow column; or several: a
        list or a mapping of columns, or a matrix with a sequence in each row. What a state can be is said by ``states`` or
        ``bins``; ``public_states=True`` takes those found in the data, sorted, and makes them public. ``smoothing`` is
        added to every count, so that no step is impossible. ``initial="first"`` takes the law of the first state from how
        the sequences begin.

        ε does not cover the fit: fit from other sequences of the same kind than those that you release from.

        >>> import lookalike
        >>> days = [["idle", "idle", "walk", "idle"], ["walk", "walk", "idle"]]
        >>> chain = lookalike.pufferfish.Chain.fit(days, ["idle", "walk"])
        >>> chain.transition
        [[Fraction(1, 2), Fraction(1, 2)], [Fraction(2, 3), Fraction(1, 3)]]
        >>> chain.counts
        [[1, 1], [2, 1]]
        """
        words = {
            "states": None if states is None else [key(state, "states") for state in states],
            "bins": None if bins is None else [text(edge, "bins") for edge in bins],
            "public_states": public_states,
            "smoothing": text(smoothing, "smoothing"),
            "initial": initial if isinstance(initial, str) else "",
            "law": None if isinstance(initial, str) else _initial(initial),
        }
        core, facts = _core.pufferfish_fit(columns_of(sequences, "sequences"), words, progress)
        fitted = json.loads(core.to_json())["chain"][0]
        names = None if bins is not None else core.states
        made = cls(fitted["transition"], fitted["initial"], names, values=values, bins=bins)
        made._counts = json.loads(facts)["seen"]
        return made

    @property
    def transition(self) -> list[list[Fraction]]:
        """The probabilities of the next state (columns) after each state (rows), exactly."""
        return [[Fraction(p) for p in row] for row in self._document["chain"][0]["transition"]]

    @property
    def initial(self) -> str | list[Fraction]:
        """``"stationary"``, ``"arbitrary"``, or the law of the first state."""
        found = self._document["chain"][0]["initial"]
        return found if isinstance(found, str) else [Fraction(p) for p in found]

    @property
    def name(self) -> str | None:
        """Its name in a list of chains."""
        found: str | None = self._document["chain"][0].get("name")
        return found

    @property
    def counts(self) -> list[list[int]] | None:
        """How often each state (columns) came after each state (rows), for a chain that was fitted."""
        return self._counts

    def stationary(self) -> list[Fraction]:
        """The law that the chain has at every moment if it has it at one, exactly.

        Raises ``InputError`` if there are several.
        """
        return [Fraction(p) for p in self._core.stationary()]

    def influence(
        self,
        length: int,
        node: int,
        left: int | None = None,
        right: int | None = None,
        *,
        all_states: bool = False,
    ) -> float:
        """By how much the state of one moment changes the odds of the quilt around it: an upper bound, of ln.

        The moments of a sequence are 1 to ``length``. The quilt is the moment ``left`` steps before and the one ``right``
        steps after; ``None`` for none on that side. Infinite where a state of the quilt rules one of the moment out.
        ``all_states`` also looks at states that cannot occur, which is safe and looser.
        """
        quilt = [None if side is None else at_least_one(side, name) for side, name in ((left, "left"), (right, "right"))]
        return self._core.influence(at_least_one(length, "length"), at_least_one(node, "node"), quilt, all_states)

    def limits(self, confidence: Number = 0.95) -> list[list[tuple[Fraction, Fraction]]]:
        """Limits of every transition probability of a fitted chain that hold all together with this confidence.

        >>> import lookalike
        >>> chain = lookalike.pufferfish.Chain.fit(["no", "no", "yes", "no"] * 100, ["no", "yes"])
        >>> [(round(float(low), 2), round(float(high), 2)) for low, high in chain.limits(0.95)[0]]
        [(0.54, 0.78), (0.22, 0.46)]
        """
        return self._limits(confidence, rounded=False)

    def _limits(self, confidence: Number, *, rounded: bool) -> list[list[tuple[Fraction, Fraction]]]:
        if self._counts is None:
            raise InputError("the chain was not fitted, expected one of Chain.fit")
        found = _core.pufferfish_limits(self._counts, text(confidence, "confidence"), rounded)
        return [[(Fraction(low), Fraction(high)) for low, high in row] for row in found]

    def box(self, confidence: Number = 0.95, *, initial: str | None = None) -> BinaryBox:
        """All chains within the limits of a fitted chain on two states, rounded outward to six digits.

        >>> import lookalike
        >>> chain = lookalike.pufferfish.Chain.fit(["no", "no", "yes", "no"] * 100, ["no", "yes"], initial="arbitrary")
        >>> box = chain.box(0.95)
        >>> float(box.leave[0][0]) < 1/3 < float(box.leave[0][1])
        True
        """
        if len(self.states) != 2:
            raise InputError(f"{len(self.states)} states, expected two: a box is for them alone")
        (_, first), (second, _) = self._limits(confidence, rounded=True)
        start = self.initial if initial is None else initial
        if not isinstance(start, str):
            raise InputError('initial: a list, expected "stationary" or "arbitrary" for all chains of a box')
        names = None if self.bins is not None else self.states
        return BinaryBox(first, second, start, names, values=self.values, bins=self.bins)

    def __repr__(self) -> str:
        start = self.initial if isinstance(self.initial, str) else "given start"
        states = len(self.states)
        name = "" if self.name is None else f"{self.name}, "
        return f"Chain({name}{states} state{'s' * (states != 1)}, {start})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _chain_again, (self._document, self._counts)


class BinaryBox(ChainClass):
    """All chains on two states that leave the first with a probability between two limits, and the second likewise.

    ``initial`` is ``"arbitrary"`` or ``"stationary"``, for all of them.

    >>> import lookalike
    >>> box = lookalike.pufferfish.BinaryBox((0.1, 0.3), (0.2, 0.4), states=["off", "on"])
    >>> box
    BinaryBox(off 1/10 to 3/10, on 1/5 to 2/5, arbitrary)
    >>> box.leave[1]
    (Fraction(1, 5), Fraction(2, 5))
    >>> box.gap()
    Fraction(3, 5)
    >>> print(box.to_toml(), end="")
    states = ["off", "on"]
    initial = "arbitrary"
    <BLANKLINE>
    [leave]
    off = [0.1, 0.3]
    on = [0.2, 0.4]
    """

    __slots__ = ()

    def __init__(
        self,
        leave_first: Sequence[Number],
        leave_second: Sequence[Number],
        initial: str = "arbitrary",
        states: Sequence[Any] | None = None,
        *,
        values: Sequence[Number] | None = None,
        bins: Sequence[Number] | None = None,
    ) -> None:
        domain = _domain(states, bins, values, 2)
        # The names of bins are made from their edges, by the core alone.
        names = domain.get("states") or Chain([[1, 0], [0, 1]], "arbitrary", bins=bins).states
        if len(names) != 2:
            raise InputError(f"{len(names)} states, expected two")
        ends = [[text(end, name) for end in listed(limits, name)] for name, limits in
                (("leave_first", leave_first), ("leave_second", leave_second))]
        self._begin({**domain, "initial": _initial(initial), "leave": dict(zip(names, ends))})

    @property
    def leave(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """The limits of the probability of leaving each of the two states."""
        first, second = (self._document["leave"][state] for state in self.states)
        return (Fraction(first[0]), Fraction(first[1])), (Fraction(second[0]), Fraction(second[1]))

    @property
    def initial(self) -> str:
        """``"stationary"`` or ``"arbitrary"``."""
        found: str = self._document["initial"]
        return found

    def __repr__(self) -> str:
        limits = ", ".join(f"{name} {low} to {high}" for name, (low, high) in zip(self.states, self.leave))
        return f"BinaryBox({limits}, {self.initial})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _box_again, (self._document,)


Theta = Union[Chain, Sequence[Chain], BinaryBox]
"""The chains that a sequence may have come from: one, each of several, or all on two states within limits."""

for _class in (ChainClass, Chain, BinaryBox):
    _class.__module__ = "lookalike.pufferfish"


def save(theta: Theta | ChainClass, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Writes a chain file with one chain, several, or all within limits.

    >>> import lookalike, pathlib, tempfile
    >>> day = lookalike.pufferfish.Chain([[0.9, 0.1], [0.4, 0.6]], name="day")
    >>> night = lookalike.pufferfish.Chain([[0.99, 0.01], [0.5, 0.5]], name="night")
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "chain.toml"
    >>> lookalike.pufferfish.save([day, night], path)
    >>> lookalike.pufferfish.load(path)
    [Chain(day, 2 states, stationary), Chain(night, 2 states, stationary)]
    """
    _core.write_text(os.fspath(path), core_of(theta).to_toml(), overwrite)


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a chain file, TOML or JSON: a ``Chain``, a list of chains, or a ``BinaryBox``.

    >>> import lookalike, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "chain.toml"
    >>> chain = lookalike.pufferfish.Chain([[0.9, 0.1], ["2/5", 0.6]])
    >>> chain.save(path)
    >>> lookalike.pufferfish.load(path) == chain
    True
    """
    document = json.loads(_core.Chains.read(os.fspath(path)).to_json())
    if "leave" in document:
        return _box_again(document)
    made = [_chain_again({**document, "chain": [one]}, None) for one in document["chain"]]
    return made[0] if len(made) == 1 else made


def core_of(theta: Any) -> _core.Chains:
    """The class of chains for the core."""
    if isinstance(theta, ChainClass):
        return theta._core
    if isinstance(theta, (str, bytes, Mapping)) or not hasattr(theta, "__iter__"):
        raise TypeError(f"theta: a {type(theta).__name__}, expected a Chain, a list of chains or a BinaryBox")
    chains = list(theta)
    for chain in chains:
        if not isinstance(chain, Chain):
            raise TypeError(f"theta: a {type(chain).__name__} in the list, expected chains")
    if not chains:
        raise InputError("theta: no chain, expected at least one that the data may have come from")
    first = {name: part for name, part in chains[0]._document.items() if name != "chain"}
    for place, chain in enumerate(chains[1:], 2):
        if {name: part for name, part in chain._document.items() if name != "chain"} != first:
            raise InputError(f"theta: chain {place} has other states or values than the first, expected the same for all")
    tables = [chain._document["chain"][0] for chain in chains]
    return _core.Chains(json.dumps({**first, "chain": tables}, ensure_ascii=False))


def columns_of(sequences: Any, name: str) -> list[Any]:
    """One column of states, or several, for the core."""
    if isinstance(sequences, Mapping):
        several = list(sequences.values())
    elif getattr(sequences, "ndim", 1) == 2 and type(sequences).__module__.partition(".")[0] == "numpy":
        several = list(sequences)
    elif isinstance(sequences, (list, tuple)) and sequences and _is_column(sequences[0]):
        several = list(sequences)
    else:
        several = [sequences]
    return [take(column, name)[0] for column in several]


def listed(items: Any, name: str) -> list[Any]:
    """The items of a list of any kind."""
    if isinstance(items, (str, bytes, Mapping)) or not hasattr(items, "__iter__"):
        raise TypeError(f"{name}: a {type(items).__name__}, expected a list")
    return list(items)


def _is_column(item: Any) -> bool:
    return hasattr(item, "__iter__") and not isinstance(item, (str, bytes))


def _domain(
    states: Sequence[Any] | None, bins: Sequence[Number] | None, values: Sequence[Number] | None, count: int
) -> dict[str, Any]:
    domain: dict[str, Any] = {}
    if bins is not None:
        domain["bins"] = [text(edge, "bins") for edge in bins]
    if states is not None or bins is None:
        names = range(count) if states is None else states
        domain["states"] = [key(state, "states") for state in names]
    if values is not None:
        domain["values"] = [text(value, "values") for value in values]
    return domain


def _row(transition: Mapping[Any, Any], state: Any, states: Sequence[Any]) -> list[Any]:
    row = transition[state]
    if not isinstance(row, Mapping):
        return list(row)
    other = [name for name in row if name not in states]
    if other:
        raise InputError(f"transition: {state!r}: {other[0]!r} is no state, expected one of those with a row")
    return [row.get(name, 0) for name in states]


def _initial(initial: str | Sequence[Number]) -> Any:
    return initial if isinstance(initial, str) else [text(p, "initial") for p in listed(initial, "initial")]


def _fractions(texts: list[str] | None) -> list[Fraction] | None:
    return None if texts is None else [Fraction(item) for item in texts]


def _chain_again(document: dict[str, Any], counts: list[list[int]] | None) -> Chain:
    chain = Chain.__new__(Chain)
    chain._begin(document)
    chain._counts = counts
    return chain


def _box_again(document: dict[str, Any]) -> BinaryBox:
    box = BinaryBox.__new__(BinaryBox)
    box._begin(document)
    return box
