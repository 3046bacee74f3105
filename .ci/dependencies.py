"""Holds other people's crates to deny.toml: `python3 .ci/dependencies.py`, from the root of the project.

cargo-deny does the same and more, and takes minutes to install. This asks `cargo metadata`, which reads Cargo.lock
without changing it, and takes a second: every licence is allowed and every allowance needed, every crate is from an
allowed registry, and no crate of the workspace asks for any version of another. Two versions of one crate are told, not
refused.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path


def main() -> int:
    rules = tomllib.loads(Path("deny.toml").read_text(encoding="utf-8"))
    packages, members = metadata()
    allowed, registries = rules["licenses"]["allow"], rules["sources"]["allow-registry"]
    ours = [package for package in packages if package["id"] in members]
    faults = [*licences(packages, allowed), *sources(packages, registries), *wildcards(ours), *published(ours, packed())]
    for fault in faults:
        print(f"dependencies: {fault}", file=sys.stderr)
    twins = duplicates(packages)
    print(f"{len(packages)} crates; in more than one version: {', '.join(twins) or 'none'}")
    return 1 if faults else 0


def metadata() -> tuple[list[dict], set[str]]:
    """All crates of Cargo.lock, for every platform and feature, and which of them are ours."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "metadata", "--locked", "--quiet", "--all-features", "--format-version", "1"]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found["packages"], set(found["workspace_members"])


def licences(packages: list[dict], allowed: list[str]) -> Iterable[str]:
    """Crates whose licence is not among the allowed ones, and allowed ones that no crate needs."""
    texts = {f"{p['name']} {p['version']}": p["license"] or "" for p in packages}
    for name, text in texts.items():
        if not satisfied(text, set(allowed)):
            yield f"{name} has the licence {text!r}, which deny.toml does not allow"
    for licence in allowed:
        if all(satisfied(text, set(allowed) - {licence}) for text in texts.values()):
            yield f"no crate needs the licence {licence}, which deny.toml allows"


def satisfied(expression: str, allowed: set[str]) -> bool:
    """Whether licences that are allowed are enough for an SPDX expression; a slash is the old form of OR."""
    tokens = re.findall(r"[()/]|[^\s()/]+", expression)

    def alternatives() -> bool:
        enough = all_of()
        while tokens and tokens[0] in ("OR", "/"):
            tokens.pop(0)
            enough = all_of() or enough
        return enough

    def all_of() -> bool:
        enough = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            enough = one() and enough
        return enough

    def one() -> bool:
        name = tokens.pop(0)
        if name == "(":
            enough = alternatives()
            return tokens.pop(0) == ")" and enough
        if tokens[:1] == ["WITH"]:
            name = " ".join([name, *tokens[:2]])
            del tokens[:2]
        return name in allowed

    try:
        return alternatives() and not tokens
    except IndexError:  # an expression that ends too early
        return False


def sources(packages: list[dict], registries: list[str]) -> Iterable[str]:
    """Crates that are neither in this repository nor from an allowed registry."""
    allowed = {f"registry+{registry}" for registry in registries}
    for package in packages:
        if package["source"] is None:
            if not Path(package["manifest_path"]).is_relative_to(Path.cwd()):
                yield f"{package['name']} {package['version']} is outside of the repository"
        elif package["source"] not in allowed:
            yield f"{package['name']} {package['version']} comes from {package['source']}"


def wildcards(members: Iterable[dict]) -> Iterable[str]:
    """Dependencies on any version; by path they are allowed where the crate is not published, and for tests."""
    for package in members:
        for other in package["dependencies"]:
            by_path = other.get("path") and (package["publish"] == [] or other["kind"] == "dev")
            if other["req"] == "*" and not by_path:
                yield f"{package['name']} asks for any version of {other['name']}"


def packed() -> list[str]:
    """The crates that `make package` packs, in its order."""
    text = Path("Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    return re.search(r"^PUBLISHED := (.*)$", text, re.MULTILINE)[1].split()


def published(members: list[dict], packed: list[str]) -> Iterable[str]:
    """Crates for a registry that do not say what they are or come before one that they need, and others that could get there."""
    open_to_all = {package["name"]: package for package in members if package["publish"] != []}
    for name in sorted(set(packed) ^ open_to_all.keys()):
        yield f"{name} is either in PUBLISHED of the Makefile or has publish = false"
    for at, name in enumerate(packed):
        package = open_to_all.get(name, {"dependencies": []})
        for key in ["description", "license", "readme", "keywords", "categories"]:
            if name in open_to_all and not package[key]:
                yield f"{name} has no {key}"
        for other in package["dependencies"]:
            if other["kind"] != "dev" and other["name"] in open_to_all and other["name"] not in packed[:at]:
                yield f"{name} is packed before {other['name']}, which it needs"


def duplicates(packages: list[dict]) -> list[str]:
    """Crates that are there in more than one version."""
    versions = defaultdict(set)
    for package in packages:
        versions[package["name"]].add(package["version"])
    return sorted(name for name, found in versions.items() if len(found) > 1)


if __name__ == "__main__":
    sys.exit(main())
