"""One charge of many subjects by the command: a fresh ledger, one run, and a check of what it wrote.

Prints `seconds` of the run alone, start of the process to its end.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

SPEC = 'epsilon = "ln(3)"\ncategories = ["no", "yes"]\nsecrets = "values"\ngraph.shape = "complete"\n'


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--subjects", type=int, required=True)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    cli = os.path.abspath(asked.cli)
    with tempfile.TemporaryDirectory(dir=".bench") as folder:
        print(json.dumps(run(cli, Path(folder), asked.subjects, asked.processes)))


def run(cli: str, folder: Path, subjects: int, processes: int) -> dict[str, object]:
    def call(*words: str) -> dict[str, object]:
        done = subprocess.run([cli, *words, "--json"], cwd=folder, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    (folder / "spec.toml").write_text(SPEC)
    call("design", "spec.toml", "-o", "m.json")
    call("ledger", "init", "a.ledger", "--budget", "ln(3)")
    for process in range(processes):
        with open(folder / f"records{process}.csv", "w") as records:
            records.write("user,answer\n")
            records.writelines(f"u{at},{'yes' if at % 3 else 'no'}\n" for at in range(subjects))
            # Files that differ in a byte have records of their own.
            records.write(f"last{process},no\n")
    start = time.perf_counter()
    words = ("--value", "answer", "--ledger", "a.ledger", "--subject", "user", "--json", "-q")
    children = [
        subprocess.Popen([cli, "privatize", "m.json", f"records{process}.csv", *words, "-o", f"p{process}.csv"], cwd=folder, stdout=subprocess.PIPE)
        for process in range(processes)
    ]
    answers = [json.loads(child.communicate()[0]) for child in children]
    seconds = time.perf_counter() - start
    assert all(child.returncode == 0 for child in children)
    charged = sum(answer["ledger"]["charged"] for answer in answers)
    status, verified = call("ledger", "status", "a.ledger"), call("ledger", "verify", "a.ledger")
    # Each subject once, whoever came first: nobody over the budget.
    assert charged == verified["charges"] == status["subjects"] == subjects + processes, (charged, verified, status["subjects"])
    assert [spent["epsilon_text"] for spent in status["spent"]] == ["ln(3)"], status["spent"]
    return {"records": processes * (subjects + 1), "seconds": seconds}


main()
