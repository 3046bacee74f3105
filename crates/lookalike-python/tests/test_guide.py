"""Runs docs/python.md, docs/words.md and the READMEs as they are written: the Python blocks below a heading in order, in a namespace and
folder of their own.

A block with prompts is checked against the output that it shows; other blocks only have to run. `python test_guide.py
"Ten minutes"` runs one section without any library for tests. With UPDATE_GOLDEN=1 the page is rewritten; read the diff.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["docs/python.md", "docs/words.md", "README.md", "crates/lookalike-python/README.md"]
OPTIONAL = ("duckdb", "matplotlib", "networkx", "numpy", "pandas", "polars", "pyarrow")


class Runner(doctest.DocTestRunner):
    """Keeps what examples gave instead of what the page says: line of the page, lines there, and the text."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=doctest.ELLIPSIS)
        self.news: list[tuple[int, int, str]] = []

    def report_failure(self, out, test, example, got) -> None:
        super().report_failure(out, test, example, got)
        if got.startswith("Traceback"):
            got = "Traceback (most recent call last):\n" + got.splitlines()[-1] + "\n"
        start = test.lineno + example.lineno + example.source.count("\n")
        self.news.append((start, example.want.count("\n"), got))


@dataclass
class Section:
    """A heading with its Python blocks, each with the line at which it begins."""

    page: str
    title: str
    blocks: list[tuple[int, str]] = field(default_factory=list)

    def missing(self) -> list[str]:
        """Libraries that the blocks import and that are not installed."""
        text = "\n".join(block for _, block in self.blocks)
        used = [name for name in OPTIONAL if re.search(rf"\bimport {name}\b", text)]
        return [name for name in used if importlib.util.find_spec(name) is None]

    def run(self, update: bool = False) -> int:
        """Runs the blocks; how many examples were run. Raises where an example fails, unless the page is to be changed."""
        namespace: dict[str, object] = {"__name__": "__main__"}
        runner, said, examples = Runner(), [], 0
        for line, block in self.blocks:
            if ">>>" not in block:
                exec(compile("\n" * line + block, self.page, "exec"), namespace)  # noqa: S102
                examples += 1
                continue
            test = doctest.DocTestParser().get_doctest(block, namespace, self.title, self.page, line)
            examples += runner.run(test, out=said.append, clear_globs=False).attempted
            namespace = test.globs
        if runner.news and update:
            rewrite(self.page, runner.news)
        elif said:
            raise AssertionError("".join(said))
        return examples


def rewrite(page: str, news: list[tuple[int, int, str]]) -> None:
    """Puts what examples gave into the page."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    for start, count, text in reversed(news):
        lines[start : start + count] = text.splitlines()
    (ROOT / page).write_text("\n".join(lines) + "\n", encoding="utf-8")


def sections() -> list[Section]:
    """The sections of all pages."""
    return [found for page in PAGES for found in sections_of(page, (ROOT / page).read_text(encoding="utf-8"))]


def sections_of(page: str, text: str) -> list[Section]:
    """The sections of a page that have Python blocks."""
    found = [Section(page, "")]
    block: list[str] | None = None
    start, language = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if line == "```":
                if language == "```python":
                    found[-1].blocks.append((start, "\n".join(block) + "\n"))
                block = None
            else:
                block.append(line)
        elif line.startswith("```") and line != "```":
            # Blocks in other languages are skipped to their end, lest a comment in them pass for a heading.
            block, start = [], number
            language = line
        elif heading := re.match(r"#+ (.*)", line):
            found.append(Section(page, heading[1]))
    assert block is None, f"{page}: the block at line {start} has no end"
    return [section for section in found if section.blocks]


@contextlib.contextmanager
def empty_folder() -> Iterator[None]:
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def pytest_generate_tests(metafunc) -> None:
    if "section" in metafunc.fixturenames:
        found = sections()
        metafunc.parametrize("section", found, ids=[f"{section.page}: {section.title}" for section in found])


def test_the_guide_runs_as_written(section):
    import pytest

    if missing := section.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    with empty_folder():
        assert section.run() > 0


def test_a_wrong_output_and_a_failing_block_are_found():
    import pytest

    page = "# One\n```sh\n# no heading\n```\n```python\nx = 1\n```\n```python\n>>> x + 1\n3\n```\n## Two\n```python\n>>> x\n```\n"
    one, two = sections_of("page", page)
    assert [line for line, _ in one.blocks] == [5, 8]
    with pytest.raises(AssertionError, match="Expected:\n    3\nGot:\n    2"):
        one.run()
    with pytest.raises(AssertionError, match="NameError"):
        two.run()
    assert Section("page", "", [(1, ">>> 1 + 1\n2\n"), (5, "y = 2\n")]).run() == 2


def test_no_page_has_a_block_that_is_not_run():
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        examples = sum(block.count(">>> ") for section in sections_of(page, text) for _, block in section.blocks)
        assert examples == text.count(">>> ") and "```py\n" not in text


if __name__ == "__main__":
    wanted = sys.argv[1:]
    chosen = [section for section in sections() if not wanted or section.title in wanted]
    if not chosen:
        raise SystemExit(f"no section {wanted}")
    # The last one first: a change moves the lines below it.
    for section in reversed(chosen):
        with empty_folder():
            print(f"{section.title}: {section.run(os.environ.get('UPDATE_GOLDEN') == '1')} examples")
