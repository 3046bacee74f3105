"""Makes what the rows need: the virtual environment with the peers, and the release build of the project."""

import os
import platform
import subprocess
import sys
import venv
from pathlib import Path

REQUIREMENTS = Path("benches/requirements.txt")


def versions() -> dict[str, str]:
    """The pinned version of each peer."""
    lines = [line.strip() for line in REQUIREMENTS.read_text().splitlines()]
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def environment(folder: Path) -> str:
    """The Python of a virtual environment that holds exactly the pinned peers; made again when the pins change."""
    python = folder / "bin" / "python"
    stamp = folder / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != REQUIREMENTS.read_text():
        print(f"installing the peers into {folder}", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", str(REQUIREMENTS)], check=True)
        stamp.write_text(REQUIREMENTS.read_text())
    return str(python)


def build() -> Path:
    """Builds the command and the driver as they ship; the folder where they are."""
    # Of the whole workspace, as the wheel is: another choice of crates would compile their dependencies again.
    subprocess.run(["cargo", "build", "--release", "--locked", "--workspace", "--bins"], check=True)
    return target() / "release"


def package(python: str) -> None:
    """Builds the wheel of the Python package and puts it beside the peers."""
    subprocess.run(["make", "--no-print-directory", "wheel"], check=True, stdout=sys.stderr)
    wheel = max((target() / "wheels").glob("lookalike-*.whl"), key=lambda path: path.stat().st_mtime)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--force-reinstall", "--no-deps", str(wheel)], check=True)


def target() -> Path:
    return Path(os.environ.get("CARGO_TARGET_DIR", "target"))


def machine() -> str:
    """The machine in a line: processor, cores, memory, system, compilers."""
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    parts = [
        processor(),
        f"{os.cpu_count()} cores",
        memory(),
        f"{platform.system()} {platform.machine()}",
        f"Rust {rustc}",
        f"Python {platform.python_version()}",
    ]
    return ", ".join(parts)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def memory() -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return "unknown memory"
    return f"{total / 2**30:.0f} GiB of memory"
