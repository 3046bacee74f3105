"""The examples in docstrings run as they are written, and everything public has a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import lookalike

MODULES = ["lookalike"] + [
    f"lookalike.{module.name}" for module in pkgutil.iter_modules(lookalike.__path__) if module.name != "_lookalike"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def public():
    for module in (lookalike, lookalike.counts, lookalike.local, lookalike.noise):
        for name in module.__all__:
            thing = getattr(module, name)
            if not name.startswith("__"):
                yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for part, value in vars(thing).items():
                    if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                        yield f"{name}.{part}", value


def test_everything_public_says_what_it_is():
    assert [name for name, thing in public() if not (inspect.getdoc(thing) or "").strip()] == []
