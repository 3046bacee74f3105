"""The same rows into a bare SQLite table by Python's sqlite3, one transaction for each 65,536: what the database itself costs.

The key is the same 32 bytes of hashes, the journal and the durability are the ledger's; no budget, no chain, no draw.
"""

import argparse
import hashlib
import json
import sqlite3
import tempfile
import time
from pathlib import Path

BATCH = 65_536


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--subjects", type=int, required=True)
    subjects = parser.parse_args().subjects
    with tempfile.TemporaryDirectory(dir=".bench") as folder:
        connection = sqlite3.connect(Path(folder) / "a.db", isolation_level=None)
        connection.executescript("PRAGMA journal_mode = wal; PRAGMA synchronous = FULL; PRAGMA cache_size = -262144")
        connection.execute(
            "CREATE TABLE charge (subject BLOB, record BLOB, release INTEGER, entry INTEGER, answer,"
            " PRIMARY KEY (subject, record, release, entry)) WITHOUT ROWID"
        )
        start = time.perf_counter()
        for first in range(0, subjects, BATCH):
            hashes = (hashlib.blake2b(f"u{at}".encode(), digest_size=32).digest() for at in range(first, min(first + BATCH, subjects)))
            rows = sorted((digest[:16], digest[16:], 1, first, 1) for digest in hashes)
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO charge VALUES (?,?,?,?,?)", rows)
            connection.execute("COMMIT")
        seconds = time.perf_counter() - start
        assert connection.execute("SELECT count(*) FROM charge").fetchone() == (subjects,)
        print(json.dumps({"records": subjects, "seconds": seconds}))


main()
