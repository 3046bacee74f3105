"""The bounds over limits in place of a law, against every law within them: limits in units of 1/8, on up to four inputs.

The least and the largest of a linear function over such limits are at laws in the same units, so listing those is exact.
"""
import itertools
import os
import random
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../verify"))
import verify  # noqa: E402

random.seed(1)
tried = wide = 0
while tried < 500:
    size = random.randint(1, 4)
    lower = [random.randint(0, 4) for _ in range(size)]
    upper = [random.randint(low, 8) for low in lower]
    laws = [law for law in itertools.product(*(range(a, b + 1) for a, b in zip(lower, upper))) if sum(law) == 8]
    if not laws:
        continue
    values = [random.choice([0, 0, 1, 5, 7, random.randint(0, 2**106)]) for _ in range(size)]
    sums = [Fraction(sum(p * value for p, value in zip(law, values)), 8) for law in laws]
    region = verify.region_between(*([Fraction(p, 8) for p in limits] for limits in (lower, upper)))
    assert verify.extremes(region, values) == (min(sums), max(sums)), (lower, upper, values)
    tried, wide = tried + 1, wide + (min(sums) < max(sums))
assert wide > 100

# An edge whose claim holds for every law although one of its channels is no local mechanism at this epsilon.
half, quarter = verify.UNIT // 2, verify.UNIT // 4
anything = verify.region_between([Fraction(0)] * 2, [Fraction(1)] * 2)
constant = {"rows": [[half, half], [half, half]]}
secrets = {"one": (anything, constant), "two": (anything, {"rows": [[3 * quarter, quarter], [quarter, 3 * quarter]]})}
claim = [(["one", "two"], verify.read_budget("ln(2)"))]
verify.prove_pairs(secrets, ["no", "yes"], claim)
for worse in ({"rows": [[3 * quarter + 1, quarter - 1], [quarter, 3 * quarter]]}, {"rows": [[0, 2 * half], [half, half]]}):
    try:
        verify.prove_pairs({**secrets, "two": (anything, worse)}, ["no", "yes"], claim)
        raise SystemExit("a false claim was accepted")
    except verify.NotPrivate:
        pass
