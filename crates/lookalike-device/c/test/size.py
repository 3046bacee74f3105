"""What the library adds to a program, in bytes: `python3 size.py LIBRARY FOLDER`, with $CC or cc.

Links a program that reads a table of 16 categories and releases a value, and the same program without that, and compares
their sections. Prints a JSON object; exits with 1 if the code takes 32 KB or more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "vectors"))
sys.dont_write_bytecode = True

import make  # noqa: E402

CATEGORIES = 16
LIMIT = 32 * 1024
CODE = (".text", ".init", ".fini", ".plt")
# Tables that programs in C have no use for on a device, but that the linker of a desktop adds.
UNWINDING = (".eh_frame", ".eh_frame_hdr")
FLAGS = "-std=gnu11 -Os -Wall -Wextra -Werror -ffunction-sections -fdata-sections -Wl,--gc-sections -Wl,--build-id=none"


def main() -> int:
    library, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    table = sixteen()
    (folder / "table.c").write_text(source(table))
    without = sections(link(folder, "without", []))
    linked = link(folder, "with", ["-DWITH_LOOKALIKE", str(library)])
    status = subprocess.run([linked], check=False).returncode
    assert status < CATEGORIES, f"the program that is measured releases a value, and ended with {status}"
    found = sections(linked)
    more = {name: size - without.get(name, 0) for name, size in found.items()}
    code = sum(more.get(name, 0) for name in CODE)
    data = sum(more.get(name, 0) for name in (".rodata", ".data", ".data.rel.ro", ".bss")) - len(table)
    unwinding = sum(more.get(name, 0) for name in UNWINDING)
    answer = {"records": 1, "bytes": code, "data": data, "unwinding": unwinding, "table": len(table)}
    print(json.dumps(answer))
    return 0 if 0 < code < LIMIT else 1


def sixteen() -> bytes:
    """A table of rows whose weights all differ."""
    row = [make.TOTAL // 16 + (at - 8) * 1000003 for at in range(CATEGORIES)]
    row[0] += make.TOTAL - sum(row)
    rows = [row[at:] + row[:at] for at in range(CATEGORIES)]
    names = [f"category {at}" for at in range(CATEGORIES)]
    return make.table({"epsilon": "1", "categories": names}, {"rows": rows})


def source(table: bytes) -> str:
    numbers = ",".join(map(str, table))
    return (
        "#include <stdint.h>\nextern const uint8_t table_bytes[];\nextern const uint32_t table_length;\n"
        f"const uint8_t table_bytes[] = {{{numbers}}};\nconst uint32_t table_length = sizeof table_bytes;\n"
    )


def link(folder: Path, name: str, more: list[str]) -> str:
    sources = [str(HERE / "size.c"), str(folder / "table.c")]
    include = f"-I{HERE.parent / 'include'}"
    program = str(folder / name)
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS.split(), include, *sources, *more, "-o", program], check=True)
    return program


def sections(program: str) -> dict[str, int]:
    """The sizes of the sections of a program, by name."""
    lines = subprocess.run(["size", "-A", program], check=True, capture_output=True, text=True).stdout.splitlines()
    fields = [line.split() for line in lines if line.startswith(".")]
    return {name: int(size) for name, size, *_ in fields}


if __name__ == "__main__":
    raise SystemExit(main())
