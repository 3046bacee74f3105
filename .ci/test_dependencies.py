"""Tests of what dependencies.py accepts and what it barely rejects: `python3 -m unittest discover -s .ci`."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import dependencies

REGISTRY = "https://github.com/rust-lang/crates.io-index"


def crate(name: str, **other: object) -> dict:
    known = {"version": "1.0.0", "license": "MIT", "publish": None, "dependencies": []}
    place = {"source": f"registry+{REGISTRY}", "manifest_path": "/elsewhere/Cargo.toml"}
    return {"name": name, **known, **place, **other}


class Licences(unittest.TestCase):
    def test_an_expression_needs_one_of_its_alternatives_and_all_of_its_parts(self) -> None:
        allowed = {"MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"}
        enough = ["MIT", "MIT/Apache-2.0", "Apache-2.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"]
        for text in [*enough, "GPL-3.0 OR MIT AND Unicode-3.0", "Apache-2.0 WITH LLVM-exception"]:
            self.assertTrue(dependencies.satisfied(text, allowed), text)
        malformed = ["", "MIT MIT", "(MIT", "MIT OR", "MIT AND"]
        for text in [*malformed, "GPL-3.0", "Apache-2.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND GPL-3.0"]:
            self.assertFalse(dependencies.satisfied(text, allowed), text)

    def test_an_allowance_that_no_crate_needs_is_told(self) -> None:
        crates = [crate("one"), crate("two", license="MIT OR Zlib")]
        self.assertEqual(list(dependencies.licences(crates, ["MIT"])), [])
        unneeded = "no crate needs the licence Zlib, which deny.toml allows"
        self.assertEqual(list(dependencies.licences(crates, ["MIT", "Zlib"])), [unneeded])
        self.assertEqual(len(list(dependencies.licences([*crates, crate("three", license=None)], ["MIT"]))), 1)


class Sources(unittest.TestCase):
    def test_crates_are_from_the_registry_or_from_here(self) -> None:
        here = crate("here", source=None, manifest_path=str(Path.cwd() / "crates/here/Cargo.toml"))
        self.assertEqual(list(dependencies.sources([crate("one"), here], [REGISTRY])), [])
        for source in ["git+https://example.org/git", "registry+https://example.org", None]:
            self.assertEqual(len(list(dependencies.sources([crate("other", source=source)], [REGISTRY]))), 1)


class Published(unittest.TestCase):
    SAYS = {"description": "One.", "readme": "README.md", "keywords": ["one"], "categories": ["science"]}

    def test_what_is_packed_says_what_it_is_and_comes_after_what_it_needs(self) -> None:
        needed = {"name": "one", "req": "^1", "kind": None}
        crates = [crate("one", **self.SAYS), crate("two", dependencies=[needed], **self.SAYS), crate("x", publish=[])]
        self.assertEqual(list(dependencies.published(crates, ["one", "two"])), [])
        turned = list(dependencies.published(crates, ["two", "one"]))
        self.assertEqual(turned, ["two is packed before one, which it needs"])
        missing = list(dependencies.published(crates, ["one"]))
        self.assertEqual(missing, ["two is either in PUBLISHED of the Makefile or has publish = false"])
        silent = list(dependencies.published([crate("one", **(self.SAYS | {"keywords": []}))], ["one"]))
        self.assertEqual(silent, ["one has no keywords"])


class Versions(unittest.TestCase):
    def test_any_version_is_for_crates_of_our_own_that_are_not_published(self) -> None:
        any_version = {"name": "other", "req": "*", "kind": None}
        by_path = any_version | {"path": "/here/other"}
        for_tests = by_path | {"kind": "dev"}
        for good in [crate("a", publish=[], dependencies=[by_path]), crate("a", dependencies=[for_tests])]:
            self.assertEqual(list(dependencies.wildcards([good])), [])
        for bad in [crate("a", publish=[], dependencies=[any_version]), crate("a", dependencies=[by_path])]:
            self.assertEqual(list(dependencies.wildcards([bad])), ["a asks for any version of other"])

    def test_two_versions_of_a_crate_are_told(self) -> None:
        crates = [crate("a"), crate("b"), crate("a", version="2.0.0")]
        self.assertEqual(dependencies.duplicates(crates), ["a"])


if __name__ == "__main__":
    unittest.main()
