"""One value at a time: the same law and kinds as columns have, no threads, tables made once, and nothing that a fork repeats."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import lookalike


@pytest.fixture(scope="module")
def warner() -> lookalike.Mechanism:
    return lookalike.design(lookalike.SecretGraph.values(["no", "yes"]), epsilon="ln(3)", mechanism="k-rr")


@pytest.fixture(scope="module")
def nearly_exact() -> lookalike.Mechanism:
    """Another value is released with a probability below 10^-12."""
    return lookalike.design(lookalike.SecretGraph.values([10, 20, 30]), epsilon=30, mechanism="k-rr")


def test_a_single_value_is_released_as_one_of_a_column(nearly_exact, aware):
    for value in (20, "20"):
        single, column = nearly_exact.privatize(value), nearly_exact.privatize([value])
        assert [single] == column == nearly_exact.privatize([value, value])[:1]
        assert type(single) is type(column[0]) is type(value)
    # What has no short way goes the long one: numpy's scalars, a seed, a value that stands for unknown ones.
    assert nearly_exact.privatize(numpy.int64(20)) == 20
    assert nearly_exact.privatize(20, seed=3) == nearly_exact.privatize([20], seed=3)[0]
    assert nearly_exact.privatize(21, unknown=30) == nearly_exact.privatize([21], unknown=30)[0]
    assert aware.privatize("ana", "busy") in aware.outputs
    assert aware.privatize(["ana"], ["busy"])[0] in aware.outputs
    oracle = lookalike.local.oracle("oue", 8, epsilon=1)
    assert len(oracle.privatize(3)) == len(oracle.privatize("3")) == len(oracle.privatize([3])[0]) == 8
    assert oracle.privatize(3, seed=5) == oracle.privatize([3], seed=5)[0]


def test_errors_are_those_of_columns(warner, aware):
    for release in (lambda value: warner.privatize(value), lambda value: warner.privatize([value])):
        with pytest.raises(lookalike.InputError, match='row 1, column "values": not one of the 2 categories') as found:
            release("SECRETMARKER")
        assert "SECRETMARKER" not in str(found.value)
    with pytest.raises(lookalike.InputError, match='row 1, column "profiles"'):
        aware.privatize("dora", "busy")
    with pytest.raises(lookalike.InputError, match="values are missing"):
        aware.privatize("busy")
    with pytest.raises(lookalike.InputError, match="there is one channel for all"):
        warner.privatize("ana", "no")
    with pytest.raises(TypeError, match="values: a str, expected a list"):
        aware.privatize(["ana"], "busy")
    with pytest.raises(lookalike.PrivacyError):
        text = warner.to_json().replace("ln(3)", "ln(2)")
        lookalike.Mechanism.from_json(text).privatize("no")
    noise = lookalike.noise.laplace(epsilon=1, sensitivity=1)
    with pytest.raises(lookalike.InputError, match="row 1.*not a finite number"):
        noise.add(float("nan"))


def test_single_draws_follow_the_law(warner):
    # 30,000 of 40,000 are kept, with a standard deviation of 86.6: six of them, less than one run in 10^8.
    kept = Counter(warner.privatize("yes") for _ in range(40_000))["yes"]
    assert abs(kept - 30_000) < 6 * 86.6
    # Of discrete Laplace noise at ln 3 half is 0: (1 - 1/3)/(1 + 1/3); 20,000 with a standard deviation of 100.
    noise = lookalike.noise.laplace(epsilon="ln(3)", sensitivity=1)
    drawn = Counter(noise.add(5) for _ in range(40_000))
    assert abs(drawn[5] - 20_000) < 600
    # 4 and 6 have a sixth each: 6,667 with a standard deviation of 74.5.
    assert all(abs(drawn[number] - 6_667) < 6 * 74.5 for number in (4, 6))


def test_numbers_come_back_in_the_kind_in_which_they_came():
    whole = lookalike.noise.laplace(epsilon=50, sensitivity=1)
    assert [whole.add(7), type(whole.add(7)), whole.add([7])] == [7, int, [7]]
    assert [whole.add(7.2), type(whole.add(7.2))] == [7.0, float]
    assert whole.add(2**70) == 2**63 - 1  # as of old: cut off at 64 bits
    fine = lookalike.noise.laplace(epsilon=500, sensitivity=1, grid="1/4")
    assert [fine.add(7), type(fine.add(7)), fine.add(0.3)] == [7.0, float, 0.25]
    assert [fine.add(Fraction(1, 3)), fine.add(Decimal("0.3"))] == [Fraction(1, 4), Decimal("0.25")]
    assert lookalike.noise.laplace(epsilon=50, sensitivity=1, clamp=(0, 5)).add(9) == 5


@pytest.mark.skipif(sys.platform != "linux", reason="threads have consecutive numbers on Linux")
def test_single_calls_and_short_columns_start_no_thread():
    """In a process of its own: a thread that ends at once is seen by the numbers that the next ones get."""
    script = """
import threading
import lookalike

def thread_number():
    # Threads are numbered one after the other, also those that have ended.
    found = []
    thread = threading.Thread(target=lambda: found.append(threading.get_native_id()))
    thread.start(); thread.join()
    return found[0]

warner = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon=1)
noise = lookalike.noise.laplace(epsilon=1, sensitivity=500, grid="1/8")
oracle = lookalike.local.oracle("oue", 8, epsilon=1)
calls = [
    lambda: warner.privatize("no"), lambda: warner.privatize(["no"]), lambda: warner.privatize(["no", "yes"]),
    lambda: noise.add(5), lambda: noise.add([5.5]), lambda: noise.add([5, 6]),
    lambda: oracle.privatize(3), lambda: oracle.privatize([3, 4]), lambda: warner.certify(),
]
for call in calls:
    call()
before = thread_number()
for _ in range(200):
    for call in calls:
        call()
print(thread_number() - before)
"""

    def started() -> int:
        return int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)

    # Other processes take numbers of the same row: a try is spoilt where they start hundreds in its moment. The 1,800 calls by
    # themselves would take as many in every try.
    tries = [started() for _ in range(2)]
    while min(tries) >= 200 and len(tries) < 10:
        tries.append(started())
    assert min(tries) < 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_processes_draw_other_words():
    warner = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon=1)
    noise = lookalike.noise.laplace(epsilon="1/1000", sensitivity=1)

    def draws() -> str:
        return " ".join([warner.privatize("no") for _ in range(100)] + [str(noise.add(5)) for _ in range(20)])

    draws()  # whatever is kept for later is there before the processes part

    def forked() -> str:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write, draws().encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        return text

    found = [forked(), forked(), draws()]
    assert all(text.count(" ") == 119 for text in found)
    # Twenty numbers spread over thousands: two lists of them are equal by chance less than once in 10^60 runs.
    assert len({tuple(text.split()[-20:]) for text in found}) == 3


def test_a_call_takes_microseconds(warner, aware):
    """The promise is 15 and 30 µs; the limit here has room for a machine that is busy. It was 110 µs, and up to 10 ms."""
    wide = lookalike.noise.laplace(epsilon="1/100", sensitivity=500)
    fine = lookalike.noise.laplace(epsilon=1, sensitivity=1, grid="1/1024")
    for limit, call in (
        (15, lambda: warner.privatize("no")),
        (15, lambda: aware.privatize("ana", "busy")),
        (15, lambda: aware.privatize(["ana"], ["busy"])),
        (30, lambda: wide.add(5)),
        (30, lambda: fine.add(0.3)),
    ):
        call()
        times = []
        for _ in range(50):
            start = time.perf_counter()
            for _ in range(20):
                call()
            times.append((time.perf_counter() - start) / 20)
        # The least of fifty: what others do on the machine adds to some of them only.
        assert min(times) < limit * 1e-6, min(times)
