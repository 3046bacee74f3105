"""One family of exceptions."""

from __future__ import annotations

import json
from typing import Any


class LookalikeError(Exception):
    """Whatever Lookalike refuses or cannot do."""


class InputError(LookalikeError, ValueError):
    """Input that cannot be used. The message says what was found, what was expected, where, and the way out.

    It never shows a private value: records are named by row and column.
    """


class PrivacyError(LookalikeError):
    """The claim of a mechanism is false.

    ``facts`` has the witness: the worst pair, the output, and the true ε.
    """

    def __init__(self, reason: str, facts: str = "{}") -> None:
        super().__init__(reason, facts)
        self.reason = reason
        self.facts: dict[str, Any] = json.loads(facts)

    def __str__(self) -> str:
        return self.reason


class RefusedError(LookalikeError):
    """No theorem covers a release, or a budget has no room for it. Nothing is wrong with the input."""


class FileError(LookalikeError, OSError):
    """The operating system refused to read or to write."""


class MissingFileError(FileError, FileNotFoundError):
    """A file that is not there."""


class PrivacyWarning(UserWarning):
    """Something is allowed, and gives away more than one may think."""


class GapWarning(UserWarning):
    """A solver stopped early: the design may be noticeably noisier than the least noisy one. What it promises is proved."""


class MisfitWarning(UserWarning):
    """Reports that nothing explains: the figures read back from them are about nothing."""


for _class in (
    LookalikeError,
    InputError,
    PrivacyError,
    RefusedError,
    FileError,
    MissingFileError,
    PrivacyWarning,
    GapWarning,
    MisfitWarning,
):
    _class.__module__ = "lookalike"
