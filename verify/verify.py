#!/usr/bin/env python3
"""Proves or refuses the claim of a Lookalike mechanism file: python3 verify.py m.json

Written from docs/mechanism-file.md and the mathematics beside each function: it shares no code with what wrote the file.
Plain Python 3.10 or later with its standard library, and no float. Part one is about channels between categories and
frequency oracles, part two about noise on numbers, on moments of a chain and on places.

Exit codes: 0 the claim is proved, 1 it is not, with a witness where there is one, 2 this is no valid mechanism file.
"""
import json
import re
import sys
from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm


class NotAFile(Exception):
    """What was read is no mechanism file, so that there is no claim."""


class NotPrivate(Exception):
    """The claim is false."""

    word = "NOT PRIVATE"


class NotProved(NotPrivate):
    """The claim may be true, but the proof that the file names does not show it."""

    word = "NOT PROVED"


# ------------------------------------------------------------------------------------------------ part one: reading

UNIT = 2**53  # a weight w is the probability w / 2^53


class Number(str):
    """A number of JSON as it was written: no float comes of it."""


def unique_keys(pairs):
    keys = dict(pairs)
    expect(len(keys) == len(pairs), "a key occurs twice")
    return keys


def read_json(data):
    """The value that the bytes spell, in which numbers are texts of their own."""
    try:
        value = json.loads(data.decode(), object_pairs_hook=unique_keys, parse_int=Number, parse_float=Number)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # refuses NaN, and halves of surrogate pairs
    except (ValueError, RecursionError):
        raise NotAFile("not JSON") from None
    return value


def expect(holds, what):
    if not holds:
        raise NotAFile(what)


def table(value, required, optional=()):
    """A table with all the required keys, perhaps the optional ones, and no other."""
    expect(isinstance(value, dict), "expected a table")
    for key in value:
        expect(key in required or key in optional, f"key {json.dumps(key)} is not known here")
    for key in required:
        expect(key in value, f"key {json.dumps(key)} is missing")
    return value


def items(value, length=None):
    expect(isinstance(value, list) and length in (None, len(value)), "expected a list, or one of another length")
    return value


def text(value):
    expect(isinstance(value, str) and not isinstance(value, Number), "expected a text in quotes")
    return value


def names(value):
    found = [text(item) for item in items(value)]
    expect(found and "" not in found and len(set(found)) == len(found), "expected different names that are not empty")
    return found


def whole(value, least, most):
    """A whole number that is written as one: neither 1.0 nor 1e3."""
    expect(isinstance(value, Number) and re.fullmatch("0|[1-9][0-9]{0,19}", value), "expected a whole number")
    expect(least <= int(value) <= most, f"expected a whole number from {least} to {most}")
    return int(value)


def weights(value, length):
    return [whole(item, 0, UNIT) for item in items(value, length)]


def number(value):
    """An exact number, in quotes or not: "2", "-0.25", "1e-3", or in quotes a fraction of two such, "1/3"."""
    expect(isinstance(value, str) and len(value) <= 1000, "expected a number")
    above, slash, below = value.partition("/")
    above, below = decimal(above), decimal(below) if slash else Fraction(1)
    expect(below != 0, "a number is divided by zero")
    return above / below


def decimal(spelled):
    parts = re.fullmatch(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?", spelled.strip())
    expect(parts and (parts[2] or parts[3]) and abs(int(parts[4] or 0)) <= 1000, "expected a number")
    digits, exponent = parts[2] + (parts[3] or ""), int(parts[4] or 0) - len(parts[3] or "")
    return int(parts[1] + digits) * Fraction(10) ** exponent


def law(value, length):
    found = [number(p) for p in items(value, length)]
    expect(min(found, default=-1) >= 0 and sum(found) == 1, "probabilities must be at least 0 and sum to exactly 1")
    expect(lcm(*(p.denominator for p in found)).bit_length() <= 1650, "a law with too long a denominator")
    return found


# ------------------------------------------------------------------------------------ part one: budgets, and e^ε


def divide(above, below, up):
    """above / below as a whole number, rounded upward or downward."""
    return -(-above // below) if up else above // below


@lru_cache(maxsize=4096)
def ln_bound(q, bits, up):
    """A number above (or below) ln q for a fraction q ≥ 1, about 2^-bits from it.

    q = m·2^k with 1 ≤ m < 2, and ln m = 2(z + z³/3 + z⁵/5 + …) with z = (m − 1)/(m + 1) < 1/3; ln 2 is the same with
    z = 1/3. Sums are in units of 2^-bits. What follows a power of one unit or less is below two units."""
    k = q.numerator.bit_length() - q.denominator.bit_length()
    k -= q < Fraction(2) ** k
    total = 0
    for z, times in ((q / 2**k - 1) / (q / 2**k + 1), 1), (Fraction(1, 3), k):
        power, square = (divide(z.numerator**n << bits, z.denominator**n, up) for n in (1, 2))
        odd, ln = 1, 2 * up * (z > 0)
        while power > 1:
            ln, power, odd = ln + divide(power, odd, up), divide(power * square, 1 << bits, up), odd + 2
        total += 2 * times * ln
    return Fraction(total, 1 << bits)


@lru_cache(maxsize=4096)
def exp_bound(x, bits, up):
    """A number above (or below) e^x for a fraction x ≥ 0, about 2^-bits of it from it.

    e^x = (e^y)^(2^h) with y = x/2^h ≤ 1/2. The series of e^y is summed in units of 2^-p; what follows a term of one unit
    or less is below two units."""
    h = int(x).bit_length() + 1
    y, p = x / 2**h, bits + 2 * h + 10
    total, term, i = 2 * up * (x > 0), 1 << p, 1
    while term > 1:
        total, term, i = total + term, divide(term * y.numerator, y.denominator * i, up), i + 1
    for _ in range(h):
        total = divide(total * total, 1 << p, up)
    return Fraction(total, 1 << p)


def exact_root(q, k):
    """The k-th root of a fraction if it is a fraction, or else nothing: Newton's method from above."""
    parts = []
    for n in (q.numerator, q.denominator):
        x = 1 << divide(n.bit_length(), k, True)
        while (y := ((k - 1) * x + n // x ** (k - 1)) // k) < x:
            x = y
        parts.append(x)
    return Fraction(*parts) if parts[0] ** k == q.numerator and parts[1] ** k == q.denominator else None


class Budget:
    """√square, or √square · ln base, above 0: one form for each value, as no base is a power of another fraction.

    By the theorems of Lindemann and of Gelfond and Schneider two such numbers are equal only where square and base are,
    and e to the power of one is a fraction only where that is a whole power of the base."""

    def __init__(self, square, base=None):
        self.square, self.base, self.root = square, base, exact_root(square, 2)

    def times(self, factor):
        return Budget(self.square * factor**2, self.base)

    @lru_cache(maxsize=4096)
    def bound(self, bits, up):
        """A fraction above or below, about 2^-bits of it from it; the number itself where it is a fraction."""
        factor = self.root
        if factor is None:
            shift = bits + max(0, self.square.denominator.bit_length() - self.square.numerator.bit_length()) // 2 + 2
            factor = Fraction(isqrt((self.square.numerator << 2 * shift) // self.square.denominator) + up, 1 << shift)
        # ln q ≥ (q − 1)/q is above 2^-(bits of q).
        return factor if self.base is None else factor * ln_bound(self.base, bits + self.base.numerator.bit_length() + 2, up)

    @lru_cache(maxsize=4096)
    def exponential(self, bits, up):
        return exp_bound(self.bound(bits + 20, up), bits, up)

    def __le__(self, other):
        """Equal forms, or enclosures that part in the end since other forms are other numbers."""
        bits = 64
        while (self.square, self.base) != (other.square, other.base):
            if self.bound(bits, True) <= other.bound(bits, False):
                return True
            if self.bound(bits, False) >= other.bound(bits, True):
                return False
            bits *= 2
        return True


@lru_cache(maxsize=4096)
def read_budget(spelled):
    """"1/2", "ln(3)", "-ln(0.9)", "ln(4)/200", "1/2*sqrt(2)*ln(3)": numbers, at most one root and at most one logarithm."""
    spelled = spelled.strip()
    negative = spelled.startswith("-")
    parts = re.split(r"([*/])(?![^()]*\))", spelled[negative:])  # outside of parentheses
    factor, found = Fraction(-1 if negative else 1), {}
    for operator, part in zip(["*", *parts[1::2]], parts[::2]):
        call = re.fullmatch(r"\s*(ln|sqrt)\s*\(([^()]*)\)\s*", part)
        if call:
            expect(operator == "*" and call[1] not in found, "a budget with two roots or logarithms, or divided by one")
            expect(call[1] == "ln" or re.fullmatch(r"\s*\+?[0-9]+\s*", call[2]), "a root of what is no whole number")
            found[call[1]] = number(call[2])
        else:
            expect(not part.strip().startswith(("+", "-")), "a budget with a sign inside")
            factor *= 1 / positive(part) if operator == "/" else number(part)
    square, base = found.get("sqrt", Fraction(1)), found.get("ln")
    expect(1 <= square <= 2**40, "a root of no whole number from 1 to 2^40")
    if base is not None:
        expect(base > 0 and base != 1, "a logarithm that is not a number, or 0")
        if base < 1:
            factor, base = -factor, 1 / base
        expect(base.numerator.bit_length() <= 1000, "a logarithm of a fraction of more than 1000 bits")
        for k in range(2, base.numerator.bit_length() + 1):
            while (smaller := exact_root(base, k)) is not None:
                factor, base = factor * k, smaller
    expect(factor > 0 and Budget(factor**2 * square, base) <= Budget(Fraction(10**10)), "a budget is above 0, at most 100,000")
    return Budget(factor**2 * square, base)


def budget(value):
    expect(isinstance(value, str) and len(value) <= 4000, "expected a budget")
    return read_budget(str(value))


def positive(value):
    expect(number(value) > 0, "expected a number above 0")
    return number(value)


def alike(a, epsilon, b):
    """Whether a ≤ e^ε·b for a, b ≥ 0, decided exactly; equality passes.

    Where e^ε = base^c is a fraction and a/b may be equal to it, fractions are compared: then 2^c ≤ numerator of a/b.
    Otherwise the two differ, so that enclosures of e^ε decide once they are narrow enough."""
    if a <= b:
        return True
    if b == 0:
        return False
    ratio, bits, c = Fraction(a) / b, 64, epsilon.root
    while True:
        if ratio <= epsilon.exponential(bits, False):
            return True
        if ratio > epsilon.exponential(bits, True):
            return False
        if epsilon.base is not None and c is not None and c.denominator == 1 and c <= ratio.numerator.bit_length():
            return ratio <= epsilon.base ** int(c)
        bits *= 2


# -------------------------------------------------------------------------- part one: channels between categories


def column(channel, y):
    """The probabilities of output y for each input, as whole numbers out of 2^106."""
    if "rows" in channel:
        return [row[y] * UNIT for row in channel["rows"]]
    keep, redraw = channel["keep"], channel["redraw"]
    return [(x == y) * keep[x] * UNIT + (UNIT - keep[x]) * redraw[y] for x in range(len(keep))]


def extremes(region, values):
    """h and H, the least and the largest Σ P(x)·values(x) over the laws P of a region: l ≤ P ≤ u and ΣP = 1.

    Each is a fractional knapsack: begin with l, and hand out what is missing to 1 where values are least (largest) first,
    up to u. A law that is known is the region l = u: nothing is left to hand out, and both are its q(y)."""
    lower, upper, denominator = region
    fixed, missing = sum(map(int.__mul__, lower, values)), denominator - sum(lower)
    if missing == 0:
        return (Fraction(fixed, denominator),) * 2
    order, found = sorted(range(len(values)), key=values.__getitem__), []
    for inputs in (order, reversed(order)):
        left, total = missing, fixed
        for x in inputs:
            given = min(left, upper[x] - lower[x])
            left, total = left - given, total + given * values[x]
        found.append(Fraction(total, denominator))
    return tuple(found)


def region_between(lower, upper):
    """Limits of a law as whole numbers out of one denominator."""
    denominator = lcm(*(p.denominator for p in [*lower, *upper]))
    return [int(p * denominator) for p in lower], [int(p * denominator) for p in upper], denominator


def limits_of(value, law):
    """The region of a profile: for each input a lower and an upper limit, tightened to what some law within them reaches."""
    lower, upper = zip(*([number(end) for end in items(ends, 2)] for ends in items(value, len(law))))
    expect(all(0 <= l <= u for l, u in zip(lower, upper)), "limits must be in order, from 0 on")
    below, above = sum(lower), sum(upper)
    expect(below <= 1 <= above, "no law lies within the limits")
    lower, upper = ([max(l, 1 - (above - u)) for l, u in zip(lower, upper)],
                    [min(u, 1 - (below - l)) for l, u in zip(lower, upper)])
    expect(all(l <= p <= u for l, p, u in zip(lower, law, upper)), "a profile outside of its limits")
    region = region_between(lower, upper)
    expect(region[2].bit_length() <= 1650, "limits with too long a denominator")
    return region


def prove_pairs(secrets, outputs, statements):
    """Each two secrets s, s' of a statement, an edge or a group with its ε, have H_s(y) ≤ e^ε·h_s'(y) at every output y.

    If any pair of a group breaks this, so does one of which H is among the two largest and h among the two least: two,
    since nothing is claimed of a secret and itself."""
    distinct = {id(channel): channel for _, channel in secrets.values()}.values()
    for y, output in enumerate(outputs):
        columns = {id(channel): column(channel, y) for channel in distinct}
        ends = {s: extremes(region, columns[id(channel)]) for s, (region, channel) in secrets.items()}
        for members, epsilon in statements:
            for s in sorted(members, key=lambda s: ends[s][1])[-2:]:
                for other in sorted(members, key=lambda s: ends[s][0])[:2]:
                    high, low = ends[s][1], ends[other][0]
                    if s != other and not alike(high, epsilon, low):
                        pair = f"{json.dumps(s)} against {json.dumps(other)} at output {json.dumps(output)}"
                        raise NotPrivate(f"{pair}: ratio {high / low if low else 'infinite'} exceeds e^epsilon")


def categories(file):
    """The names of the inputs; those of bins are their edges: "0..10", "10..50" and "50..". """
    expect(("categories" in file) != ("bins" in file), "expected either categories or bins")
    if "categories" in file:
        return names(file["categories"])
    edges = [number(edge) for edge in items(file["bins"])]
    expect(edges and all(a < b for a, b in zip(edges, edges[1:])), "bins must ascend")
    return [f"{a}..{b}" for a, b in zip(edges, [*edges[1:], ""])]


def read_channel(value, extra, inputs, outputs):
    """Rows that each sum to 2^53, or keep and redraw where there are as many outputs as inputs."""
    if isinstance(value, dict) and "rows" in value:
        channel = {"rows": [weights(row, outputs) for row in items(table(value, {"rows", *extra})["rows"], inputs)]}
        sums = map(sum, channel["rows"])
    else:
        table(value, {"keep", "redraw", *extra})
        expect(inputs == outputs, "keep and redraw are for outputs that are the inputs")
        channel = {key: weights(value[key], inputs) for key in ("keep", "redraw")}
        sums = [sum(channel["redraw"])]
    expect(all(found == UNIT for found in sums), "a row does not sum to 2^53")
    return channel


def read_statements(file, known):
    """The pairs and sets of secrets that look alike, each with its ε, which is at most that of the file."""
    top = budget(file["epsilon"])
    expect("edges" in file or "groups" in file, "expected edges or groups")
    entries = [(table(edge, {"pair"}, {"epsilon"}), items(edge["pair"], 2)) for edge in items(file.get("edges", []))]
    for group in items(file.get("groups", [])):
        text(table(group, {"name", "members"}, {"epsilon"})["name"])
        entries.append((group, group["members"]))
    statements = []
    for entry, members in entries:
        own = budget(entry["epsilon"]) if "epsilon" in entry else top
        statements.append((names(members), own if own <= top else top))
        expect(known.issuperset(statements[-1][0]), "a name in an edge or group is not known")
    expect(any(len(members) > 1 for members, _ in statements), "no two secrets are to look alike")
    return statements


def check_meaning(are, file, inputs, statements):
    """What the word of the secrets says of the categories."""
    expect((are == "cells") == ("places" in file), "secrets are cells where there are places, and only there")
    if are == "counts":
        expect(inputs == [str(i) for i in range(len(inputs))], "counts are 0, 1 and so on")
        sets = [set(members) for members, _ in statements]
        joined = all(any({a, b} <= members for members in sets) for a, b in zip(inputs, inputs[1:]))
        expect(joined, "two neighbouring counts are no pair")
    if are == "cells":
        places = table(file["places"], {"origin", "columns", "rows", "step"})
        columns, rows, step = whole(places["columns"], 1, 1024), whole(places["rows"], 1, 1024), positive(places["step"])
        expect(2 <= columns * rows <= 1024, "expected from 2 to 1024 cells")
        expect(inputs == [f"{c},{r}" for r in range(rows) for c in range(columns)], "the categories are not the cells")
        stretch(*map(number, items(places["origin"], 2)), step * max(columns, rows) / 2)


def verify_finite(file, are):
    inputs = categories(file)
    outputs = names(file["outputs"]) if "outputs" in file else inputs
    channels, size = items(file["channels"]), (len(inputs), len(outputs))
    if file["kind"] == "point":
        laws = {x: [Fraction(x == other) for other in inputs] for x in inputs}
    else:
        expect(isinstance(file["profiles"], dict) and names(list(file["profiles"])), "expected profiles with names")
        laws = {name: law(p, len(inputs)) for name, p in file["profiles"].items()}
    regions = {name: region_between(p, p) for name, p in laws.items()}
    if "limits" in file:
        expect(isinstance(file["limits"], dict) and sorted(file["limits"]) == sorted(laws), "expected limits of each profile")
        regions = {name: limits_of(file["limits"][name], p) for name, p in laws.items()}
    if "limits_basis" in file:  # a statement: the claim does not depend on it
        basis = table(file["limits_basis"], {"confidence", "holds_for"})
        expect("limits" in file and 0 < number(basis["confidence"]) < 1, "limits_basis needs limits and a confidence")
        expect(text(basis["holds_for"]) in ("each pair", "all pairs"), "expected each pair or all pairs")
    if file["kind"] == "aware":
        of = [(text(name), channel) for value in channels for channel in [read_channel(value, {"profiles"}, *size)]
              for name in items(value["profiles"])]
        expect(sorted(name for name, _ in of) == sorted(laws), "each profile must have exactly one channel")
        of = dict(of)
    else:
        of = dict.fromkeys(laws, read_channel(items(channels, 1)[0], (), *size))
    statements = read_statements(file, set(laws))
    check_meaning(are, file, inputs, statements)
    prove_pairs({s: (region, of[s]) for s, region in regions.items()}, outputs, statements)
    return f"{count_pairs(statements)} of {are} within epsilon {file['epsilon']}"


def count_pairs(statements):
    if sum(len(members) ** 2 for members, _ in statements) > 10**7:
        return "all pairs"
    pairs = {frozenset((s, other)) for members, _ in statements for s in members for other in members if s != other}
    return f"{len(pairs)} pair{'s' * (len(pairs) > 1)}"


# -------------------------------------------------------------------------------- part one: frequency oracles


def verify_oracle(file, _):
    """Any two categories are ε-alike in one report, by the closed form of the largest ratio, reached in both directions.

    unary: only the bits of x and x' have different laws. Reports that are 1 for x and 0 for x' have the ratio
    one·(1 − other) : other·(1 − one), those that are 0 and 1 its inverse, all others 1.
    hash: of a function that sends x and x' to different buckets, the bucket of x has keep : (1 − keep)/(g − 1), that of
    x' the inverse, and others 1. There is one, as any two values are independent under the drawn function.
    hadamard: two rows differ in half of the columns, so some column is +1 for x and −1 for x': plus : 1 − plus.
    subset: C(d−1, k−1) sets of size k hold x, and C(d−1, k) = C(d−1, k−1)·(d − k)/k do not; a set with x and without x'
    has include/C(d−1, k−1) : (1 − include)/C(d−1, k).
    In each case a report supports its own category with a weight above that of any other, or it tells nothing."""
    d, kind = len(categories(file)), file["kind"]
    weight = {key: whole(file[key], 0, UNIT) for key in KINDS[kind][0] & {"one", "other", "keep", "plus", "include"}}
    expect(2 <= d <= 2**31, "expected at least two categories")
    if kind == "unary":
        one, other = weight["one"], weight["other"]
        a, b, tells = one * (UNIT - other), other * (UNIT - one), one > other
    elif kind == "hash":
        g = whole(file["buckets"], 2, 65521)
        expect(all(g % k for k in range(2, isqrt(g) + 1)), "buckets must be a prime number")
        a, b, tells = weight["keep"] * (g - 1), UNIT - weight["keep"], weight["keep"] * g > UNIT
    elif kind == "hadamard":
        a, b, tells = weight["plus"], UNIT - weight["plus"], 2 * weight["plus"] > UNIT
    else:
        k = whole(file["size"], 1, d - 1)
        a, b = weight["include"] * (d - k), (UNIT - weight["include"]) * k
        tells = weight["include"] * d > UNIT * k
    expect(tells, "a report supports its own category no more than any other")
    if not (alike(a, budget(file["epsilon"]), b) and alike(b, budget(file["epsilon"]), a)):
        raise NotPrivate(f"two categories, some report: ratio {Fraction(a, b) if b else 'infinite'} exceeds e^epsilon")
    return f"any two categories within epsilon {file['epsilon']}"


# ---------------------------------------------------------------------------------- part two: noise on numbers


def grid_of(value):
    grid = positive(value)
    is_power = (grid.numerator * grid.denominator).bit_count() == 1  # one of them is 1, and the other has one bit
    expect(is_power and Fraction(1, 2**1074) <= grid <= 2**970, "a grid is a power of two from 2^-1074 to 2^970")
    return grid


def loss_of_one_change(file):
    """o = decay · ⌈Δ/g⌉. Numbers Δ apart are at most ⌈Δ/g⌉ steps apart once they are rounded, halves upward, and ln P(z)
    falls by the decay with each step: no release is more than e^o times as likely for one as for the other."""
    grid, decay, steps = grid_of(file["grid"]), budget(file["decay"]), positive(file["sensitivity"])
    expect(Budget(Fraction(1, 2**88)) <= decay, "a decay below 2^-44")
    if "clamp" in file:
        lower, upper = map(number, items(file["clamp"], 2))
        rounded = [(bound / grid + Fraction(1, 2)).__floor__() for bound in (lower, upper)]
        expect(lower < upper and max(map(abs, rounded)) <= UNIT, "bounds of clamp must ascend, within 2^53 steps")
    return decay.times(divide((steps / grid).numerator, (steps / grid).denominator, True))


def verify_numbers(file, are):
    if not loss_of_one_change(file) <= budget(file["epsilon"]):
        raise NotPrivate("the decay times the grid steps between neighbours exceeds epsilon")
    unstated = ", secrets unstated: whether of numbers or of moments the file does not say" if are is None else ""
    return f"numbers at most {file['sensitivity']} apart within epsilon {file['epsilon']}{unstated}"


# --------------------------------------------------------------------------------- part two: moments of a chain

BITS = 512  # of logarithms and exponentials here
STARTS = ("stationary", "arbitrary")


def shorten(q, up):
    """A fraction above or below q that is a multiple of 2^-1024; q itself while it is short, and 0 stays 0."""
    return q if q.denominator.bit_length() <= 1025 else Fraction(divide(q.numerator << 1024, q.denominator, up), 1 << 1024)


def product(left, right):
    """The product of two matrices whose entries are bounds, (below, above), of numbers at least 0."""
    entry = lambda row, column: tuple(shorten(sum(a[side] * b[side] for a, b in zip(row, column)), side) for side in (0, 1))
    return [[entry(row, column) for column in zip(*right)] for row in left]


def exact(rows):
    return [[(p, p) for p in row] for row in rows]


def quotient(pairs):
    """An upper bound on the largest a/b over pairs of bounds; 0/0 does not count, and a/0 is infinite: nothing."""
    largest = Fraction(0)
    for (_, a), (b, _) in pairs:
        if a > 0 and b == 0:
            return None
        largest = max(largest, a / b if a > 0 else largest)
    return largest


class Chain:
    """A Markov chain: its powers, the extreme laws of its first state, and which states can occur when."""

    def __init__(self, initial, transition, length):
        size, self.length = len(transition), length
        self.stationary, unit = initial == "stationary", [[Fraction(x == z) for z in range(size)] for x in range(size)]
        self.powers = {0: exact(unit), 1: exact(transition)}
        first = [stationary_law(transition)] if self.stationary else unit if initial == "arbitrary" else [initial]
        self.first = exact(first)
        states = frozenset(z for row in first for z in range(size) if row[z] > 0)
        self.supports, self.steps = [], [frozenset(z for z in range(size) if row[z] > 0) for row in transition]
        while states not in self.supports:
            self.supports.append(states)
            states = frozenset().union(*(self.steps[x] for x in states))
        self.repeats = self.supports.index(states)  # the supports go around from here on

    def power(self, k):
        if k not in self.powers:
            half = self.power(k // 2)
            self.powers[k] = product(product(half, half), self.power(k % 2))
        return self.powers[k]

    def at(self, t):
        """The states that can occur at moment t."""
        known = len(self.supports)
        return self.supports[t - 1 if t <= known else self.repeats + (t - 1 - self.repeats) % (known - self.repeats)]

    def since(self, t):
        """The supports of moment t and of all after it."""
        return {self.at(later) for later in range(t, min(self.length, t + len(self.supports)) + 1)}

    def laws(self, t):
        """The extreme laws of X_t, one a row."""
        return self.first if self.stationary else product(self.first, self.power(t - 1))

    def influence(self, pairs, laws, before, left, right):
        """An upper bound on e^influence of a moment t on its quilt {X_(t−left), X_(t+right)}; without a node its part is 1.

        X_t separates the nodes, so the odds of x against x' are a product: for X_(t−a) = s it is
        π_t(x')/π_t(x) · P^a(s, x)/P^a(s, x'), for X_(t+b) = u it is P^b(x, u)/P^b(x', u), each largest by itself. The
        quotient of π_t is largest for one of the extreme laws, or as near to that as one likes for a mixed one, under
        which every s of `before` is possible too. `pairs` are the two states that can occur together at t."""
        largest = Fraction(1)
        for x, other in pairs:
            parts = []
            if left is not None:
                past = self.power(left)
                parts += [quotient((law[other], law[x]) for law in laws), quotient((past[s][x], past[s][other]) for s in before)]
            if right is not None:
                parts.append(quotient(zip(self.power(right)[x], self.power(right)[other])))
            if None in parts:
                return None
            odds = Fraction(1)
            for part in parts:
                odds *= part
            largest = max(largest, odds)
        return largest


def stationary_law(transition):
    """The law π with πP = π and Σπ = 1, which must be the only one: Gauss's elimination in fractions."""
    size = len(transition)
    rows = [[transition[x][z] - (x == z) for x in range(size)] + [Fraction(0)] for z in range(size)]
    rows.append([Fraction(1)] * (size + 1))
    for i in range(size):
        pivot = next((k for k in range(i, size + 1) if rows[k][i] != 0), None)
        if pivot is None:
            raise NotProved("a chain that starts stationary has more than one stationary law")
        rows[pivot], rows[i] = rows[i], [q / rows[pivot][i] for q in rows[pivot]]
        for k in range(size + 1):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][size] for i in range(size)]


def prove_quilts(chain, runs, length, loss, epsilon):
    """Every moment t has a quilt with e + o·card ≤ ε: theorem 4.3 of Song, Wang and Chaudhuri 2017."""
    known = {}

    def require(t, key, pairs, laws, before, left, right, card):
        if key not in known:
            odds = chain.influence(pairs, laws, before, left, right)
            known[key] = odds is not None and (
                loss.times(card) <= epsilon if odds == 1 else
                ln_bound(odds, BITS, True) + card * loss.bound(BITS, True) <= epsilon.bound(BITS, False))
        if not known[key]:
            raise NotPrivate(f"not proved: the quilt of moment {t} does not show the claim")

    def together(sets):
        return {(x, other) for states in sets for x in states for other in states if x != other}

    for run in runs:
        start, left, right = run["from"], run.get("left"), run.get("right")
        laws = None if "to" not in run else chain.laws(start)
        for t in range(start, run.get("to", start - 1) + 1):
            a, b = left if left and left < t else None, right if right and right <= length - t else None
            card = (t if a is None else a) + (length - t + 1 if b is None else b) - 1
            before = chain.at(t - a) if a else None
            require(t, (a, b, card) if chain.stationary else t, together([chain.at(t)]), laws, before, a, b, card)
            laws = laws if chain.stationary else product(laws, chain.power(1))
        if laws is None:
            # For all t ≥ start the law is some law of an earlier moment times P^(start−1), so its quotients are at most the
            # largest in a row of that power. The parts of a quilt are at least 1 and card is largest with both nodes.
            if (left is None) != (right is None):
                raise NotProved("a run without an end has one distance")
            rows = chain.first if chain.stationary else [chain.power(start - 1)[z] for z in frozenset().union(*chain.since(1))]
            before = frozenset().union(*chain.since(max(1, start - left))) if left else None
            card = min(length, left + right - 1) if left else length
            require(start, "rest", together(chain.since(start)), rows, before, left, right, card)


def contraction(transition):
    """An upper bound on c = (√r − 1)/(√r + 1), r the largest P(s,z)P(s',z')/(P(s',z)P(s,z')); 1 where one is infinite."""
    states = range(len(transition))
    products = ((a[z] * b[w], b[z] * a[w]) for a in transition for b in transition for z in states for w in states)
    r = quotient(((p, p), (q, q)) for p, q in products)
    root = Budget(r).bound(BITS, True) if r is not None else None
    return (root - 1) / (root + 1) if root else Fraction(1)


def sum_of_powers(c, n):
    """An upper bound on c + c² + … + cⁿ = c(1 − cⁿ)/(1 − c)."""
    power, square, k = Fraction(1), c, n
    while k and c < 1:
        power, square, k = shorten(power * square, False) if k % 2 else power, shorten(square**2, False), k // 2
    return c * (1 - power) / (1 - c) if c < 1 else Fraction(n)


def prove_contraction(c, length, loss, epsilon):
    """o·Σ_j c^|m−j| ≤ ε with m in the middle, or some l has o + h(l) ≤ l and o + 2h(l) ≤ ε, tanh(h/4) = c·tanh(l/4).

    l − h(l) and h rise with l, so the l with o + h = l serves if any does. For it H = tanh(h/4) = c·tanh((o + h)/4) is
    the root of uH² + (1 − c)H − cu with u = tanh(o/4), by the addition theorem. That polynomial rises with H, and
    2h ≤ ε − o is H ≤ w = tanh((ε − o)/8): so the claim holds if uw² + (1 − c)w ≥ cu. Larger c and u, which make the root
    larger, and a smaller w can only refuse more."""
    middle = (length - 1) // 2
    if loss.times(1 + sum_of_powers(c, middle) + sum_of_powers(c, length - 1 - middle)) <= epsilon:
        return
    room = epsilon.bound(BITS, False) - loss.bound(BITS, True)
    if room > 0:
        u = 1 - 2 / (exp_bound(loss.bound(BITS, True) / 2, BITS, True) + 1)
        w = 1 - 2 / (exp_bound(room / 4, BITS, False) + 1)
    if room <= 0 or u * w**2 + (1 - c) * w < c * u:
        raise NotProved("the contraction of the chain does not show the claim")


def read_chain(value):
    rows, initial = items(table(value, {"initial", "transition"})["transition"]), value["initial"]
    expect(rows, "a chain without states")
    return initial if initial in STARTS else law(initial, len(rows)), [law(row, len(rows)) for row in rows]


def read_runs(value, length):
    """Runs of moments that cover 1 to T one after the other."""
    runs, reached = [], 0
    for item in items(value):
        runs.append({key: whole(found, 1, length) for key, found in table(item, {"from"}, {"to", "left", "right"}).items()})
        expect(runs[-1]["from"] == reached + 1, "runs must follow each other")
        reached = runs[-1].get("to", length)
        expect(reached >= runs[-1]["from"], "a run must not end before it begins")
    expect(reached == length, "runs must cover all moments")
    return runs


def verify_moments(file, _):
    secrets, epsilon, loss = file["secrets"], budget(file["epsilon"]), loss_of_one_change(file)
    table(secrets, {"are", "length", "proof"} | ({"chains"} if "chains" in secrets else {"initial", "leave"}))
    length, proof = whole(secrets["length"], 1, 2**40), table(secrets["proof"], {"by"}, {"quilts"})
    by_quilts = text(proof["by"]) == "quilts"
    expect(by_quilts == ("quilts" in proof) and (by_quilts or proof["by"] == "contraction"), "no such proof")
    if "chains" in secrets:
        chains = [read_chain(chain) for chain in items(secrets["chains"])]
        expect(chains and len({len(rows) for _, rows in chains}) == 1, "chains must have the same states")
    else:
        expect(secrets["initial"] in STARTS and not by_quilts, "limits have no such start or proof")
        limits = [[number(p) for p in items(pair, 2)] for pair in items(secrets["leave"], 2)]
        expect(all(0 <= low <= high <= 1 for low, high in limits), "limits of leaving must be probabilities that ascend")
        chains = [(None, [[1 - p, p], [q, 1 - q]]) for p in limits[0] for q in limits[1]]
    if by_quilts:
        runs = [read_runs(one, length) for one in items(proof["quilts"], len(chains))]
        one_by_one = sum(run["to"] - run["from"] + 1 for one in runs for run in one if "to" in run)
        if one_by_one > min(2**22, max(2**10, 2**28 // len(chains[0][1]) ** 2)):
            raise NotProved("too many moments one by one")
        for chain, one in zip(chains, runs):
            prove_quilts(Chain(*chain, length), one, length, loss, epsilon)
    else:
        prove_contraction(max(contraction(rows) for _, rows in chains), length, loss, epsilon)
    return f"any one moment of a chain of {length} within epsilon {file['epsilon']}, by {proof['by']}"


# ---------------------------------------------------------------------------------- part two: noise on places

SCALE = 128  # intervals are in units of 2^-128
FAR = "the region comes too near a pole or around the earth"


class Interval:
    """All numbers from low to high, in units of 2^-128; results are rounded outward."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends) >> SCALE, -(-max(ends) >> SCALE))

    def __truediv__(self, other):
        expect(not other.low <= 0 <= other.high, FAR)
        ends = [(a << SCALE, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(a // b for a, b in ends), max(-(-a // b) for a, b in ends))

    def sqrt(self):
        return Interval(isqrt(self.low << SCALE), isqrt(self.high << SCALE) + 1)


def near(*fractions):
    """Intervals that hold these numbers."""
    found = [Interval(*(divide(int(q.numerator) << SCALE, q.denominator, up) for up in (False, True))) for q in fractions]
    return found if len(found) > 1 else found[0]


def arc_tangent(n):
    """arctan 1/n = 1/n − 1/3n³ + …: 100 terms, each with an error below one unit, and what follows is less than one."""
    total = sum((1 << SCALE) // (k * n**k) * (2 - k % 4) for k in range(1, 200, 2))
    return Interval(total - 200, total + 200)

ONE = near(1)
DEGREE = (near(16) * arc_tangent(5) - near(4) * arc_tangent(239)) / near(180)  # π by Machin's formula


def sine_cosine_at(x):
    """sin x and cos x for |x| < 2 by Σ xⁿ/n!: fewer than 100 terms with errors below three units, so below 512 in all."""
    sums, term, n = [0, 0, 0, 0], 1 << SCALE, 0
    while abs(term) > 1:
        sums[n % 4], n = sums[n % 4] + term, n + 1
        term = term * x // (n << SCALE)
    return sums[1] - sums[3], sums[0] - sums[2]


def sine_cosine(x):
    """sin and cos over an interval within ±90°, where sin rises, and cos rises up to 0 and falls from there."""
    (sine, cosine), (other_sine, other_cosine) = sine_cosine_at(x.low), sine_cosine_at(x.high)
    top = ONE.high if x.low <= 0 <= x.high else max(cosine, other_cosine) + 512
    return Interval(sine - 512, other_sine + 512), Interval(min(cosine, other_cosine) - 512, top)

FLATTENING, RADIUS = Fraction(1_000_000_000, 298_257_223_563), Fraction(6_378_137)  # of the ellipsoid WGS 84
SQUARED = FLATTENING * (2 - FLATTENING)  # e², of its eccentricity


def earth(latitude):
    """sin φ, cos φ; N = a/W and M = a(1 − e²)/W³, the radii of curvature across and along the meridian, W² = 1 − e²sin²φ;
    and M'/M = 3e²·sin φ·cos φ/W²."""
    sine, cosine = sine_cosine(latitude * DEGREE)
    square = ONE - near(SQUARED) * sine * sine
    across = near(RADIUS) / square.sqrt()
    return sine, cosine, across, across * near(1 - SQUARED) / square, near(3 * SQUARED) * sine * cosine / square


def double(x):
    """The fraction of 53 bits nearest to the number that an interval holds."""
    middle = Fraction(x.low + x.high, 2 << SCALE)
    bits = abs(x.low + x.high).bit_length() - SCALE - 1  # 2^(bits − 1) ≤ |middle| < 2^bits
    return round(middle * Fraction(2) ** (53 - bits)) * Fraction(2) ** (bits - 53)


class Projection:
    """The map of a region to the plane. With t and l the degrees from the origin, Y(t) = n₁t + n₂t² + n₃t³, R = 1 − κY(t) and
    θ = κAl: x = R·sin θ/κ and y = Y(t) + R(1 − cos θ)/κ (at κ = 0: x = Al, y = Y(t)). Its coefficients are the doubles
    nearest to n₁ = Mδ, n₂ = M'δ²/2, n₃ = M''δ³/6, A = N·cos φ·δ and κ = tan φ/N at the origin, with δ = π/180.

    Its derivatives by l and t have the lengths R·A and Y' and are at right angles, as are east and north. So a short way on
    the ground is stretched at most by the larger of the scales Y'/(Mδ) and R·A/(N·cos φ·δ), which depend on t alone."""

    def __init__(self, latitude):
        self.latitude = latitude
        sine, cosine, across, along, growth = earth(near(latitude))
        falls = near(3 * SQUARED) * (cosine * cosine - sine * sine) / (ONE - near(SQUARED) * sine * sine)
        bend = near(Fraction(5, 3)) * growth * growth + falls  # M''/M
        first = along * DEGREE
        second, third = first * growth * DEGREE / near(2), first * bend * DEGREE * DEGREE / near(6)
        self.north, self.east = [double(n) for n in (first, second, third)], double(across * cosine * DEGREE)
        self.cone = double(sine / (cosine * across)) if latitude else Fraction(0)

    def northing(self, t):
        return ((self.north[2] * t + self.north[1]) * t + self.north[0]) * t

    def scales(self, t):
        """Both scales over an interval of t, each with the derivative of its logarithm; (N·cos φ)' = −M·sin φ."""
        sine, cosine, across, along, growth = earth(near(self.latitude) + t)
        n1, n2, n3, cone, east = near(*self.north, self.cone, self.east)
        slope, bend = (near(3) * n3 * t + near(2) * n2) * t + n1, near(6) * n3 * t + near(2) * n2
        ratio, parallel = ONE - cone * (((n3 * t + n2) * t + n1) * t), across * cosine
        expect(min(slope.low, ratio.low, parallel.low) > 0, FAR)
        return [(slope / (along * DEGREE), bend / slope - growth * DEGREE),
                (east * ratio / (parallel * DEGREE), along * sine / parallel * DEGREE - cone * slope / ratio)]

    def largest_scale(self, south, north):
        """Branch and bound: where the derivative has one sign an end is the largest, and else the middle and what the derivative
        adds at most bound it; a part is cut in two while that is more than 2^-40 above the largest at points."""
        parts, largest = [(south, north)], 0
        found = max(scale.high for end in (south, north) for scale, _ in self.scales(near(end)))
        while parts:
            a, b = parts.pop()
            at_middle = [scale.high for scale, _ in self.scales(near((a + b) / 2))]
            over, half, bound = self.scales(Interval(near(a).low, near(b).high)), near((b - a) / 2), 0
            found = max(found, *at_middle)
            for (scale, growth), middle in zip(over, at_middle):
                change = scale * growth * half
                if growth.low < 0 < growth.high:
                    bound = max(bound, middle + max(-change.low, change.high))
            if bound > found + (1 << SCALE - 40) and (b - a) * 4096 > north - south:
                parts += [(a, (a + b) / 2), ((a + b) / 2, b)]
            else:
                largest = max(largest, bound)
        return Fraction(max(found, largest), 1 << SCALE)


def least(low, high, enough):
    """The end of a bisection at which `enough` holds, as it must at `high`."""
    expect(enough(high), FAR)
    for _ in range(34):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def highest(latitude, east):
    """The latitude that shortest ways between places up to `latitude`, at most `east` degrees from the origin, do not exceed.

    A geodesic is a great circle of a sphere on which tan φ is multiplied by 1 − f and longitudes grow faster, by at most
    1/(1 − f). There tan φ is in proportion to the cosine of the longitude from the highest point, and where that lies
    between the ends it is within half of their difference from one: tan highest ≤ tan latitude/cos(east/(1 − f))."""
    if latitude <= 0:
        return latitude
    sine, cosine = sine_cosine(near(latitude) * DEGREE)
    turn = sine_cosine(near(east / (1 - FLATTENING)) * DEGREE)[1]

    def enough(candidate):
        high_sine, high_cosine = sine_cosine(near(candidate) * DEGREE)
        return (high_sine * cosine * turn).low >= (sine * high_cosine).high

    return least(latitude, Fraction(89), enough)


@lru_cache(maxsize=256)
def stretch(latitude, longitude, half_width):
    """L ≥ 1: points in the plane are at most L times as far apart as the places on the ground.

    Let h be the half width and a metre more, for the border of a grid. In that square R² = (κx)² + (1 − κy)², so that Y is
    at most h towards the tip of the cone and h + |κ|h²/2 away from it, and |θ| ≤ |tan θ| = |κx|/(1 − κy)."""
    expect(abs(latitude) <= 89 and abs(longitude) <= 180 and half_width >= 1, FAR)
    plane, h = Projection(latitude), half_width + 1
    pointed = abs(plane.cone) * h
    expect(2 * pointed <= 1, FAR)
    away = h + pointed * h / 2
    to_north, to_south = (away, h) if plane.cone < 0 else (h, away)
    north = least(Fraction(0), to_north / 100_000, lambda t: plane.northing(t) >= to_north)
    south = least(Fraction(0), to_south / 100_000, lambda t: -plane.northing(-t) >= to_south)
    east = h / (plane.east * (1 - pointed))
    expect(max(latitude + north, south - latitude) <= 89 and east <= 80, FAR)
    ends = highest(south - latitude, east), highest(latitude + north, east)
    return max(Fraction(1), plane.largest_scale(-ends[0] - latitude, ends[1] - latitude))


def verify_places(file, _):
    """The grid is endless, so that the law is the same around each of its points, and P(z − i)/P(z − j) ≤ e^(decay·|i − j|) by
    the triangle inequality. |i − j|·g ≤ L·d + √2·(g + 2^-19): rounding moves each coordinate by at most g/2, and doubles by
    2^-20. So places d metres apart are ε(d + r)-alike if decay·L ≤ ε·g."""
    epsilon, decay, grid, half_width = budget(file["epsilon"]), budget(file["decay"]), grid_of(file["grid"]), number(file["half_width"])
    expect(Fraction(1, 2**10) <= grid <= min(half_width, 2**20), "a grid that does not fit into the region, or below 2^-10 m")
    expect(Budget(Fraction(1, 2**80)) <= decay <= Budget(Fraction(1)), "a decay outside of 2^-40 to 1")
    if not decay.times(stretch(*map(number, items(file["origin"], 2)), half_width) / grid) <= epsilon:
        raise NotPrivate("the decay times the stretch of the map exceeds epsilon times the grid")
    return f"places d metres apart within epsilon {file['epsilon']} times (d + r), r = 1.4143 * ({grid} + 2^-19) metres"


# ------------------------------------------------------------------------------------------------ the whole file

BETWEEN = {"outputs", "edges", "groups", "categories", "bins"}
KINDS = {  # the keys that each kind needs and may have, and for each word of its secrets what verifies them
    "aware": ({"channels", "profiles"}, BETWEEN | {"limits", "limits_basis"}, {"profiles": verify_finite}),
    "shared": ({"channels", "profiles"}, BETWEEN | {"limits", "limits_basis"}, {"profiles": verify_finite}),
    "point": ({"channels"}, BETWEEN | {"places"}, dict.fromkeys(["values", "counts", "cells"], verify_finite)),
    "unary": ({"one", "other"}, {"categories", "bins"}, {"values": verify_oracle}),
    "hash": ({"buckets", "keep"}, {"categories", "bins"}, {"values": verify_oracle}),
    "hadamard": ({"plus"}, {"categories", "bins"}, {"values": verify_oracle}),
    "subset": ({"size", "include"}, {"categories", "bins"}, {"values": verify_oracle}),
    "discrete-laplace": ({"law", "decay", "grid", "sensitivity"}, {"clamp"}, {"numbers": verify_numbers, "moments": verify_moments}),
    "planar-laplace": ({"law", "decay", "grid", "half_width", "origin"}, set(), {"places": verify_places}),
}


def verify(data):
    """What is proved of the file that these bytes are, as a sentence; raises NotPrivate or NotAFile otherwise."""
    file = read_json(data)
    expect(isinstance(file, dict) and file.get("format") == "lookalike-mechanism", "expected a mechanism file")
    version, kind = whole(file.get("version"), 1, 2), text(file.get("kind"))
    law_or_kind = text(file.get("law")) if kind == "noise" else kind
    expect(law_or_kind in KINDS and (kind == "noise") == law_or_kind.endswith("-laplace"), "the kind or law is not known")
    required, optional, words = KINDS[law_or_kind]
    required = required | {"format", "version", "kind", "epsilon"} | ({"secrets"} if version == 2 else set())
    table(file, required, optional | {"mechanism", "objective", "certificate"})
    text(file.get("mechanism", ""))
    for key in {"objective", "certificate"} & set(file):
        expect(isinstance(file[key], dict), f"{key} must be a table")
    if version == 1:  # the kind says what the secrets are, but of noise on numbers or moments nobody can know
        are = "cells" if "places" in file else None if "sensitivity" in file else next(iter(words))
    else:
        expect(isinstance(file["secrets"], dict) and text(file["secrets"].get("are")) in words, "secrets of another kind")
        are = file["secrets"]["are"]
        expect(are == "moments" or len(file["secrets"]) == 1, "more than a word for the secrets")
    return (words[are] if are else verify_numbers)(file, are)


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if len(arguments) == 1 else 2
    try:
        with open(arguments[0], "rb") as file:
            print(f"Certified: {verify(file.read())}.")
        return 0
    except NotPrivate as reason:
        print(f"{reason.word}: {reason}")
        return 1
    except (NotAFile, OSError) as reason:
        print(f"error: {arguments[0]}: {reason}", file=sys.stderr)
        return 2

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
