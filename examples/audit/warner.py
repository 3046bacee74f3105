"""Warner's randomized response, as a program that `lookalike audit` can attack.

One secret a line comes in, `no` or `yes`; one output per line goes out: the truth with the probability that is given,
0.75 by default (epsilon is then the logarithm of 0.75 / 0.25), and else the opposite.
"""

import random
import sys

keep = float(sys.argv[1]) if len(sys.argv) > 1 else 0.75
noise = random.SystemRandom()
opposite = {"no": "yes", "yes": "no"}

for line in sys.stdin:
    secret = line.rstrip("\n")
    print(secret if noise.random() < keep else opposite[secret])
