"""BENCHMARKS.md after a run of some rows: theirs are new, the others stay."""

import re

# Tables in the order of the page: rates, designs, sweeps, growth. The first cell names a line.
ROW = re.compile(r"^\| ")
NOTE = re.compile(r"^- ([a-z0-9.-]+): ")


def merged(old: str, new: str, order: list[str]) -> str:
    """The new page with the lines of the old one that it does not have, in this order of names and instances."""
    tables = [join(before, after, order) for before, after in zip(tables_of(old), tables_of(new), strict=True)]
    measured = {line[0] for table in tables_of(new) for line in table[2:]}
    kept = [note for note in notes_of(old) if NOTE.match(note)[1] not in measured]
    notes = sorted(kept + notes_of(new), key=lambda note: place(NOTE.match(note)[1], order))
    return written(new, tables, notes)


def tables_of(page: str) -> list[list[list[str]]]:
    """The cells of each table."""
    tables: list[list[list[str]]] = []
    before = ""
    for line in page.splitlines():
        if ROW.match(line):
            if not ROW.match(before):
                tables.append([])
            tables[-1].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        before = line
    return tables


def notes_of(page: str) -> list[str]:
    return [line for line in page.splitlines() if NOTE.match(line)]


def join(old: list[list[str]], new: list[list[str]], order: list[str]) -> list[list[str]]:
    """The lines of both under the new head; a column that the old one has not stays empty."""
    head = new[0]
    lines = {line[0]: [dict(zip(old[0], line)).get(name, "") for name in head] for line in old[2:]}
    lines |= {line[0]: line for line in new[2:]}
    # A row that is no more has no place.
    known = [line for name, line in lines.items() if name in order]
    return [*new[:2], *sorted(known, key=lambda line: place(line[0], order))]


def place(name: str, order: list[str]) -> int:
    return order.index(name) if name in order else len(order)


def written(page: str, tables: list[list[list[str]]], notes: list[str]) -> str:
    """The page with these tables and notes in place of its own."""
    lines, left, seen_notes = [], list(tables), False
    source = page.splitlines()
    for at, line in enumerate(source):
        if ROW.match(line):
            if at == 0 or not ROW.match(source[at - 1]):
                lines += ["| " + " | ".join(cells) + " |" for cells in left.pop(0)]
        elif NOTE.match(line):
            continue
        elif line.startswith("## ") and not seen_notes:
            seen_notes = True
            while lines[-1] == "":
                lines.pop()
            lines += ["", *notes, "", line] if notes else ["", line]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
