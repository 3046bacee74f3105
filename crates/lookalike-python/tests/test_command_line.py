"""The same seed and the same question give the same bytes as the command line."""

from __future__ import annotations

import subprocess

import lookalike

SPEC = """
epsilon = 0.1
objective = "expected-error"
categories = ["idle", "light", "busy"]

[profiles]
ana = [0.2, 0.5, 0.3]
bo = [0.3, 0.4, 0.3]
cleo = ["1/3", "1/3", "1/3"]

[graph]
edges = [["ana", "bo"], ["bo", "cleo", 0.25]]
"""


def run(command, folder, *words):
    done = subprocess.run([command, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_mechanism_files_are_the_same_bytes(command, tmp_path, graph, aware):
    (tmp_path / "spec.toml").write_text(SPEC)
    run(command, tmp_path, "design", "spec.toml", "-o", "cli.json")
    aware.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "cli.json").read_bytes()
    read = lookalike.SecretGraph.read(tmp_path / "spec.toml")
    assert lookalike.design(read).to_json() == aware.to_json()
    assert lookalike.load(tmp_path / "cli.json") == aware
    run(command, tmp_path, "certify", "python.json")
    run(command, tmp_path, "design", "spec.toml", "--channel", "shared", "--epsilon", "1/3", "-o", "shared.json")
    assert lookalike.design(read, "1/3", channel="shared").to_json() == (tmp_path / "shared.json").read_text()


def test_the_same_seed_gives_the_same_draws(command, tmp_path, aware):
    profiles, values = ["ana", "bo", "cleo"] * 1000, ["idle", "busy", "light", "light"] * 750
    rows = "".join(f"{profile},{value}\n" for profile, value in zip(profiles, values))
    (tmp_path / "records.csv").write_text("profile,value\n" + rows)
    aware.save(tmp_path / "m.json")
    run(command, tmp_path, "privatize", "m.json", "records.csv", "--seed", "42", "-o", "private.csv")
    released = (tmp_path / "private.csv").read_text().split()[1:]
    assert aware.privatize(profiles, values, seed=42) == released


def test_noise_is_the_same(command, tmp_path):
    noise = lookalike.noise.laplace(epsilon=0.5, sensitivity=3, grid="1/4", clamp=(0, 100))
    noise.save(tmp_path / "m.json")
    values = [n * 0.37 for n in range(500)]
    (tmp_path / "records.csv").write_text("value\n" + "".join(f"{value!r}\n" for value in values))
    run(command, tmp_path, "privatize", "m.json", "records.csv", "--seed", "9", "-o", "private.csv")
    released = [float(line) for line in (tmp_path / "private.csv").read_text().split()[1:]]
    assert noise.add([repr(value) for value in values], seed=9) == released


def test_oracles_are_the_same(command, tmp_path):
    names = [f"c{n}" for n in range(20)]
    for protocol in ["subset", "olh", "hadamard", "oue", "sue"]:
        oracle = lookalike.local.oracle(protocol, names, epsilon=1)
        path = tmp_path / f"{protocol}.json"
        oracle.save(path)
        values = names * 30
        (tmp_path / "records.csv").write_text("value\n" + "".join(f"{value}\n" for value in values))
        run(command, tmp_path, "privatize", path, "records.csv", "--seed", "3", "-o", f"{protocol}.csv")
        assert oracle.privatize(values, seed=3) == (tmp_path / f"{protocol}.csv").read_text().split()[1:]
