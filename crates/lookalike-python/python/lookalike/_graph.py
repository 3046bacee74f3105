"""What must look alike."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _lookalike as _core
from ._errors import InputError
from ._numbers import Number, key, text


class SecretGraph:
    """Secrets, how each shows itself in the data, and which of them must look alike.

    ``profiles`` has for every secret the probabilities of the categories: a list, a mapping from category to
    probability, or for two categories the probability of the second. ``edges`` are pairs ``(a, b)`` or
    ``(a, b, epsilon)``, or a networkx graph whose edges may have an attribute ``epsilon``. Everyone in one of the
    ``groups`` must look alike; a group with a budget of its own is ``{"members": [...], "epsilon": 0.25}``. ``shape``
    is ``"chain"``, ``"star"`` or ``"complete"``, over all secrets in order.

    Profiles are public: they are written to the mechanism file. A secret without an edge is released unchanged.

    ``limits`` says how wrong profiles may be: for a secret a lower and an upper limit of each category. What is designed then
    keeps its promise for every law within them. ``limits_basis`` is a statement that is printed beside the promise:
    ``{"confidence": 0.95, "holds_for": "each pair"}``, or ``"all pairs"``.

    >>> import lookalike
    >>> graph = lookalike.SecretGraph(
    ...     {"ana": [0.2, 0.5, 0.3], "bo": [0.3, 0.4, 0.3], "cleo": ["1/3", "1/3", "1/3"]},
    ...     edges=[("ana", "bo"), ("bo", "cleo", 0.25)],
    ...     categories=["idle", "light", "busy"],
    ... )
    >>> graph
    SecretGraph(3 secrets, 3 categories, 2 pairs)
    >>> graph.secrets
    ['ana', 'bo', 'cleo']
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        profiles: Mapping[Any, Any],
        edges: Any = (),
        *,
        groups: Mapping[Any, Any] | None = None,
        shape: str | None = None,
        categories: Sequence[Any] | None = None,
        bins: Sequence[Number] | None = None,
        epsilon: Number | None = None,
        normalize: bool = False,
        prior: Mapping[Any, Number] | None = None,
        limits: Mapping[Any, Sequence[Sequence[Number]]] | None = None,
        limits_basis: Mapping[str, Any] | None = None,
    ) -> None:
        laws = {key(name, "profiles"): law for name, law in profiles.items()}
        if len(laws) != len(profiles):
            raise InputError("profiles: two names with the same text, expected different ones")
        domain = _domain(categories, bins, laws)
        names = domain.get("categories")
        spec = {
            **domain,
            "profiles": {name: _law(law, name, names) for name, law in laws.items()},
            **({"normalize": True} if normalize else {}),
            **({} if limits is None else {"limits": _limits(limits)}),
            **({} if limits_basis is None else {"limits_basis": _basis(limits_basis)}),
            "graph": _edges(edges, groups, shape, None),
        }
        self._begin(spec, epsilon, prior)

    @classmethod
    def values(
        cls,
        categories: Sequence[Any] | None = None,
        edges: Any = (),
        *,
        groups: Mapping[Any, Any] | None = None,
        shape: str | None = None,
        within: int | None = None,
        bins: Sequence[Number] | None = None,
        epsilon: Number | None = None,
        prior: Mapping[Any, Number] | None = None,
    ) -> SecretGraph:
        """The categories themselves are the secrets: local differential privacy and its relatives.

        ``within=2`` makes categories at most two places apart look alike. By default every two must.

        >>> import lookalike
        >>> lookalike.SecretGraph.values(["low", "middle", "high"], within=1)
        SecretGraph(3 secrets, 3 categories, 2 pairs)
        """
        if shape is None and within is None and groups is None and not _has_edges(edges):
            shape = "complete"
        graph = cls.__new__(cls)
        spec = {**_domain(categories, bins, None), "secrets": "values", "graph": _edges(edges, groups, shape, within)}
        graph._begin(spec, epsilon, prior)
        return graph

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SecretGraph:
        """The graph of a spec file, TOML or JSON, as ``lookalike design`` reads it."""
        graph = cls.__new__(cls)
        path = os.fspath(path)
        graph._problem = _core.Problem.read(path)
        with open(path, encoding="utf-8") as file:
            graph._text = file.read()
        graph._json = path.lower().endswith(".json")
        graph._folder = os.path.dirname(os.path.abspath(path))
        graph._spec = None
        return graph

    @classmethod
    def from_spec(cls, text: str, folder: str | os.PathLike[str] = ".") -> SecretGraph:
        """The graph of the text of a spec in TOML; files that it names are looked for in ``folder``."""
        graph = cls.__new__(cls)
        graph._text, graph._json, graph._folder, graph._spec = text, False, os.fspath(folder), None
        graph._problem = _core.Problem(text, False, graph._folder)
        return graph

    _spec: dict[str, Any] | None
    _text: str
    _json: bool
    _folder: str
    _problem: _core.Problem

    def _begin(self, spec: dict[str, Any], epsilon: Number | None, prior: Mapping[Any, Number] | None) -> None:
        if epsilon is not None:
            spec["epsilon"] = text(epsilon, "epsilon")
        if prior is not None:
            spec["prior"] = {key(name, "prior"): text(weight, "prior") for name, weight in prior.items()}
        self._spec, self._folder, self._json = spec, ".", True
        # Without a budget any will do to see whether the rest is right.
        self._text = json.dumps({"epsilon": "1", **spec}, ensure_ascii=False)
        self._problem = _core.Problem(self._text, True, ".")

    def _with(self, epsilon: Number | None, changes: dict[str, Any]) -> tuple[_core.Problem, str | None]:
        """The problem at a budget, and the budget to which its own are to be scaled."""
        if self._spec is None:
            if changes:
                raise InputError(f"{', '.join(changes)}: a graph from a spec file has its own")
            return self._problem, None if epsilon is None else text(epsilon, "epsilon")
        spec = {**self._spec, **changes}
        if epsilon is not None:
            spec["epsilon"] = text(epsilon, "epsilon")
        elif "epsilon" not in spec:
            if _needs_budget(spec["graph"]):
                raise InputError("epsilon is missing: expected a budget for the pairs that have none of their own")
            spec["epsilon"] = "1"
        return _core.Problem(json.dumps(spec, ensure_ascii=False), True, "."), None

    @property
    def secrets(self) -> list[str]:
        """The names of the secrets, in order."""
        return self._problem.secrets

    @property
    def categories(self) -> list[str]:
        """What a record can say, in order."""
        return self._problem.categories

    @property
    def edges(self) -> list[tuple[str, str, str | None]]:
        """The pairs, each with its budget as exact text, or ``None`` where it is the one given to ``design``."""
        if self._spec is None:
            return [(a, b, epsilon) for a, b, epsilon in self._problem.edges]
        own = {frozenset(edge[:2]): edge[2] if len(edge) > 2 else None for edge in self._spec["graph"].get("edges", [])}
        default = self._spec.get("epsilon")
        return [(a, b, own.get(frozenset((a, b)), default) or default) for a, b, _ in self._problem.edges]

    @property
    def groups(self) -> dict[str, list[str]]:
        """The groups in which everyone must look alike; a complete graph is one group."""
        return {name: members for name, members, _ in self._problem.groups}

    @property
    def pairs(self) -> int:
        """How many pairs must look alike."""
        return self._problem.pairs

    @property
    def unprotected(self) -> list[str]:
        """Secrets without an edge: they are released unchanged."""
        return self._problem.unprotected

    def __repr__(self) -> str:
        secrets, categories, pairs = len(self.secrets), len(self.categories), self.pairs
        return f"SecretGraph({secrets} secrets, {categories} categories, {pairs} pair{'s' * (pairs != 1)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SecretGraph):
            return NotImplemented
        return (self._spec, self._text, self._json) == (other._spec, other._text, other._json)

    def __getstate__(self) -> dict[str, Any]:
        return {"spec": self._spec, "text": self._text, "json": self._json, "folder": self._folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._spec, self._text = state["spec"], state["text"]
        self._json, self._folder = state["json"], state["folder"]
        self._problem = _core.Problem(self._text, self._json, self._folder)


def _domain(
    categories: Sequence[Any] | None, bins: Sequence[Number] | None, laws: Mapping[str, Any] | None
) -> dict[str, Any]:
    if bins is not None and categories is None:
        return {"bins": [text(edge, "bins") for edge in bins]}
    if categories is None:
        if laws is None:
            raise InputError("categories are missing: expected a list of names, or bins for numbers")
        categories = _default_categories(laws)
    domain: dict[str, Any] = {"categories": [key(name, "categories") for name in categories]}
    if bins is not None:
        domain["bins"] = [text(edge, "bins") for edge in bins]
    return domain


def _default_categories(laws: Mapping[str, Any]) -> list[str]:
    """The names that profiles use, or their places."""
    for law in laws.values():
        if isinstance(law, Mapping):
            return [key(name, "categories") for name in law]
        if isinstance(law, Iterable) and not isinstance(law, str):
            return [str(place) for place in range(len(list(law)))]
    return ["0", "1"]


def _law(law: Any, name: str, categories: Sequence[str] | None) -> Any:
    place = f"profiles: {name!r}"
    if isinstance(law, Mapping):
        known = {key(category, place): text(p, place) for category, p in law.items()}
        if categories is None or set(known) - set(categories):
            raise InputError(f"{place}: categories that are not those of the graph")
        return [known.get(category, "0") for category in categories]
    if isinstance(law, Iterable) and not isinstance(law, str):
        return [text(p, place) for p in law]
    return text(law, place)


def _limits(limits: Mapping[Any, Sequence[Sequence[Number]]]) -> dict[str, list[list[str]]]:
    named = {key(name, "limits"): ends for name, ends in limits.items()}
    return {name: [[text(end, f"limits: {name!r}") for end in pair] for pair in ends] for name, ends in named.items()}


def _basis(basis: Mapping[str, Any]) -> dict[str, Any]:
    return {word: text(item, "limits_basis") for word, item in basis.items()}


def _has_edges(edges: Any) -> bool:
    return hasattr(edges, "edges") or bool(len(list(edges)) if not isinstance(edges, Sequence) else edges)


def _edges(edges: Any, groups: Mapping[Any, Any] | None, shape: str | None, within: int | None) -> dict[str, Any]:
    graph: dict[str, Any] = {}
    listed = [_edge(edge) for edge in _pairs(edges)]
    if listed:
        graph["edges"] = listed
    if groups is not None:
        graph["groups"] = {key(name, "groups"): _group(group) for name, group in groups.items()}
    if shape is not None:
        graph["shape"] = shape
    if within is not None:
        graph["within"] = within
    return graph


def _pairs(edges: Any) -> Iterable[Any]:
    if hasattr(edges, "edges") and hasattr(edges, "nodes"):
        return [(a, b, data.get("epsilon")) for a, b, data in edges.edges(data=True)]
    listed: Iterable[Any] = edges
    return listed


def _edge(edge: Any) -> list[str]:
    ends = tuple(edge)
    if len(ends) not in (2, 3):
        raise InputError(f"edges: {len(ends)} items, expected two secrets and perhaps an epsilon")
    names = [key(end, "edges") for end in ends[:2]]
    return names if len(ends) == 2 or ends[2] is None else [*names, text(ends[2], "edges")]


def _group(group: Any) -> Any:
    if isinstance(group, Mapping):
        members = [key(member, "groups") for member in group["members"]]
        budget = group.get("epsilon")
        return members if budget is None else {"members": members, "epsilon": text(budget, "groups")}
    return [key(member, "groups") for member in group]


def _needs_budget(graph: Mapping[str, Any]) -> bool:
    edges, groups = graph.get("edges", []), graph.get("groups", {})
    return (
        "shape" in graph
        or "within" in graph
        or any(len(edge) == 2 for edge in edges)
        or any(isinstance(group, list) for group in groups.values())
    )
