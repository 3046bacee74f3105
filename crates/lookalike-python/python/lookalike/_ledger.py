"""The memory of releases: what has been released about whom, and what it adds up to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._base import Claim, Progress
from ._data import check_pairs, take
from ._errors import InputError
from ._numbers import Number, key, text


@dataclass(frozen=True)
class Charged:
    """What a ledger let out, and what it charged."""

    released: Any
    """The released values, one for each record, in the kind in which they came."""
    charged: int
    """How many rows were charged."""
    earlier_answers: int
    """How many were known, and got their earlier answer again."""
    constant: int
    """How many were over the budget, and drawn without a look at the value."""
    entries: tuple[int, ...]
    """The entries of the ledger that say so, by which a release that was wrong is withdrawn."""


class Ledger:
    """An account of releases, in an SQLite file that several processes may use at once.

    Names of subjects and observations are keyed hashes in it, whose key is a file beside it; no value is ever stored. It is
    the ledger of ``lookalike ledger`` and ``privatize --ledger``.

    >>> import lookalike, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "account.ledger")
    >>> ledger = lookalike.Ledger.create(path, budget=2)
    >>> mech = lookalike.design(lookalike.SecretGraph.values(["no", "yes"]), epsilon=1)
    >>> answers = ["no", "yes", "yes"]
    >>> names = {"subjects": ["ana", "bo", "cleo"], "observations": [1, 1, 1], "column": "answer"}
    >>> first = ledger.privatize(mech, answers, **names)
    >>> first.charged, len(first.released)
    (3, 3)
    >>> again = ledger.privatize(mech, answers, **names)
    >>> again.charged, again.released == first.released
    (0, True)
    >>> ledger.status()["spent"][0]["epsilon_text"], ledger.verify()["whole"]
    ('1', True)
    """

    __slots__ = ("_core", "path")

    def __init__(self, path: str | os.PathLike[str], *, key: str | os.PathLike[str] | None = None) -> None:
        """Opens a ledger. ``key`` is the file of its key, by default the one beside it."""
        self.path = os.fspath(path)
        """The file."""
        self._core = _core.Ledger(self.path, None if key is None else os.fspath(key))

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        budget: Number | None = None,
        *,
        period: str | None = None,
        period_budget: Number | None = None,
        fold_case: bool = False,
        key: str | os.PathLike[str] | None = None,
    ) -> Ledger:
        """Makes a ledger and its key.

        ``budget`` is the most that any one subject may lose in all, and ``period_budget`` in each ``period``: ``"day"``,
        ``"week"`` or ``"month"``, in Coordinated Universal Time. Names of subjects and observations are the same whatever blanks
        stand around them and whichever form of Unicode they have, and with ``fold_case=True`` those of subjects also in upper
        and lower case; this is fixed for good. Neither file is ever replaced.
        """
        total = None if budget is None else text(budget, "budget")
        periodic = None if period_budget is None else text(period_budget, "period_budget")
        key_path = None if key is None else os.fspath(key)
        _core.Ledger.create(os.fspath(path), total, period, periodic, key_path, fold_case)
        return cls(path, key=key)

    def privatize(
        self,
        mechanism: Claim,
        *data: Any,
        subjects: Any,
        observations: Any,
        column: str | Sequence[str] = "value",
        independent_observations: bool = False,
        budget: Number | None = None,
        seed: int | None = None,
        unsafe: bool = False,
        progress: Progress = None,
        **options: Any,
    ) -> Charged:
        """Charges every subject, durably, and then releases the values as ``mechanism.privatize(*data)`` does.

        ``subjects`` says whom each record is about and ``observations`` which observation of theirs it is; ``column`` names
        what is released, since the same mechanism on another column is another release. A known observation gets its
        earlier answer. A second observation of a subject needs ``independent_observations=True`` where secrets are profiles,
        by which you declare that they are independent draws; else ``RefusedError``. Rows over the budget are drawn without
        a look at the value. A charge depends on names alone, never on a value or a profile.
        """
        if seed is not None and not unsafe:
            raise InputError("seed: what is drawn by a seed is not private, and would be charged as if it were (unsafe=True)")
        check_pairs(*((_given(place, data), column) for place, column in enumerate(data)), *_names(subjects, observations))
        if options.pop("shuffle", False):
            raise InputError("shuffle=True: a ledger keeps answers by row; shuffle what it lets out")
        charge = self._core.charge(
            _file(mechanism),
            _columns(column),
            take(subjects, "subjects")[0],
            take(observations, "observations")[0],
            independent_observations,
            None if budget is None else text(budget, "budget"),
        )
        privatize: Any = getattr(mechanism, "privatize")
        released = privatize(*data, seed=seed, progress=progress, _charge=charge, **options)
        totals = json.loads(charge.totals())
        counts = {name: totals[name] for name in ("charged", "earlier_answers", "constant")}
        return Charged(released, **counts, entries=tuple(totals["entries"]))

    def record(
        self,
        mechanism: Claim,
        *,
        subjects: Any,
        observations: Any,
        column: str | Sequence[str] = "value",
        independent_observations: bool = False,
        made: bool = False,
        note: str | None = None,
    ) -> int:
        """Enters a release that another program makes, all of it or nothing; how many rows were new.

        With ``made=True`` it has been made already: it is entered whatever the budget, and a subject for whom no theorem
        covers it gets no release any more. Without it such a row, or one over the budget, is a ``RefusedError``.

        >>> import lookalike, os, tempfile
        >>> ledger = lookalike.Ledger.create(os.path.join(tempfile.mkdtemp(), "a.ledger"), budget=1)
        >>> mech = lookalike.design(lookalike.SecretGraph.values(["no", "yes"]), epsilon=1)
        >>> ledger.record(mech, subjects=["ana", "bo"], observations=["monday", "monday"], note="from devices")
        2
        >>> ledger.subject("ana")["spent"]["epsilon_text"]
        '1'
        """
        mechanism.certify()
        check_pairs(*_names(subjects, observations))
        names = take(subjects, "subjects")[0], take(observations, "observations")[0]
        answer = self._core.record(_file(mechanism), _columns(column), *names, independent_observations, made, note)
        return int(json.loads(answer)["recorded"])

    def status(self) -> dict[str, Any]:
        """What the releases add up to: budgets, releases, and how many subjects have lost how much."""
        return json.loads(self._core.status())  # type: ignore[no-any-return]

    def subject(self, name: Any) -> dict[str, Any]:
        """What one subject has lost, by its name in the records."""
        return json.loads(self._core.subject(key(name, "name")))  # type: ignore[no-any-return]

    def verify(self, head: str | None = None) -> dict[str, Any]:
        """Whether the ledger is what was written: ``whole``, and if not the first bad ``entry`` and the ``fault``.

        ``head`` is the hash that an earlier run printed or ``head`` gave: an entry must have it, so that none up to it was
        cut off.
        """
        return json.loads(self._core.verify(head))  # type: ignore[no-any-return]

    @property
    def head(self) -> str:
        """The hash of the last entry. Keep it elsewhere: ``verify(head)`` then finds a ledger that was cut."""
        return str(self.status()["head"])

    def export(self, path: str | os.PathLike[str], *, charges: bool = False, overwrite: bool = False) -> int:
        """Writes the entries as lines of JSON, with their charges if wanted; how many entries.

        >>> import lookalike, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ledger = lookalike.Ledger.create(os.path.join(folder, "a.ledger"), budget=1)
        >>> ledger.export(os.path.join(folder, "entries.json"))
        1
        """
        return self._core.export(os.fspath(path), charges, overwrite)

    def withdraw(self, entries: Iterable[int], note: str) -> int:
        """Notes that what was released with some entries was wrong and is withdrawn; how many charges they have.

        The charges stay, and so do the answers: whoever has seen the release knows what it told.

        >>> import lookalike, os, tempfile
        >>> ledger = lookalike.Ledger.create(os.path.join(tempfile.mkdtemp(), "a.ledger"), budget=1)
        >>> mech = lookalike.design(lookalike.SecretGraph.values(["no", "yes"]), epsilon=1)
        >>> wrong = ledger.privatize(mech, ["no"], subjects=["ana"], observations=["monday"])
        >>> ledger.withdraw(wrong.entries, "the wrong week")
        1
        >>> ledger.subject("ana")["spent"]["epsilon_text"], ledger.status()["withdrawn_charges"]
        ('1', 1)
        """
        return self._core.withdraw(set(entries), note)

    def correct_clock(self, note: str) -> tuple[int, int]:
        """Goes on by the clock of this machine after runs that were dated ahead: the first and the last of their entries.

        What was charged with a wrong date counts in the period of now, and again in that of its date. Nothing to correct is a
        ``RefusedError``.

        >>> import lookalike, os, tempfile
        >>> ledger = lookalike.Ledger.create(os.path.join(tempfile.mkdtemp(), "a.ledger"), budget=1)
        >>> try:
        ...     ledger.correct_clock("the battery was empty")
        ... except lookalike.RefusedError:
        ...     print("the clock is right")
        the clock is right
        """
        return self._core.correct_clock(note)

    def backup(self, copy: str | os.PathLike[str]) -> dict[str, Any]:
        """Writes a whole copy of the ledger and checks it, also while others charge: ``copy``, ``entries``, ``charges``, ``head``.

        A copy knows nothing of what is charged later: put in the ledger's place, it would let that be spent again.

        >>> import lookalike, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "a.ledger")
        >>> lookalike.Ledger.create(path, budget=1).backup(path + ".copy")["entries"]
        1
        """
        return json.loads(self._core.backup(os.fspath(copy)))  # type: ignore[no-any-return]

    @staticmethod
    def migrate(path: str | os.PathLike[str], head: str | None = None) -> str:
        """Writes a ledger anew in the format of today, once every entry was found whole; where the old file is kept.

        >>> import lookalike, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "a.ledger")
        >>> head = lookalike.Ledger.create(path, budget=1).head
        >>> os.path.basename(lookalike.Ledger.migrate(path, head))
        'a.ledger.version-2'
        """
        return os.fspath(_core.Ledger.migrate(os.fspath(path), head)[1])

    def __repr__(self) -> str:
        return f"Ledger({self.path!r})"


def _file(mechanism: Claim) -> str:
    if not isinstance(mechanism, Claim):
        raise TypeError(f"mechanism: a {type(mechanism).__name__}, expected a mechanism of this package")
    return mechanism.to_json()


def _given(place: int, data: tuple[Any, ...]) -> str:
    """What ``privatize`` calls what it was given."""
    return "profiles" if place == 0 and len(data) > 1 else "values"


def _names(subjects: Any, observations: Any) -> tuple[tuple[str, Any], ...]:
    return ("subjects", subjects), ("observations", observations)


def _columns(column: str | Sequence[str]) -> list[str]:
    return [column] if isinstance(column, str) else list(column)
