"""`mech.privatize` of the Python package on an instance that the driver wrote.

    python_column.py FOLDER --size D --profiles K --library numpy|polars|polars-integers --repetitions R

Profiles and values are columns of the library, and so is what comes back. The law is checked before anything is timed.
"""

import argparse
import json
import time

import numpy as np

import law
import lookalike

TOTAL = 2.0**53


def mechanism(weights: np.ndarray) -> lookalike.Mechanism:
    """The channels with a claim that they keep easily, as the driver has them: proving is not timed."""
    count, size = weights.shape[:2]
    profiles = [str(place) for place in range(count)]
    text = {
        "format": "lookalike-mechanism",
        "version": 1,
        "kind": "aware",
        "epsilon": "1000",
        "categories": [str(place) for place in range(size)],
        "profiles": {name: [f"1/{size}"] * size for name in profiles},
        "edges": [{"pair": list(pair), "epsilon": "1000"} for pair in zip(profiles, profiles[1:])],
        "channels": [{"profiles": [name], "rows": rows.tolist()} for name, rows in zip(profiles, weights)],
    }
    return lookalike.Mechanism.from_json(json.dumps(text))


def columns(library: str, codes: np.ndarray, names: list[str]):
    """The codes as a column of a library."""
    if library == "numpy":
        return codes
    import polars

    if library == "polars-integers":
        return polars.Series("codes", codes)
    return polars.Series(names).gather(codes).cast(polars.Enum(names)).rename("codes")


def back(column) -> np.ndarray:
    """The codes of a column that came back."""
    return column if isinstance(column, np.ndarray) else column.to_physical().to_numpy()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--size", type=int)
    parser.add_argument("--profiles", type=int)
    parser.add_argument("--library")
    parser.add_argument("--repetitions", type=int)
    asked = parser.parse_args()
    profiles, values = (np.fromfile(f"{asked.folder}/{name}.u32", "<u4") for name in ("profiles", "values"))
    weights = np.fromfile(f"{asked.folder}/weights.u64", "<u8").reshape(asked.profiles, asked.size, asked.size)
    mech = mechanism(weights)
    given = columns(asked.library, profiles, mech.secrets), columns(asked.library, values, mech.categories)
    released = mech.privatize(*given)
    if type(released) is not type(given[1]) or released.dtype != given[1].dtype:
        raise SystemExit("the released column is of another kind than the values")
    laws = weights.reshape(-1, asked.size) / TOTAL
    if not law.agrees(laws, profiles * np.uint32(asked.size) + values, back(released)):
        raise SystemExit("the released column does not follow the law of the channels")
    times = []
    for _ in range(asked.repetitions):
        start = time.perf_counter()
        mech.privatize(*given)
        times.append(time.perf_counter() - start)
    print(json.dumps({"records": len(values), "seconds": min(times), "median_seconds": sorted(times)[len(times) // 2]}))


if __name__ == "__main__":
    main()
