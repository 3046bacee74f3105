"""Whatever the command line can do, the package can do too: each verb has its twin."""

from __future__ import annotations

import subprocess

import lookalike

TWINS = {
    "run": "run",
    "fit": "fit",
    "check": "check",
    "design": "design",
    "certify": "Claim.certify",
    "privatize": "Mechanism.privatize",
    "estimate": "Mechanism.estimate",
    "audit": "audit",
    "report": "Claim.save_html",
    "export": "Mechanism.export_table",
    "upgrade": "upgrade",
    "counts design": "counts.optimal",
    "counts compare": "counts.compare",
    "counts properties": "counts.properties",
    "counts release": "counts.release",
    "local design": "local.auto",
    "local compare": "local.compare",
    "tupling": "tupling",
    "noise design": "noise.laplace",
    "noise add": "Noise.add",
    "noise max": "noise.noisy_max",
    "noise choose": "noise.exponential",
    "geo design": "geo.planar",
    "geo privatize": "geo.PlanarNoise.privatize",
    "geo errors": "geo.errors",
    "geo remap": "geo.remap",
    "geo map": "geo.cell_map",
    "pufferfish fit": "pufferfish.Chain.fit",
    "pufferfish design": "pufferfish.compare",
    "pufferfish release": "pufferfish.release",
    "pufferfish wasserstein": "pufferfish.wasserstein",
    "pufferfish spec": "pufferfish.Framework.graph",
    "pufferfish report": "pufferfish.save_html",
    "account": "account",
    "ledger init": "Ledger.create",
    "ledger record": "Ledger.record",
    "ledger status": "Ledger.status",
    "ledger verify": "Ledger.verify",
    "ledger export": "Ledger.export",
    "ledger withdraw": "Ledger.withdraw",
    "ledger correct-clock": "Ledger.correct_clock",
    "ledger backup": "Ledger.backup",
    "ledger migrate": "Ledger.migrate",
}
"""The function or method that does what a verb does; where several do, the first that comes to mind."""

ALONE = {
    "completions": "about the shell in which words are typed",
}
"""Verbs without a twin, and why."""

MORE = {
    "design": ["sweep"],
    "certify": ["Mechanism.certify_within", "Mechanism.delta_at"],
    "privatize": ["Noise.add", "Oracle.privatize", "Ledger.privatize"],
    "estimate": ["Mechanism.predict", "Oracle.estimate"],
    "export": ["Mechanism.export"],
    "geo design": ["geo.optimal", "geo.truncated", "geo.planar_cells"],
    "geo privatize": ["Mechanism.privatize_places"],
    "geo map": ["geo.PlanarNoise.svg"],
    "local design": ["local.oracle"],
    "ledger status": ["Ledger.subject"],
}
"""What else a verb does by its options or for other kinds of mechanisms."""


def below(command: str, *words: str) -> list[str]:
    """The verbs that the help lists."""
    done = subprocess.run([command, *words, "--help"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    if "Commands:" not in lines:
        return []
    listed = lines[lines.index("Commands:") + 1 :]
    listed = listed[: listed.index("")]
    names = [line.split()[0] for line in listed if line.startswith("  ") and not line.startswith("   ")]
    return [name for name in names if name != "help"]


def verbs(command: str) -> set[str]:
    found: set[str] = set()
    for verb in below(command):
        found.update([f"{verb} {name}" for name in below(command, verb)] or [verb])
    return found


def test_every_verb_has_a_twin(command):
    assert verbs(command) == TWINS.keys() | ALONE.keys()
    assert MORE.keys() <= TWINS.keys()


def test_every_twin_is_there_and_says_what_it_does():
    for name in [*TWINS.values(), *(name for more in MORE.values() for name in more)]:
        twin = lookalike
        for part in name.split("."):
            twin = getattr(twin, part)
        assert callable(twin) and twin.__doc__, name
