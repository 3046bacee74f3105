#!/usr/bin/env python3
"""Proves or refuses the claim of a Lookalike mechanism file: python3 verify.py m.json

Written from docs/mechanism-file.md and the mathematics beside each function, and from nothing else: it shares no code with
the program that wrote the file. Plain Python 3.10 or later, its standard library only, and no float. Part one is about
channels between categories and frequency oracles, part two about noise.

Exit codes: 0 the claim is proved, 1 it is not, with a witness where there is one, 2 this is no valid mechanism file.
"""
import json
import re
import sys
from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm

UNIT = 2**53  # a weight w is the probability w / 2^53


class NotAFile(Exception):
    """What was read is no mechanism file, so there is no claim."""


class NotPrivate(Exception):
    """The claim is false, or its own proof does not show it."""


# ---------------------------------------------------------------- part one: reading


class Number(str):
    """A number of JSON as it was written: no float comes of it."""


def unique_keys(pairs):
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise NotAFile("a key occurs twice")
    return keys


def no_constant(text):
    raise NotAFile(f"{text} is no number")


def read_json(data):
    """The value that the bytes spell, with every number left as text."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=unique_keys, parse_int=Number, parse_float=Number, parse_constant=no_constant)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # refuses half of a surrogate pair
        return value
    except (ValueError, RecursionError) as error:
        raise NotAFile(f"not JSON: {type(error).__name__}") from None


def table(value, required, optional=()):
    """A table with all the required keys, perhaps the optional ones, and no other."""
    if not isinstance(value, dict):
        raise NotAFile("found something else where a table belongs")
    for key in value:
        if key not in required and key not in optional:
            raise NotAFile(f"key {json.dumps(key)} is not known here")
    for key in required:
        if key not in value:
            raise NotAFile(f"key {json.dumps(key)} is missing")
    return value


def items(value, length=None):
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise NotAFile("found something else where a list belongs" + (f" of {length}" if length is not None else ""))
    return value


def text(value):
    if not isinstance(value, str) or isinstance(value, Number):
        raise NotAFile("found something else where a text belongs")
    return value


def names(value):
    """A list of different names, at least one."""
    found = [text(item) for item in items(value)]
    if not found or "" in found or len(set(found)) < len(found):
        raise NotAFile("names must be different and not empty, at least one")
    return found


def whole(value, least, most):
    """A whole number that is written as one: neither 1.0 nor 1e3."""
    if not isinstance(value, Number) or not re.fullmatch("0|[1-9][0-9]{0,30}", value) or not least <= int(value) <= most:
        raise NotAFile(f"expected a whole number from {least} to {most}")
    return int(value)


def weights(value, length):
    return [whole(item, 0, UNIT) for item in items(value, length)]


DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?")


def decimal(spelled):
    parts = DECIMAL.fullmatch(spelled)
    if not parts or len(spelled) > 1000:
        raise NotAFile("found something else where a number belongs")
    sign, before, after, exponent = parts[1], parts[2], parts[3] or "", int(parts[4] or 0)
    return int(sign + before + after) * Fraction(10) ** (exponent - len(after))


def number(value):
    """An exact number as text: "2", "-0.25", "1e-3", or a fraction of two such, "1/3"."""
    above, _, below = text(value).partition("/")
    if len(value) > 1000 or value.endswith("/"):
        raise NotAFile("found something else where a number belongs")
    divisor = decimal(below) if below else Fraction(1)
    if divisor == 0:
        raise NotAFile("a number is divided by zero")
    return decimal(above) / divisor


# ---------------------------------------------------------------- part one: budgets, and comparing with e^ε


def divide(above, below, up):
    """above / below, rounded to a whole number upward or downward."""
    return -(-above // below) if up else above // below


@lru_cache(maxsize=4096)
def ln_bound(q, bits, up):
    """A number above (or below) ln q for a fraction q > 1, about 2^-bits from it.

    q = m·2^k with 1 ≤ m < 2, and ln m = 2·artanh z = 2(z + z³/3 + z⁵/5 + …) with z = (m − 1)/(m + 1) < 1/3. Sums are in
    units of 2^-bits; what follows once a power is one unit or less is below that power · 9/8."""
    k = q.numerator.bit_length() - q.denominator.bit_length()
    k -= q < Fraction(2) ** k
    m = q / 2**k
    z = (m - 1) / (m + 1)
    power = divide(z.numerator << bits, z.denominator, up)
    square = divide(z.numerator**2 << bits, z.denominator**2, up)
    total, odd = 0, 1
    while power > 1:
        total, power, odd = total + divide(power, odd, up), divide(power * square, 1 << bits, up), odd + 2
    total = 2 * (total + 2 * up * (z != 0))
    if k > 0:
        total += k * (ln_two(bits)[up])
    return Fraction(total, 1 << bits)


@lru_cache(maxsize=64)
def ln_two(bits):
    """Whole numbers below and above 2^bits · ln 2, and ln 2 = 2·artanh(1/3)."""
    total = sum(2 * (1 << bits) // (odd * 3**odd) for odd in range(1, bits + 1, 2))
    return total, total + bits + 2


@lru_cache(maxsize=4096)
def exp_bound(x, bits, up):
    """A number above (or below) e^x for a fraction x ≥ 0, about 2^-bits of it from it.

    e^x = (e^y)^(2^h) with y = x/2^h ≤ 1/2. The series of e^y is summed in units of 2^-p; once a term is one unit or less
    all that follow are below two units."""
    h = max(0, (x.numerator // x.denominator).bit_length() + 1)
    y, p = x / 2**h, bits + 2 * h + 10
    total, term, i = 0, 1 << p, 1
    while term > 1:
        total, term, i = total + term, divide(term * y.numerator, y.denominator * i, up), i + 1
    total += 2 * up * (x != 0)
    for _ in range(h):
        total = divide(total * total, 1 << p, up)
    return Fraction(total, 1 << p)


def root(n, k):
    """The k-th root of a whole number, rounded down: Newton's method from above."""
    x = 1 << -(-n.bit_length() // k)
    while (y := ((k - 1) * x + n // x ** (k - 1)) // k) < x:
        x = y
    return x


def exact_root(q, k):
    """The k-th root of a fraction if it is a fraction, or else nothing."""
    r = Fraction(root(q.numerator, k), root(q.denominator, k))
    return r if r**k == q else None


class Budget:
    """√square, or √square · ln base: positive, and in one form for each value.

    The base is no power of a fraction. By the theorems of Lindemann and of Gelfond and Schneider two such numbers are equal
    only where square and base are, and e to the power of one is a fraction only where it is a power of the base."""

    def __init__(self, square, base=None):
        self.square, self.base = square, base

    def times(self, factor):
        return Budget(self.square * factor**2, self.base)

    @lru_cache(maxsize=4096)
    def bound(self, bits, up):
        """A fraction above or below, about 2^-bits of it from it; the number itself where it is a fraction."""
        factor = exact_root(self.square, 2)
        if factor is None:
            scale = bits + max(0, self.square.denominator.bit_length() - self.square.numerator.bit_length()) // 2 + 2
            factor = Fraction(isqrt((self.square.numerator << 2 * scale) // self.square.denominator) + up, 1 << scale)
        if self.base is None:
            return factor
        return factor * ln_bound(self.base, bits + self.base.denominator.bit_length() + 2, up)

    def power(self):
        """The c with e^ε = base^c, where e^ε is a fraction."""
        c = exact_root(self.square, 2)
        return int(c) if self.base is not None and c is not None and c.denominator == 1 else None

    @lru_cache(maxsize=4096)
    def exponential(self, bits, up):
        return exp_bound(self.bound(bits + 20, up), bits, up)

    def __le__(self, other):
        """Whether this is at most the other: equal forms, or enclosures that end because unequal forms are unequal numbers."""
        if (self.square, self.base) == (other.square, other.base):
            return True
        bits = 64
        while True:
            if self.bound(bits, True) <= other.bound(bits, False):
                return True
            if self.bound(bits, False) >= other.bound(bits, True):
                return False
            bits *= 2


@lru_cache(maxsize=4096)
def budget(spelled):
    """"1/2", "ln(3)", "2*ln(5/2)", "-ln(0.9)", "ln(4)/200", "1/2*sqrt(2)*ln(3)": a product, at most one factor of each kind."""
    factor, square, base, seen = Fraction(1), Fraction(1), None, set()
    for part in text(spelled).split("*"):
        found = re.fullmatch(r"(-?)(ln|sqrt)\(([^()]+)\)(?:/([^/]+))?", part)
        kind = found[2] if found else "number"
        if kind in seen:
            raise NotAFile("a budget has two factors of one kind")
        seen.add(kind)
        if kind == "number":
            factor *= number(part)
            continue
        factor *= Fraction(-1 if found[1] else 1) / (decimal(found[4]) if found[4] else 1)
        inner = number(found[3])
        if inner <= 0:
            raise NotAFile("a logarithm or root of what is not above 0")
        if kind == "sqrt":
            square = inner
        else:
            base = inner
    if base is not None and base < 1:
        factor, base = -factor, 1 / base
    if factor <= 0 or base == 1:
        raise NotAFile("a budget must be above 0")
    if base is not None:
        for k in range(2, base.numerator.bit_length() + 1):
            while (lower := exact_root(base, k)) is not None:
                factor, base = factor * k, lower
    return Budget(factor**2 * square, base)


def alike(a, epsilon, b):
    """Whether a ≤ e^ε·b for a, b ≥ 0, decided exactly; equality passes.

    Where e^ε = base^c is a fraction and a/b could be equal to it, fractions are compared: then 2^c ≤ numerator of a/b.
    Otherwise they differ, so that enclosures of e^ε decide once they are narrow enough."""
    if a <= b:
        return True
    if b == 0:
        return False
    ratio, bits = Fraction(a) / b, 64
    while True:
        if ratio <= epsilon.exponential(bits, False):
            return True
        if ratio > epsilon.exponential(bits, True):
            return False
        c = epsilon.power()
        if c is not None and c <= ratio.numerator.bit_length():
            return ratio <= epsilon.base**c
        bits *= 2


# ---------------------------------------------------------------- part one: channels between categories


def column(channel, y):
    """The probabilities of output y for each input, as whole numbers out of 2^106."""
    if "rows" in channel:
        return [row[y] * UNIT for row in channel["rows"]]
    keep, redraw = channel["keep"], channel["redraw"]
    return [(x == y) * keep[x] * UNIT + (UNIT - keep[x]) * redraw[y] for x in range(len(keep))]


def extremes(region, values):
    """The least and the largest Σ P(x)·values(x) over the laws P of a region, l ≤ P ≤ u and ΣP = 1, as fractions.

    Each is a fractional knapsack: begin with l, and hand out what is missing to 1 where values are least (largest) first, up
    to u. A law that is known is the region l = u: nothing is left to hand out, and both are q(y)."""
    lower, upper, whole_law = region  # whole numbers out of whole_law
    fixed, missing = sum(map(int.__mul__, lower, values)), whole_law - sum(lower)
    if missing == 0:
        return Fraction(fixed, whole_law), Fraction(fixed, whole_law)
    ends = []
    order = sorted(range(len(values)), key=values.__getitem__)
    for inputs in (order, reversed(order)):
        left, total = missing, fixed
        for x in inputs:
            given = min(left, upper[x] - lower[x])
            left, total = left - given, total + given * values[x]
        ends.append(Fraction(total, whole_law))
    return tuple(ends)


def prove_pairs(secrets, outputs, statements):
    """Each two secrets s, s' of a statement, an edge or a group with its ε, have H_s(y) ≤ e^ε·h_s'(y) at each output y.

    If any pair of a group breaks this, then one of those breaks it whose H is among the two largest and whose h among the two
    least: two, since nothing is said of a secret and itself."""
    for y, name in enumerate(outputs):
        columns = {}
        for _, channel in secrets.values():
            if id(channel) not in columns:
                columns[id(channel)] = column(channel, y)
        bounds = {s: extremes(region, columns[id(channel)]) for s, (region, channel) in secrets.items()}
        for members, epsilon in statements:
            large = sorted(members, key=lambda s: bounds[s][1])[-2:]
            small = sorted(members, key=lambda s: bounds[s][0])[:2]
            for s in large:
                for other in small:
                    high, low = bounds[s][1], bounds[other][0]
                    if s != other and not alike(high, epsilon, low):
                        pair = f"{json.dumps(s)} against {json.dumps(other)} at output {json.dumps(name)}"
                        raise NotPrivate(f"{pair}: ratio {high / low if low else 'infinite'} exceeds e^epsilon")


def edge_names(file):
    """The names of the inputs: those of categories, or of bins by their lower edges, "0..10", "10..50" and "50..": and whether they are bins."""
    if ("categories" in file) == ("bins" in file):
        raise NotAFile("expected either categories or bins")
    if "categories" in file:
        return names(file["categories"])
    edges = [number(edge) for edge in items(file["bins"])]
    if not edges or any(a >= b for a, b in zip(edges, edges[1:])):
        raise NotAFile("bins must ascend")
    return [f"{a}..{b}" for a, b in zip(edges, [*edges[1:], ""])]


def read_channel(value, extra, inputs, outputs):
    """One channel: rows that each sum to 2^53, or keep and redraw where the outputs are the inputs."""
    if isinstance(value, dict) and "rows" in value:
        rows = [weights(row, len(outputs)) for row in items(table(value, {"rows", *extra})["rows"], len(inputs))]
        if any(sum(row) != UNIT for row in rows):
            raise NotAFile("a row does not sum to 2^53")
        return {"rows": rows}
    table(value, {"keep", "redraw", *extra})
    if inputs != outputs:
        raise NotAFile("keep and redraw are for outputs that are the inputs")
    keep, redraw = weights(value["keep"], len(inputs)), weights(value["redraw"], len(inputs))
    if sum(redraw) != UNIT:
        raise NotAFile("redraw does not sum to 2^53")
    return {"keep": keep, "redraw": redraw}


def point_region(law):
    """A law as the region that holds it alone: limits in whole numbers out of a common denominator."""
    whole_law = lcm(*(p.denominator for p in law))
    limits = [int(p * whole_law) for p in law]
    return limits, limits, whole_law * UNIT**2


def read_law(value, length):
    law = [number(p) for p in items(value, length)]
    if min(law, default=0) < 0 or sum(law) != 1:
        raise NotAFile("probabilities must be at least 0 and sum to exactly 1")
    return law


def read_statements(file, known):
    """The pairs and sets of secrets that look alike, each with its ε, which is at most that of the file."""
    top, statements = budget(file["epsilon"]), []

    def own(value):
        epsilon = budget(value["epsilon"]) if "epsilon" in value else top
        return epsilon if epsilon <= top else top

    if "edges" not in file and "groups" not in file:
        raise NotAFile("expected edges or groups")
    for edge in items(file.get("edges", [])):
        statements.append((names(items(table(edge, {"pair"}, {"epsilon"})["pair"], 2)), own(edge)))
    for group in items(file.get("groups", [])):
        text(table(group, {"name", "members"}, {"epsilon"})["name"])
        statements.append((names(group["members"]), own(group)))
    for members, _ in statements:
        if not known.issuperset(members):
            raise NotAFile("a name of an edge or group is not known")
    return statements


def count_pairs(statements):
    if sum(len(members) ** 2 for members, _ in statements) > 10**7:
        return "all"
    return len({frozenset((s, other)) for members, _ in statements for s in members for other in members if s != other})


def assigned(channels, profiles, inputs, outputs):
    """The channel of each profile: every one in exactly one list."""
    found = {}
    for value in channels:
        channel = read_channel(value, {"profiles"}, inputs, outputs)
        for name in map(text, items(value["profiles"])):
            if name not in profiles or name in found:
                raise NotAFile("a profile of a channel is not known, or has two channels")
            found[name] = channel
    if len(found) < len(profiles):
        raise NotAFile("a profile has no channel")
    return found


def check_finite_secrets(are, file, inputs, statements):
    """What the word of the secrets says about the categories."""
    if are == "counts":
        joined = {frozenset((a, b)) for members, _ in statements for a in members for b in members if int_or(a) + 1 == int_or(b)}
        if inputs != [str(i) for i in range(len(inputs))] or len(joined) < len(inputs) - 1:
            raise NotAFile("counts are 0, 1 and so on, with each two neighbours a pair")
    if (are == "cells") != ("places" in file):
        raise NotAFile("secrets are cells where there are places, and only there")
    if are == "cells":
        places = table(file["places"], {"origin", "columns", "rows", "step"})
        latitude, longitude = map(number, items(places["origin"], 2))
        columns, rows = whole(places["columns"], 1, 2**32), whole(places["rows"], 1, 2**32)
        if not -90 <= latitude <= 90 or not -180 <= longitude <= 180 or number(places["step"]) <= 0:
            raise NotAFile("no grid of places on the ground")
        if columns * rows != len(inputs) or inputs != [f"{c},{r}" for r in range(rows) for c in range(columns)]:
            raise NotAFile("the categories are not the cells")


def int_or(name):
    return int(name) if re.fullmatch("[0-9]{1,9}", name) else -5


def verify_finite(file, are):
    inputs = edge_names(file)
    outputs = names(file["outputs"]) if "outputs" in file else inputs
    channels = items(file["channels"])
    if file["kind"] == "point":
        laws = {x: [Fraction(x == other) for other in inputs] for x in inputs}
    else:
        if not isinstance(file["profiles"], dict) or not file["profiles"] or "" in file["profiles"]:
            raise NotAFile("profiles must be a table with names")
        laws = {name: read_law(law, len(inputs)) for name, law in file["profiles"].items()}
    if file["kind"] == "aware":
        of = assigned(channels, laws, inputs, outputs)
    else:
        channel = read_channel(items(channels, 1)[0], (), inputs, outputs)
        of = {name: channel for name in laws}
    statements = read_statements(file, set(laws))
    check_finite_secrets(are, file, inputs, statements)
    prove_pairs({name: (point_region(law), of[name]) for name, law in laws.items()}, outputs, statements)
    return f"{count_pairs(statements)} pairs of {are} within epsilon {file['epsilon']}"


# ---------------------------------------------------------------- part one: frequency oracles


def verify_oracle(file, _):
    """Any two categories are ε-alike in one report, by the closed form of the largest ratio, which is reached in both directions.

    unary: only the bits of x and x' have different laws. Reports that are 1 for x and 0 for x' have the ratio
    one·(1 − other) : other·(1 − one), those that are 0 and 1 its inverse, and all others 1.
    hash: for each function that sends x and x' to different buckets, the bucket of x has keep : (1 − keep)/(g − 1), the
    bucket of x' the inverse; others, and other functions, 1. There is such a function, as values are pairwise independent.
    hadamard: two rows differ in half of the columns, so some column is +1 for x and −1 for x', with plus : 1 − plus. (Each
    row has as many of either sign.)
    subset: of sets of k there are C(d−1, k−1) that hold x and C(d−1, k) that do not; a set that holds x and not x' has
    include/C(d−1, k−1) : (1 − include)/C(d−1, k), and C(d−1, k)/C(d−1, k−1) = (d − k)/k."""
    d, kind, epsilon = len(edge_names(file)), file["kind"], budget(file["epsilon"])
    if kind == "unary":
        one, other = whole(file["one"], 0, UNIT), whole(file["other"], 0, UNIT)
        a, b = one * (UNIT - other), other * (UNIT - one)
    elif kind == "hash":
        buckets, keep = whole(file["buckets"], 2, 65521), whole(file["keep"], 0, UNIT)
        if any(buckets % k == 0 for k in range(2, isqrt(buckets) + 1)):
            raise NotAFile("buckets must be a prime number")
        a, b = keep * (buckets - 1), UNIT - keep
    elif kind == "hadamard":
        a = whole(file["plus"], 0, UNIT)
        b = UNIT - a
    else:
        size, include = whole(file["size"], 1, max(1, d - 1)), whole(file["include"], 0, UNIT)
        a, b = include * (d - size), (UNIT - include) * size
    if d > 1 and not (alike(a, epsilon, b) and alike(b, epsilon, a)):
        raise NotPrivate(f"two categories, some report: ratio {Fraction(max(a, b), min(a, b)) if min(a, b) else 'infinite'} exceeds e^epsilon")
    return f"any two categories within epsilon {file['epsilon']}"


# ---------------------------------------------------------------- part two: noise on numbers


def grid_step(spelled):
    """A grid is a power of two: a fraction of which one side is 1 and the other has a single bit."""
    grid = number(spelled)
    if grid <= 0 or 1 not in (grid.numerator, grid.denominator) or (grid.numerator * grid.denominator).bit_count() != 1:
        raise NotAFile("a grid is a power of two")
    return grid


def loss_of_one_change(file):
    """o = decay · ⌈Δ/g⌉: numbers Δ apart are at most ⌈Δ/g⌉ steps apart once they are rounded, halves upward, and ln P(z) falls
    by the decay with each step of z, so no release is more than e^o as likely for one as for the other."""
    grid, sensitivity = grid_step(file["grid"]), number(file["sensitivity"])
    if sensitivity <= 0:
        raise NotAFile("a sensitivity must be above 0")
    if "clamp" in file:
        lower, upper = map(number, items(file["clamp"], 2))
        if lower > upper:
            raise NotAFile("clamp has the lower bound first")
    return budget(file["decay"]).times(divide(sensitivity.numerator * grid.denominator, sensitivity.denominator * grid.numerator, True))


def verify_numbers(file, are):
    if not loss_of_one_change(file) <= budget(file["epsilon"]):
        raise NotPrivate("numbers: the decay times the grid steps between neighbours exceeds epsilon")
    unstated = " (secrets unstated: the file does not say whether it hides numbers or moments)" if are == "unstated" else ""
    return f"numbers at most {file['sensitivity']} apart within epsilon {file['epsilon']}{unstated}"


# ---------------------------------------------------------------- part two: moments of a chain

BITS = 512  # of enclosures of the powers of a chain, and of the logarithms that follow from them


def shorten(q, up):
    """A fraction above or below q of about 512 significant bits; q itself while it is short, and 0 stays 0."""
    if q.denominator.bit_length() <= 2 * BITS:
        return q
    shift = BITS + q.denominator.bit_length() - q.numerator.bit_length()
    return Fraction(divide(q.numerator << shift, q.denominator, up), 1 << shift)


class Matrix:
    """A matrix of numbers at least 0, each between a lower and an upper bound; 0 is exactly 0."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __matmul__(self, other):
        def product(left, right, up):
            columns = list(zip(*right))
            return [[shorten(sum(map(Fraction.__mul__, row, column)), up) for column in columns] for row in left]

        if self.low is self.high and other.low is other.high:
            low, high = product(self.low, other.low, False), None
            if all(q.denominator.bit_length() <= BITS for row in low for q in row):
                return Matrix(low, low)
        return Matrix(product(self.low, other.low, False), product(self.high, other.high, True))

    def support(self):
        """The columns where some row is above 0."""
        return frozenset(z for row in self.low for z, p in enumerate(row) if p > 0)

    def quotients(self, rows=None, columns=None):
        """An upper bound on the largest M(x, z)/M(x', z) over the columns z, for each two rows x and x'; 0/0 does not count."""

    def transposed(self):
        high = [list(row) for row in zip(*self.high)]
        return Matrix(high, high) if self.low is self.high else Matrix([list(row) for row in zip(*self.low)], high)


INFINITE = None


def quotient(pairs):
    """The largest a/b over pairs of an upper bound a and a lower bound b; 0/0 does not count, and a/0 is infinite."""
    largest = Fraction(0)
    for a, b in pairs:
        if a > 0 and b == 0:
            return INFINITE
        if a > 0:
            largest = max(largest, a / b)
    return largest


class Chain:
    """A Markov chain: its transition matrix and the extreme laws of its first state, each a row of `starts`."""

    def __init__(self, initial, transition):
        size = len(transition)
        self.step, self.stationary = Matrix(transition, transition), initial == "stationary"
        self.unit = Matrix(*2 * [[[Fraction(x == z) for z in range(size)] for x in range(size)]])
        if self.stationary:
            law = stationary_law(transition)
            self.starts = Matrix([law], [law])
            self.starts.high = self.starts.low
        else:
            self.starts = self.unit if initial == "arbitrary" else Matrix(*2 * [[initial]])
        self.powers = {0: self.unit, 1: self.step}

    def power(self, k):
        if k not in self.powers:
            half = self.power(k // 2)
            self.powers[k] = half @ half @ self.step if k % 2 else half @ half
        return self.powers[k]

    def reached(self, states):
        """All states that can follow those given, at once or later, and themselves."""
        found, fresh = set(states), list(states)
        while fresh:
            row = self.step.low[fresh.pop()]
            fresh += (new := [z for z, p in enumerate(row) if p > 0 and z not in found])
            found.update(new)
        return frozenset(found)


def stationary_law(transition):
    """The law π with πP = π, which must be the only one: elimination in fractions, with Σπ = 1 as the last equation."""
    size = len(transition)
    rows = [[transition[x][z] - (x == z) for x in range(size)] + [Fraction(0)] for z in range(size)] + [[Fraction(1)] * (size + 1)]
    for i in range(size):
        pivot = next((k for k in range(i, size + 1) if rows[k][i] != 0), None)
        if pivot is None:
            raise NotAFile("the stationary law is not the only one")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [q / rows[i][i] for q in rows[i]]
        for k in range(size + 1):
            if k != i and rows[k][i] != 0:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][size] for i in range(size)]


def influence(chain, laws, at, before, left, right):
    """An upper bound on e to the power of the influence of a moment t on its quilt {X_(t−left), X_(t+right)}.

    The state of t separates both sides, so that the odds of x against x' are a product of
    Pr[X_(t−a) = s | x]/Pr[… | x'] = π_t(x')/π_t(x) · P^a(s, x)/P^a(s, x') and P^b(x, u)/P^b(x', u), largest one by one.
    `laws` has a row for each extreme law that X_t may have: the quotient of π_t is largest for one of them. `at` are the
    states that can occur at t, `before` those at t − left. Without a node on a side its factor is 1."""
    if left is None and right is None:
        return Fraction(1)
    past = chain.power(left).transposed() if left is not None else None
    ahead = chain.power(right) if right is not None else None
    largest = Fraction(1)
    for x in at:
        for other in at - {x}:
            factors = []
            if past is not None:
                factors.append(quotient((high[other], low[x]) for high, low in zip(laws.high, laws.low)))
                factors.append(quotient((past.high[x][s], past.low[other][s]) for s in before))
            if ahead is not None:
                factors.append(quotient(zip(ahead.high[x], ahead.low[other])))
            if INFINITE in factors:
                return INFINITE
            product = Fraction(1)
            for factor in factors:
                product *= factor
            largest = max(largest, product)
    return largest


def covered(ratio, cards, change, epsilon):
    """Whether e + o·card ≤ ε, with e = ln ratio."""
    if ratio is INFINITE:
        return False
    if ratio == 1:
        return change.times(cards) <= epsilon
    return ln_bound(ratio, BITS, True) + change.bound(BITS, True) * cards <= epsilon.bound(BITS, False)


def prove_quilts(chain, runs, length, change, epsilon, place):
    """Every moment t has a quilt with e + o·card ≤ ε: theorem 4.3 of Song, Wang and Chaudhuri 2017. With nothing to the left
    a = t, with nothing to the right b = T − t + 1, and card = a + b − 1 moments are on the near side."""
    laws, t, known = chain.starts, 1, {}
    history = {}

    def require(holds, t):
        if not holds:
            raise NotPrivate(f"moment {t} of {place}: its quilt does not prove the claim")

    for run in runs:
        left, right = run.get("left"), run.get("right")
        if "to" not in run:
            require(prove_open_run(chain, run["from"], left, right, length, change, epsilon), f"{run['from']} and those after it")
            return
        while t <= run["to"]:
            history[t] = laws.support()
            a, b = left if left and t - left >= 1 else None, right if right and t + right <= length else None
            cards = (t if a is None else a) + (length - t + 1 if b is None else b) - 1
            key = (a, b, cards) if chain.stationary else t
            if key not in known:
                before = history[t - a] if a else None
                known[key] = covered(influence(chain, laws, history[t], before, a, b), cards, change, epsilon)
            require(known[key], t)
            laws, t = laws if chain.stationary else laws @ chain.step, t + 1


def prove_open_run(chain, start, left, right, length, change, epsilon):
    """One bound for all moments from `start` on. At t ≥ start the law is some law times P^(start−1), so that the quotient
    of two of its probabilities is at most the largest that a row of P^(start−1) has. Factors are at least 1 and card is
    largest with both nodes, so moments near an end are covered too."""
    possible = chain.reached(chain.starts.support())
    if chain.stationary:
        laws = chain.starts
    else:
        rows = chain.power(start - 1)
        laws = Matrix([rows.low[z] for z in possible], [rows.high[z] for z in possible])
    at = chain.reached(laws.support())
    cards = left + right - 1 if left else length
    return covered(influence(chain, laws, at, possible, left, right), cards, change, epsilon)


def contraction(transition):
    """An upper bound on c = (√r − 1)/(√r + 1), r the largest P(s,z)P(s',z')/(P(s',z)P(s,z')); 1 where a quotient is infinite."""
    states = range(len(transition))
    r = quotient(
        (a[z] * b[w], b[z] * a[w]) for a in transition for b in transition for z in range(len(a)) for w in range(len(a)))
    if r is INFINITE:
        return Fraction(1)
    above = Budget(r).bound(BITS, True)
    return (above - 1) / (above + 1)


def sum_of_powers(c, n):
    """An upper bound on c + c² + … + cⁿ = c(1 − cⁿ)/(1 − c)."""
    if c == 1:
        return Fraction(n)
    power, square, k = Fraction(1), c, n
    while k:
        power, square, k = shorten(power * square, False) if k % 2 else power, shorten(square * square, False), k // 2
    return c * (1 - power) / (1 - c)


def prove_contraction(c, length, change, epsilon):
    """Either o·Σ_j c^|m−j| ≤ ε with m in the middle, or some l has o + h(l) ≤ l and o + 2h(l) ≤ ε, tanh(h/4) = c·tanh(l/4).

    l − h(l) and h rise with l, so the l with o + h = l serves if any does. For it H = tanh(h/4) is the root of
    uH² + (1 − c)H − cu, u = tanh(o/4), which is the addition theorem for tanh((o + h)/4). That polynomial rises with H, and
    2h ≤ ε − o is H ≤ w = tanh((ε − o)/8). So the claim holds if uw² + (1 − c)w ≥ cu; larger u and c and a smaller w only
    make this harder, as the root rises with u and c."""
    middle = (length - 1) // 2
    if change.times(1 + sum_of_powers(c, middle) + sum_of_powers(c, length - 1 - middle)) <= epsilon:
        return True
    if not change <= epsilon:
        return False
    o, room = change.bound(BITS, True), epsilon.bound(BITS, False) - change.bound(BITS, True)
    if room <= 0:
        return False
    u = 1 - 2 / (exp_bound(o / 2, BITS, True) + 1)
    w = 1 - 2 / (exp_bound(room / 4, BITS, False) + 1)
    return u * w**2 + (1 - c) * w >= c * u


def read_initial(value, size):
    return value if value in ("stationary", "arbitrary") and not isinstance(value, Number) else read_law(value, size)


def read_chain(value):
    rows = items(table(value, {"initial", "transition"})["transition"])
    transition = [read_law(row, len(rows)) for row in rows]
    if not transition:
        raise NotAFile("a chain without a state")
    return Chain(read_initial(value["initial"], len(rows)), transition)


def read_leave(value):
    limits = [[number(p) for p in items(pair, 2)] for pair in items(value, 2)]
    if any(not 0 <= low <= high <= 1 for low, high in limits):
        raise NotAFile("limits of leaving must be probabilities, the lower one first")
    return [[[1 - p, p], [q, 1 - q]] for p in limits[0] for q in limits[1]]


def read_runs(value, length):
    """Runs that cover the moments 1 to T without a gap; only the last may be without an end, with both distances or neither."""
    runs, next_moment = [], 1
    for item in items(value):
        run = {key: whole(found, 1, 2**40) for key, found in table(item, {"from"}, {"to", "left", "right"}).items()}
        if run["from"] != next_moment or next_moment > length or run.get("to", length) > length:
            raise NotAFile("runs must cover all moments without a gap")
        if run.get("to", length) < run["from"] or ("to" not in run and ("left" in run) != ("right" in run)):
            raise NotAFile("a run that ends before it begins, or one without an end and with one distance")
        next_moment = run.get("to", length) + 1
        runs.append(run)
    if next_moment != length + 1:
        raise NotAFile("runs must cover all moments without a gap")
    return runs


def verify_moments(file, _):
    secrets, epsilon, change = file["secrets"], budget(file["epsilon"]), loss_of_one_change(file)
    of_chains = "chains" in secrets
    table(secrets, {"are", "length", "proof"} | ({"chains"} if of_chains else {"initial", "leave"}))
    length = whole(secrets["length"], 1, 2**40)
    if of_chains:
        chains = [read_chain(chain) for chain in items(secrets["chains"])]
        matrices = [chain.step.low for chain in chains]
    else:
        read_initial(secrets["initial"], 2)
        matrices = read_leave(secrets["leave"])
    if not matrices:
        raise NotAFile("expected a chain")
    by = text(table(secrets["proof"], {"by"}, {"quilts"})["by"])
    if by == "contraction" and "quilts" not in secrets["proof"]:
        if not prove_contraction(max(map(contraction, matrices)), length, change, epsilon):
            raise NotPrivate("moments: not proved by contraction")
    elif by == "quilts" and of_chains:
        lists = [read_runs(runs, length) for runs in items(table(secrets["proof"], {"by", "quilts"})["quilts"], len(chains))]
        for i, (chain, runs) in enumerate(zip(chains, lists)):
            prove_quilts(chain, runs, length, change, epsilon, f"chain {i + 1}")
    else:
        raise NotAFile("a proof is by contraction, or by quilts of chains")
    return f"the state at each of {length} moments within epsilon {file['epsilon']}, by {by}"


# ---------------------------------------------------------------- the whole file


FINITE = {"channels"}, {"outputs", "edges", "groups", "categories", "bins"}
ORACLE = {"categories", "bins"}
NOISE = {"law", "decay", "grid"}
KINDS = {  # the keys that each kind needs and may have, and the words of its secrets
    "aware": (FINITE[0] | {"profiles"}, FINITE[1], {"profiles": verify_finite}),
    "shared": (FINITE[0] | {"profiles"}, FINITE[1], {"profiles": verify_finite}),
    "point": (FINITE[0], FINITE[1] | {"places"}, dict.fromkeys(["values", "counts", "cells"], verify_finite)),
    "unary": ({"one", "other"}, ORACLE, {"values": verify_oracle}),
    "hash": ({"buckets", "keep"}, ORACLE, {"values": verify_oracle}),
    "hadamard": ({"plus"}, ORACLE, {"values": verify_oracle}),
    "subset": ({"size", "include"}, ORACLE, {"values": verify_oracle}),
    "discrete-laplace": (NOISE | {"sensitivity"}, {"clamp"}, {"numbers": verify_numbers, "moments": verify_moments}),
}


def verify(data):
    """What is certified of the file that these bytes are, as a sentence; NotPrivate and NotAFile otherwise."""
    file = read_json(data)
    if not isinstance(file, dict) or file.get("format") != "lookalike-mechanism":
        raise NotAFile("format must be lookalike-mechanism")
    version, kind = whole(file.get("version"), 1, 2), text(file.get("kind"))
    law = text(file.get("law")) if kind == "noise" else kind
    if law not in KINDS or (kind == "noise") != (law in ("discrete-laplace", "planar-laplace")):
        raise NotAFile("the kind or law is not known")
    required, optional, words = KINDS[law]
    required = required | {"format", "version", "kind", "epsilon"} | ({"secrets"} if version == 2 else set())
    table(file, required, optional | {"mechanism", "objective", "certificate"})
    text(file.get("mechanism", ""))
    for key in ("objective", "certificate"):
        if not isinstance(file.get(key, {}), dict):
            raise NotAFile(f"{key} must be a table")
    if version == 2:
        are = text(file["secrets"].get("are") if isinstance(file["secrets"], dict) else None)
        if are not in words:
            raise NotAFile("the secrets do not fit the kind")
        if are != "moments":
            table(file["secrets"], {"are"})
    else:
        are = "cells" if "places" in file else next(iter(words)) if law != "discrete-laplace" else "unstated"
    return words.get(are, verify_numbers)(file, are)


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    try:
        with open(arguments[0], "rb") as file:
            print(f"Certified: {verify(file.read())}.")
        return 0
    except NotPrivate as reason:
        print(f"NOT PRIVATE: {reason}")
        return 1
    except (NotAFile, OSError) as reason:
        print(f"error: {arguments[0]}: {reason}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
