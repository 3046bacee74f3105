"""A plan gives the files that the command line writes."""

from __future__ import annotations

import json
import subprocess
import threading

import pytest

import lookalike

PLAN = """
epsilon = 0.5
categories = ["idle", "busy"]
seed = 1

[profiles]
ana = 0.2
bo = 0.3
cleo = 0.4

[graph]
edges = [["ana", "bo"], ["bo", "cleo"]]

[data]
records = "records.csv"
profile = "who"
value = "load"
keep = ["day"]

[estimate]
by = "day"
"""

FITTED = """
epsilon = 1
objective = "max-flip"
channel = "shared"
seed = 2

[fit]
same_data = true
categories = ["idle", "busy"]
complete = true

[data]
records = "records.csv"
profile = "who"
value = "load"
shuffle = true
"""

NAMES = ["ana", "bo", "cleo"]


def test_a_plan_says_how_far_its_design_may_be_from_the_least(folder):
    plan = PLAN.replace("seed = 1\n", "")  # a seed would be warned of
    (folder / "plan.toml").write_text(plan + "\n[design]\nmax_gap = 1e-6\n")
    assert lookalike.run(folder / "plan.toml").rows == 600


def test_notes_say_what_adds_up_and_a_budget_is_kept(folder):
    # Without a seed; 3/10 is 3/2 times 2/10, so that profiles need noise below ln(3/2) only.
    plan = PLAN.replace("seed = 1\n", "")
    noisy = plan.replace("epsilon = 0.5", "epsilon = 0.1")
    (folder / "plan.toml").write_text(noisy)
    done = lookalike.run(folder / "plan.toml")
    assert done.notes[0].startswith("Up to 200 reports of one profile: epsilon 20 in sum")
    (folder / "plan.toml").write_text(noisy.replace("[data]", "[data]\nbudget = 19.9"))
    with pytest.raises(lookalike.RefusedError, match="up to 200 of one, which add up to epsilon 20"):
        lookalike.run(folder / "plan.toml", folder / "other")
    (folder / "plan.toml").write_text(plan.replace("[data]", "[data]\nbudget = 100"))
    done = lookalike.run(folder / "plan.toml", folder / "alike")
    assert done.notes[0].startswith("No value was changed: the profiles that must look alike do so within epsilon")
    assert done.notes[1].startswith("Up to 200 reports of one profile: epsilon 100 in sum")


@pytest.fixture
def folder(tmp_path):
    rows = [f"{NAMES[n % 3]},{['idle', 'busy'][n * n % 7 % 2]},{['mon', 'tue'][n % 2]}" for n in range(600)]
    (tmp_path / "records.csv").write_text("who,load,day\n" + "\n".join(rows) + "\n")
    return tmp_path


@pytest.mark.parametrize("text", [PLAN, FITTED], ids=["profiles", "fitted"])
def test_the_files_are_those_of_the_command_line(command, folder, text):
    (folder / "plan.toml").write_text(text)
    with pytest.warns(lookalike.PrivacyWarning) as warned:
        done = lookalike.run(folder / "plan.toml", folder / "python")
    assert "seeded with" in str(warned[-1].message)
    words = [command, "run", "plan.toml", "--output", "cli", "--json"]
    said = json.loads(subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout)
    names = sorted(path.name for path in (folder / "cli").iterdir())
    assert sorted(path.name for path in (folder / "python").iterdir()) == names
    for name in names:
        assert (folder / "python" / name).read_bytes() == (folder / "cli" / name).read_bytes(), name
    assert done.rows == said["privatize"]["rows"] == 600
    assert done.released == str(folder / "python" / "private.csv") and done.released in done.files
    assert done.mechanism == lookalike.load(folder / "cli" / "m.json")
    assert list(done.released_in_clear) == said["privatize"]["released_in_clear"]
    assert [found.reports for found in done.estimates.values()] == [
        cohort["reports"] for cohort in said["estimate"]["cohorts"]
    ]


def test_fitted_profiles_and_cohorts(folder):
    (folder / "plan.toml").write_text(FITTED)
    with pytest.warns(lookalike.PrivacyWarning) as warned:
        done = lookalike.run(folder / "plan.toml")
    assert any("profiles fitted to the released records" in str(item.message) for item in warned)
    assert any("limits.csv has exact counts" in note for note in done.notes)
    assert done.mechanism.kind == "shared" and done.estimate.reports == 600
    (folder / "plan.toml").write_text(PLAN)
    with pytest.warns(lookalike.PrivacyWarning):
        done = lookalike.run(folder / "plan.toml", overwrite=True)
    assert list(done.estimates) == ["mon", "tue"]


def test_nothing_is_left_behind_by_mistakes(folder):
    mistakes = [
        (PLAN.replace("value =", "valeu ="), 'data: key "valeu" is not known'),
        (PLAN.replace('"load"', '"laod"'), 'column "laod"'),
        (PLAN.replace('keep = ["day"]', 'keep = ["day", "load"]'), "this is the private column"),
        (FITTED.replace("same_data = true", ""), "same_data = true allows it"),
        (FITTED.replace("complete = true", "complete = true\nchain = true"), "more than one of group_by, complete and chain"),
        (FITTED.replace('"shared"', '"sharde"'), 'channel: "sharde", expected aware or shared'),
        (PLAN.replace("[data]", '[data]\nunknown = "x"'), 'unknown = "x" in [data] is not a category'),
    ]
    for text, message in mistakes:
        (folder / "plan.toml").write_text(text)
        with pytest.raises(lookalike.InputError) as raised:
            lookalike.run(folder / "plan.toml")
        assert message in str(raised.value)
        assert sorted(path.name for path in folder.iterdir()) == ["plan.toml", "records.csv"], message
    with pytest.raises(lookalike.MissingFileError):
        lookalike.run(folder / "no such plan.toml")


def test_files_are_replaced_only_on_request(folder):
    (folder / "plan.toml").write_text(PLAN.replace("seed = 1", ""))
    lookalike.run(folder / "plan.toml")
    with pytest.raises(lookalike.InputError, match=r"has files already \(overwrite=True replaces those of a run\)"):
        lookalike.run(folder / "plan.toml")
    lookalike.run(folder / "plan.toml", overwrite=True)


def test_a_run_can_be_stopped(folder):
    (folder / "plan.toml").write_text(PLAN)

    def stop(*_):
        raise KeyboardInterrupt

    assert threading.current_thread() is threading.main_thread()
    with pytest.raises(KeyboardInterrupt):
        lookalike.run(folder / "plan.toml", progress=stop)
