"""Makes the test vectors from the mechanism files beside it, by the definitions alone: `python3 make.py`.

Shares no code with the programs that are tested against them. `NAME.json` is a mechanism file. `NAME.table` is the table of
the device of a profile. `NAME.csv` has values of that profile with the words of seed 7 and what they are released as:
the words of ChaCha12 with the key whose first bytes are the seed. `NAME-edges.csv` has words on both sides of every
threshold, the smallest and the largest word.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import struct
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# The mechanism files, each with the profile whose device it is.
NAMES = {"rows": "bo", "keep": "bo"}
SEED = 7
ROWS = 256
TOTAL = 1 << 53


def main() -> None:
    for name in NAMES:
        for file, content in files(name).items():
            (FOLDER / file).write_bytes(content)


def files(name: str) -> dict[str, bytes]:
    """The files of a mechanism, by their names."""
    mechanism = json.loads((FOLDER / f"{name}.json").read_text())
    channel = next(channel for channel in mechanism["channels"] if NAMES[name] in channel["profiles"])
    categories = mechanism["categories"]
    codes = [at * 3 % len(categories) for at in range(ROWS)]
    per_row = 2 if "keep" in channel else 1
    words = chacha12(SEED, ROWS * per_row)
    seeded = [(code, words[at * per_row : (at + 1) * per_row]) for at, code in enumerate(codes)]
    return {
        f"{name}.table": table(mechanism, channel),
        f"{name}.csv": text(name, categories, channel, seeded),
        f"{name}-edges.csv": text(name, categories, channel, edges(channel)),
    }


def text(name: str, categories: list[str], channel: dict, draws: list[tuple[int, list[int]]]) -> bytes:
    """Values with their codes, words in hexadecimal, and what is released."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["profile", "value", "code", "words", "released", "output"])
    for code, words in draws:
        output = draw(channel, code, words)
        shown = " ".join(f"{word:016x}" for word in words)
        writer.writerow([NAMES[name], categories[code], code, shown, output, categories[output]])
    return out.getvalue().encode()


def draw(channel: dict, code: int, words: list[int]) -> int:
    """The output whose stretch of the row holds the point of the last word; the value itself where the first keeps it."""
    if "keep" in channel:
        if words[0] >> 11 < channel["keep"][code]:
            return code
        return point(channel["redraw"], words[1] >> 11)
    return point(channel["rows"][code], words[0] >> 11)


def point(row: list[int], place: int) -> int:
    height = TOTAL // len(columns(row))
    own, (threshold, other) = place // height, columns(row)[place // height]
    return own if place % height < threshold else other


def columns(row: list[int]) -> list[tuple[int, int]]:
    """Walker's columns as Vose makes them: the last short one is filled up by the last tall one, until none is left."""
    count = 2
    while count < len(row):
        count *= 2
    height = TOTAL // count
    rest = row + [0] * (count - len(row))
    made = [(0, at) for at in range(count)]
    short = [at for at in range(count) if rest[at] < height]
    tall = [at for at in range(count) if rest[at] > height]
    while short and tall:
        low, high = short.pop(), tall[-1]
        made[low] = (rest[low], high)
        rest[high] -= height - rest[low]
        if rest[high] <= height:
            tall.pop()
        if rest[high] < height:
            short.append(high)
    law = [0] * count
    for own, (threshold, other) in enumerate(made):
        law[own] += threshold
        law[other] += height - threshold
    assert law[: len(row)] == row and not any(law[len(row) :]), "the columns have the law of the row"
    return made


def table(mechanism: dict, channel: dict) -> bytes:
    """The bytes of the table of a device."""
    names, outputs = mechanism["categories"], mechanism.get("outputs")
    texts = b"".join(sized(name) for name in [mechanism["epsilon"], *names, *(outputs or [])])
    count = 1 + len(names) + len(outputs or [])
    rows = channel.get("rows") or [channel["redraw"]]
    shift = 11 + len(columns(rows[0])).bit_length() - 1
    numbers = [*channel.get("keep", [])]
    numbers += [threshold << shift | other for row in rows for threshold, other in columns(row)]
    form = 2 if "keep" in channel else 1
    head = struct.pack("<8s6I", b"LKDEVICE", 1, form, len(names), len(rows[0]), count, len(texts))
    body = head + struct.pack(f"<{len(numbers)}Q", *numbers) + texts
    return body + hashlib.sha256(body).digest()


def sized(name: str) -> bytes:
    return struct.pack("<I", len(name.encode())) + name.encode()


def edges(channel: dict) -> list[tuple[int, list[int]]]:
    """Each value with words on both sides of each threshold; the unused bits are all zero or all one."""
    rows = channel.get("rows") or [channel["redraw"]]
    found: list[tuple[int, list[int]]] = []
    for code in range(len(channel.get("keep") or rows)):
        made = columns(rows[0] if "keep" in channel else rows[code])
        height = TOTAL // len(made)
        starts = [own * height for own in range(len(made))]
        places = {0, TOTAL - 1, *starts, *(start + threshold for start, (threshold, _) in zip(starts, made))}
        places |= {place - 1 for place in places if place > 0}
        lasts = [word for place in sorted(places) for word in (place << 11, place << 11 | 0x7FF)]
        if "keep" not in channel:
            found += [(code, [word]) for word in lasts]
            continue
        weight = channel["keep"][code]
        firsts = [place << 11 | unused for place in (weight - 1, weight) for unused in (0, 0x7FF) if 0 <= place < TOTAL]
        found += [(code, [first, lasts[(at + code) % len(lasts)]]) for at, first in enumerate(firsts)]
        found += [(code, [(1 << 64) - 1, word]) for word in lasts[code :: len(rows[0])]]
    return found


def chacha12(seed: int, count: int) -> list[int]:
    """The first words of ChaCha12 with a 64-bit counter, nonce 0, and the key whose first eight bytes are the seed."""
    key = struct.unpack("<8I", struct.pack("<Q", seed) + bytes(24))
    words: list[int] = []
    for block in range((count + 7) // 8):
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, block & 0xFFFFFFFF, block >> 32, 0, 0]
        state = list(start)
        for _ in range(6):
            for at in range(4):
                quarter(state, at, at + 4, at + 8, at + 12)
            for at in range(4):
                quarter(state, at, (at + 1) % 4 + 4, (at + 2) % 4 + 8, (at + 3) % 4 + 12)
        halves = [(one + other) & 0xFFFFFFFF for one, other in zip(state, start)]
        words += [halves[at] | halves[at + 1] << 32 for at in range(0, 16, 2)]
    return words[:count]


def quarter(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for to, by, turned, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[to] = (state[to] + state[by]) & 0xFFFFFFFF
        mixed = state[turned] ^ state[to]
        state[turned] = (mixed << bits | mixed >> (32 - bits)) & 0xFFFFFFFF


if __name__ == "__main__":
    main()
