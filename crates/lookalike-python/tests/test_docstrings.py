"""The examples in docstrings run as they are written, and every public name says what it is and how it is used."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import lookalike

MODULES = [lookalike, lookalike.counts, lookalike.geo, lookalike.local, lookalike.noise, lookalike.pufferfish, lookalike.spark]


def public():
    """The public names of the package, without those of its modules' modules."""
    for module in MODULES:
        for name in module.__all__:
            found = getattr(module, name)
            if not inspect.ismodule(found) and name != "__version__":
                yield pytest.param(found, id=f"{module.__name__}.{name}")


def members(cls):
    """What a class has for its users: methods, properties, and fields with their notes in the source."""
    for name in dir(cls):
        found = inspect.getattr_static(cls, name)
        of_ours = any(name in vars(base) and base.__module__.startswith("lookalike") for base in cls.__mro__)
        if not name.startswith("_") and of_ours and not isinstance(found, (int, str, float, tuple, type(None))):
            yield name, found


PUBLIC = list(public())
CLASSES = [param for param in PUBLIC if inspect.isclass(param.values[0])]
FUNCTIONS = [param for param in PUBLIC if param not in CLASSES]


FILES = [f"lookalike.{module.name}" for module in pkgutil.iter_modules(lookalike.__path__) if module.name != "_lookalike"]


@pytest.mark.parametrize("name", ["lookalike", *FILES])
def test_examples_run_as_they_are_written(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("thing", PUBLIC)
def test_it_has_a_docstring(thing):
    text = inspect.getdoc(thing)
    assert text and text.splitlines()[0].rstrip().endswith((".", ":")), "expected a first line that is a sentence"
    if dataclasses.is_dataclass(thing):
        assert not text.startswith(f"{thing.__name__}("), "the text that dataclass makes"


@pytest.mark.parametrize("thing", FUNCTIONS)
def test_a_function_has_an_example(thing):
    assert ">>> " in inspect.getdoc(thing)


@pytest.mark.parametrize("thing", CLASSES)
def test_every_method_and_property_of_a_class_is_described(thing):
    slots = {name for base in thing.__mro__ for name in getattr(base, "__slots__", ())}
    missing = [name for name, found in members(thing) if name not in slots and not inspect.getdoc(found)]
    assert not missing


def test_every_method_is_shown_in_an_example_here_or_in_the_guide():
    guide = Path(__file__).resolve().parents[3] / "docs" / "python.md"
    texts = [guide.read_text(encoding="utf-8"), *(inspect.getdoc(param.values[0]) for param in PUBLIC)]
    main = [cls for cls in (param.values[0] for param in CLASSES) if not issubclass(cls, BaseException)]
    methods = {(cls, name): getattr(cls, name) for cls in main for name, _ in members(cls) if callable(getattr(cls, name))}
    texts += [inspect.getdoc(method) or "" for method in methods.values()]
    examples = "\n".join(re.findall(r"^ *(?:>>>|\.\.\.) .*", "\n".join(texts), re.MULTILINE))
    missing = [f"{cls.__name__}.{name}" for cls, name in methods if not re.search(rf"\.{name}\b", examples)]
    assert not missing


def test_modules_say_what_they_are_for():
    assert all(module.__doc__ for module in MODULES)


def test_everything_that_is_public_is_listed():
    for module in MODULES:
        listed = {name for name in vars(module) if not name.startswith("_") and not inspect.ismodule(getattr(module, name))}
        own = {name for name in listed if getattr(getattr(module, name), "__module__", "") == module.__name__}
        assert own <= set(module.__all__)
