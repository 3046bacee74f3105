"""Lookalike makes chosen secrets look alike: it designs, proves and applies privacy mechanisms.

>>> import lookalike
>>> graph = lookalike.SecretGraph(
...     {"ana": [0.2, 0.5, 0.3], "bo": [0.3, 0.4, 0.3]}, edges=[("ana", "bo")], categories=["idle", "light", "busy"]
... )
>>> mech = lookalike.design(graph, epsilon=0.25)
>>> mech.certify().epsilon
0.25
>>> mech.privatize(["ana", "bo", "ana"], ["idle", "light", "busy"], seed=1)
['idle', 'light', 'busy']
"""

from __future__ import annotations

from . import counts, geo, local, noise, pufferfish, spark
from ._account import Accounted, account
from ._audit import Audit, audit
from ._base import Claim, load, upgrade
from ._certificate import Certificate, Delta
from ._design import Check, SweepPoint, check, design, sweep
from ._errors import (
    FileError,
    GapWarning,
    InputError,
    LookalikeError,
    MisfitWarning,
    MissingFileError,
    PrivacyError,
    PrivacyWarning,
    RefusedError,
)
from ._estimate import Estimate, Figure, Misfit
from ._fit import Fitted, fit
from ._graph import SecretGraph
from ._ledger import Charged, Ledger
from ._lookalike import __version__
from ._mechanism import Mechanism
from ._noise import Noise
from ._oracle import Oracle
from ._prediction import Prediction
from ._readback import Readback
from ._run import Run, run
from ._tupling import Tupled, tupling

__all__ = [
    "Accounted",
    "Audit",
    "Certificate",
    "Charged",
    "Check",
    "Claim",
    "Delta",
    "Estimate",
    "Figure",
    "FileError",
    "Fitted",
    "GapWarning",
    "InputError",
    "Ledger",
    "LookalikeError",
    "Mechanism",
    "Misfit",
    "MisfitWarning",
    "MissingFileError",
    "Noise",
    "Oracle",
    "Prediction",
    "PrivacyError",
    "PrivacyWarning",
    "Readback",
    "RefusedError",
    "Run",
    "SecretGraph",
    "SweepPoint",
    "Tupled",
    "__version__",
    "account",
    "audit",
    "check",
    "counts",
    "design",
    "fit",
    "geo",
    "load",
    "local",
    "noise",
    "pufferfish",
    "run",
    "spark",
    "sweep",
    "tupling",
    "upgrade",
]
