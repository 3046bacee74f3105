"""Alias-table sampling in numpy, vectorised, on an instance that the driver wrote.

    alias_numpy.py FOLDER --size D --profiles K --form rows|keep --variant plain|packed32|packed64 --repetitions R

- plain: as a textbook has it. A random double gives column and height; fancy indexing; one pass over whole arrays.
- packed32, packed64: as fast as numpy was made to go here. One raw word a record gives column and height; threshold and
  alias share one integer, so a record takes one lookup; a multiplication by the comparison selects without a branch;
  preallocated buffers for chunks of 131,072 records. 64 bits hold the exact law, 32 bits round it to 2^-32.

The law is checked before anything is timed. Codes come and go as uint32, as in the library.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

import law

CHUNK = 1 << 17
TOTAL_BITS = 53
Body = Callable[[np.ndarray, np.ndarray, np.ndarray], None]


def alias_tables(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Thresholds out of a column's height, and aliases: Vose's algorithm in integers, exact for a power of two."""
    size = rows.shape[1]
    height = (1 << TOTAL_BITS) // size
    thresholds = np.full(rows.shape, height, np.uint64)
    aliases = np.tile(np.arange(size, dtype=np.uint64), (len(rows), 1))
    for row, threshold, alias in zip(rows.tolist(), thresholds, aliases):
        short = [at for at in range(size) if row[at] < height]
        tall = [at for at in range(size) if row[at] > height]
        while short and tall:
            low, high = short.pop(), tall[-1]
            threshold[low], alias[low] = row[low], high
            row[high] -= height - row[low]
            if row[high] <= height:
                tall.pop()
                if row[high] < height:
                    short.append(high)
    return thresholds.ravel(), aliases.ravel()


def plain(rows: np.ndarray, size: int, rng: np.random.Generator) -> Body:
    thresholds, aliases = alias_tables(rows)
    thresholds = thresholds / ((1 << TOTAL_BITS) // size)
    aliases = aliases.astype(np.uint32)

    def body(profiles: np.ndarray, values: np.ndarray, outputs: np.ndarray) -> None:
        height = rng.random(len(values)) * size
        column = height.astype(np.uint32)
        height -= column
        place = (profiles * size + values) * size + column
        outputs[:] = np.where(height < thresholds[place], column, aliases[place])

    return body


class Packed:
    """Tables with threshold and alias in one word, and the buffers of a chunk."""

    def __init__(self, rows: np.ndarray, size: int, rng: np.random.Generator, word: type) -> None:
        thresholds, aliases = alias_tables(rows)
        bits = np.iinfo(word).bits
        self.column_bits = size.bit_length() - 1
        height_bits = min(TOTAL_BITS, bits) - self.column_bits
        low_bits = bits - height_bits
        full = thresholds == (1 << TOTAL_BITS) // size
        thresholds = np.where(full, 0, thresholds) >> np.uint64(TOTAL_BITS - self.column_bits - height_bits)
        self.table = ((thresholds << np.uint64(low_bits)) | aliases).astype(word)
        self.mask = word((1 << low_bits) - 1)
        self.word, self.bits, self.size, self.rng = word, bits, size, rng
        self.columns, self.found = np.empty(CHUNK, word), np.empty(CHUNK, word)
        self.places, self.below = np.empty(CHUNK, np.intp), np.empty(CHUNK, bool)
        self.codes, self.others = np.empty(CHUNK, np.uint32), np.empty(CHUNK, np.uint32)

    def words(self, count: int) -> np.ndarray:
        if self.bits == 64:
            return self.rng.bit_generator.random_raw(count)
        return self.rng.bit_generator.random_raw((count + 1) // 2).view(np.uint32)[:count]

    def draw(self, tables: np.ndarray, outputs: np.ndarray) -> None:
        """Draws from the table with this number for each record; `tables` is overwritten."""
        count = len(outputs)
        columns, found, below = self.columns[:count], self.found[:count], self.below[:count]
        places, codes, others = self.places[:count], self.codes[:count], self.others[:count]
        height = self.words(count)
        np.right_shift(height, self.word(self.bits - self.column_bits), out=columns)
        height <<= self.word(self.column_bits)
        height |= self.mask
        np.copyto(codes, columns, casting="unsafe")
        tables <<= np.uint32(self.column_bits)
        tables |= codes
        np.copyto(places, tables)
        self.table.take(places, out=found, mode="clip")
        np.less(height, found, out=below)
        found &= self.mask
        np.copyto(others, found, casting="unsafe")
        # The alias, or the column where the height is below the threshold.
        codes ^= others
        np.multiply(codes, below, out=codes)
        np.bitwise_xor(others, codes, out=outputs)


def packed_rows(rows: np.ndarray, size: int, rng: np.random.Generator, word: type) -> Body:
    packed, tables = Packed(rows, size, rng, word), np.empty(CHUNK, np.uint32)

    def body(profiles: np.ndarray, values: np.ndarray, outputs: np.ndarray) -> None:
        numbers = tables[: len(outputs)]
        np.left_shift(profiles, np.uint32(packed.column_bits), out=numbers)
        numbers |= values
        packed.draw(numbers, outputs)

    return chunked(body)


def packed_keep(keep: np.ndarray, redraw: np.ndarray, rng: np.random.Generator, word: type) -> Body:
    packed, tables = Packed(redraw, redraw.shape[1], rng, word), np.empty(CHUNK, np.uint32)
    bounds = np.empty(CHUNK, word)
    wide = keep.ravel() << np.uint64(64 - TOTAL_BITS)
    keep = (wide >> np.uint64(64 - packed.bits)).astype(word)

    def body(profiles: np.ndarray, values: np.ndarray, outputs: np.ndarray) -> None:
        count = len(outputs)
        numbers, bound = tables[:count], bounds[:count]
        np.copyto(numbers, profiles)
        packed.draw(numbers, outputs)
        places, below, codes = packed.places[:count], packed.below[:count], packed.codes[:count]
        np.left_shift(profiles, np.uint32(packed.column_bits), out=codes)
        codes |= values
        np.copyto(places, codes)
        keep.take(places, out=bound, mode="clip")
        np.less(packed.words(count), bound, out=below)
        np.bitwise_xor(outputs, values, out=codes)
        np.multiply(codes, below, out=codes)
        outputs ^= codes

    return chunked(body)


def chunked(body: Body) -> Body:
    def whole(profiles: np.ndarray, values: np.ndarray, outputs: np.ndarray) -> None:
        for start in range(0, len(outputs), CHUNK):
            part = slice(start, start + CHUNK)
            body(profiles[part], values[part], outputs[part])

    return whole


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--size", type=int)
    parser.add_argument("--profiles", type=int)
    parser.add_argument("--form")
    parser.add_argument("--variant")
    parser.add_argument("--repetitions", type=int)
    asked = parser.parse_args()
    size, rng = asked.size, np.random.Generator(np.random.SFC64(1))
    profiles, values = (np.fromfile(f"{asked.folder}/{name}.u32", "<u4") for name in ("profiles", "values"))
    weights = np.fromfile(f"{asked.folder}/weights.u64", "<u8")
    word = np.uint64 if asked.variant == "packed64" else np.uint32
    if asked.form == "keep":
        keep, redraw = weights.reshape(asked.profiles, 2, size).transpose(1, 0, 2)
        body = packed_keep(keep, redraw, rng, word)
        kept = keep.reshape(-1, 1) / 2.0**TOTAL_BITS
        laws = (1 - kept) * np.repeat(redraw / 2.0**TOTAL_BITS, size, axis=0)
        laws += kept * np.tile(np.eye(size), (asked.profiles, 1))
    else:
        rows = weights.reshape(-1, size)
        body = plain(rows, size, rng) if asked.variant == "plain" else packed_rows(rows, size, rng, word)
        laws = rows / 2.0**TOTAL_BITS
    outputs = np.empty_like(values)
    body(profiles, values, outputs)
    if not law.agrees(laws, profiles * np.uint32(size) + values, outputs):
        raise SystemExit("numpy's draws do not follow the law of the channels")
    times = []
    for _ in range(asked.repetitions):
        start = time.perf_counter()
        body(profiles, values, outputs)
        times.append(time.perf_counter() - start)
    print(json.dumps({"records": len(values), "seconds": min(times), "median_seconds": sorted(times)[len(times) // 2]}))


if __name__ == "__main__":
    main()
