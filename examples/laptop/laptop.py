"""From one laptop to a hundred million devices: the same mechanism, and what more reports buy.

    python examples/laptop/laptop.py

The parts are cells of a notebook. Needs numpy.
"""

# %% One question, four answers, and a promise: any two answers look alike within ln 3.
import math
import tempfile
from pathlib import Path

import numpy

import lookalike

answers = ["never", "monthly", "weekly", "daily"]
mechanism = lookalike.local.oracle("k-rr", answers, epsilon="ln(3)")
print(mechanism, "proved:", mechanism.certify().upper <= mechanism.epsilon)

# %% A thousand people on this machine. Each of them is charged before the answer leaves, and asked once.
generator = numpy.random.default_rng(7)
truth = numpy.array([0.5, 0.25, 0.15, 0.1])
people = generator.choice(answers, size=1_000, p=truth)
ledger = lookalike.Ledger.create(Path(tempfile.mkdtemp()) / "account.ledger", budget="ln(3)")
asked = {"subjects": numpy.arange(1_000), "observations": numpy.zeros(1_000, int), "column": "answer"}
charged = ledger.privatize(mechanism, people, **asked)
again = ledger.privatize(mechanism, people, **asked)
print(f"charged {charged.charged}, asked again {again.charged}, same answers: {bool((again.released == charged.released).all())}")
print("spent", ledger.status()["spent"][0]["epsilon_text"], "of ln(3); whole:", ledger.verify()["whole"])

# %% What one device needs: its table, and nothing of anybody else.
table = mechanism.export()
print(f"a device gets {len(table)} bytes of JSON; a report is {math.log2(len(answers)):.0f} bits")

# %% A million values in memory.
million = generator.choice(answers, size=1_000_000, p=truth)
released = mechanism.privatize(million)
estimate = mechanism.estimate(released)
print(f"a million values: covered {all(estimate[name].lower <= share <= estimate[name].upper for name, share in zip(answers, truth))}")

# %% A hundred million devices, simulated: reports are independent, so that their counts follow the multinomial law of the
# certified rows. A device draws one of these; no step here knows who did.
rows = numpy.array([[float(p) for p in row] for row in mechanism.matrix()])


def reports(devices):
    """How many devices report each answer, and the true shares among them."""
    true = generator.multinomial(devices, truth)
    return sum(generator.multinomial(count, row) for count, row in zip(true, rows)), true / devices


print("devices      share of daily, 95 %    half-width")
for devices in (10**3, 10**4, 10**5, 10**6, 10**7, 10**8):
    counts, shares = reports(devices)
    # The shares follow from the counts alone: unmix the rows. The error is that of the mechanism and of the sample.
    found = numpy.linalg.solve(rows.T, counts / devices)
    report_law = rows.T @ shares
    covariance = (numpy.diag(report_law) - numpy.outer(report_law, report_law)) / devices
    unmixed = numpy.linalg.inv(rows.T)
    deviation = math.sqrt((unmixed @ covariance @ unmixed.T)[3, 3])
    assert abs(found[3] - shares[3]) < 5 * deviation, "once in a million seeds"
    print(f"{devices:>11,}  {found[3]:.5f}, truly {shares[3]:.5f}   {1.96 * deviation:.5f}")
