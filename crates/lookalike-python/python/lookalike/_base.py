"""What mechanisms of all kinds have in common."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from . import _lookalike as _core
from ._certificate import Certificate, certificate
from ._errors import InputError
from ._numbers import Number, at_least_one, text

Progress = Optional[Callable[[str, int, Optional[int]], object]]
"""Called now and then with what is being done, how many steps are done, and how many there will be or ``None``.

An exception that it raises stops the work."""

Self = TypeVar("Self", bound="Claim")


_KINDS: dict[Any, type[Claim]] = {}
"""The class for each class of the core."""


class Claim:
    """A mechanism of any kind, with what it claims. It is proved before it is used for the first time."""

    if TYPE_CHECKING:
        _core: Any

    __slots__ = ("_core",)

    def __init_subclass__(cls, *, core: Any = None) -> None:
        super().__init_subclass__()
        if core is not None:
            _KINDS[core] = cls

    def __init__(self) -> None:
        raise TypeError(f"a {type(self).__name__} is made by a design, a function of its module, or load")

    @classmethod
    def _of(cls: type[Self], core: Any) -> Self:
        made = cls.__new__(cls)
        made._core = core
        return made

    @property
    def kind(self) -> str:
        """The ``kind`` of its file."""
        return self._core.claim.kind  # type: ignore[no-any-return]

    @property
    def name(self) -> str | None:
        """Which mechanism it is, such as ``k-rr``; text only, nothing rests on it."""
        return self._core.claim.name  # type: ignore[no-any-return]

    @property
    def epsilon(self) -> float:
        """The largest ε that is claimed for any pair; ``epsilon_text`` is exact."""
        return self._core.claim.epsilon[0]  # type: ignore[no-any-return]

    @property
    def epsilon_text(self) -> str:
        """The same as exact text, such as ``1/2`` or ``ln(3)``."""
        return self._core.claim.epsilon[1]  # type: ignore[no-any-return]

    @property
    def about(self) -> str:
        """What ε is about, in words that follow it: ``pairs of profiles``, ``any one moment of a chain of 300``.

        >>> import lookalike
        >>> lookalike.noise.laplace(epsilon=1, sensitivity=2).about
        'numbers at most 2 apart'
        """
        return self._core.claim.about  # type: ignore[no-any-return]

    def certify(self) -> Certificate:
        """The facts of the proof that the mechanism keeps its claim.

        Raises ``PrivacyError`` with the witness if it does not. The proof is made once for each object.
        """
        return certificate(self._core.claim.certify())

    def to_json(self) -> str:
        """The text of the mechanism file, byte for byte as the command line writes it."""
        return self._core.claim.to_json()  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls: type[Self], text: str) -> Self:
        """The mechanism in the text of a file. It is a claim until it is certified."""
        made = of_core(_core.from_json(text))
        if not isinstance(made, cls):
            raise TypeError(f"a file of the kind {made.kind!r}, expected {cls.__name__}")
        return made

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes the mechanism file, in one step: there is never half a file."""
        self._core.claim.save(os.fspath(path), overwrite)

    def html(
        self,
        sweep: Iterable[Any] | bool = (),
        *,
        estimate: str | os.PathLike[str] | None = None,
        audit: str | os.PathLike[str] | None = None,
        ledger: str | os.PathLike[str] | None = None,
        key: str | os.PathLike[str] | None = None,
        prior: Sequence[Number] | None = None,
        progress: Progress = None,
    ) -> str:
        """A self-contained page about the mechanism: the promise, the proof, what it costs, with pictures.

        ``sweep`` adds the trade-off over ε to the page about channels: the points of ``lookalike.sweep``, or ``True`` for a
        design at each of nine ε. ``estimate`` and ``audit`` are files with what ``lookalike estimate --json`` and
        ``lookalike audit --json`` printed, ``ledger`` is the file of one, with its ``key`` where that is not beside it, and ``prior`` are
        beliefs before the release, from which an adversary learns: 1/2 and 1/10 unless you say others.

        >>> import lookalike
        >>> coin = lookalike.design(lookalike.SecretGraph.values(["no", "yes"]), epsilon=1)
        >>> "chosen: ε = 1" in coin.html(sweep=True), "chosen: ε = 1" in coin.html()
        (True, False)
        """

        def path(given: str | os.PathLike[str] | None) -> str | None:
            return None if given is None else os.fspath(given)

        points = () if isinstance(sweep, bool) else sweep
        curve = [(point.epsilon, point.value, point.lower_bound, point.baseline) for point in points]
        words = {
            "estimate": path(estimate),
            "audit": path(audit),
            "ledger": path(ledger),
            "key": path(key),
            "prior": None if prior is None else [text(belief, "prior") for belief in prior],
            "curve": None if sweep is True else curve,
        }
        page, notes = self._core.claim.page(words, progress)
        for note in notes:
            warnings.warn(note, UserWarning, stacklevel=2)
        return page  # type: ignore[no-any-return]

    def save_html(
        self,
        path: str | os.PathLike[str],
        sweep: Iterable[Any] | bool = (),
        *,
        overwrite: bool = False,
        **shown: Any,
    ) -> None:
        """Writes the page of ``html``, which takes the same, to a file."""
        _core.write_text(os.fspath(path), self.html(sweep, **shown), overwrite)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Claim):
            return NotImplemented
        return type(self) is type(other) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        return self


# Where users find it; tools that list inherited members look there.
Claim.__module__ = "lookalike"


def of_core(core: Any) -> Claim:
    """The object for what the core has made."""
    return _KINDS[type(core)]._of(core)


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a mechanism file of any kind.

    It gives a ``Mechanism``, an ``Oracle``, a ``Noise`` or a ``geo.PlanarNoise``. A file is a claim: what was loaded is
    proved again before it is used.

    >>> import lookalike, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "m.json"
    >>> lookalike.noise.laplace(epsilon=1, sensitivity=2).save(path)
    >>> lookalike.load(path)
    Noise(discrete-laplace, epsilon 1, sensitivity 2, grid 1)
    """
    return of_core(_core.load(os.fspath(path)))


def upgrade(
    path: str | os.PathLike[str],
    secrets: str | None = None,
    *,
    chain: str | os.PathLike[str] | None = None,
    length: int | None = None,
    epsilon: Number | None = None,
) -> Any:
    """The mechanism of a file of version 1, proved, so that saving it writes a file that says which secrets its ε is about.

    What the kind of a file tells is taken from it. Noise of version 1 does not tell: ``secrets="numbers"`` says that the secret is
    the number itself, and ``"counts"`` that categories 0, 1, 2 and so on are counts. With a ``chain``, the path of a file, the
    secrets are the moments of sequences of this ``length``, and ``epsilon`` is the promise about any one of them.

    >>> import lookalike, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "m.json"
    >>> lookalike.noise.laplace(epsilon=1, sensitivity=2).save(path)
    >>> lookalike.upgrade(path).about
    'numbers at most 2 apart'
    """
    named = [chain is not None, length is not None, epsilon is not None]
    if any(named) != all(named):
        raise InputError("chain, length and epsilon belong together: expected all of them or none")
    if chain is not None and secrets is not None:
        raise InputError("secrets beside a chain, whose moments are the secrets: expected one of them")
    moments = None
    if chain is not None and length is not None and epsilon is not None:
        moments = (os.fspath(chain), at_least_one(length, "length"), text(epsilon, "epsilon"))
    return of_core(_core.upgrade(os.fspath(path), secrets, moments))
