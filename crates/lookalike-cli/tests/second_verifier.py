"""The second verifier for many files at once: frames of a length in decimal, a line end, and that many bytes.

For each a line: the exit code; of what passes also that at an epsilon that is a little lower; and the text as JSON.
"""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../verify"))
import verify  # noqa: E402


def verdict(data):
    try:
        return 0, verify.verify(data)
    except verify.NotPrivate as reason:
        return 1, str(reason)
    except verify.NotAFile as reason:
        return 2, str(reason)


def with_less(data):
    """The same file with an epsilon that is lower by a millionth; of places, whose map has looser bounds, by a thousandth."""
    file = json.loads(data)
    share = "1023/1024" if file.get("law") == "planar-laplace" else "1048575/1048576"
    epsilon = str(file["epsilon"]).strip()
    sign = "-" if epsilon.startswith("-") else ""
    file["epsilon"] = f"{sign}{share}*{epsilon.removeprefix('-')}"
    return json.dumps(file).encode()


while length := sys.stdin.buffer.readline():
    data = sys.stdin.buffer.read(int(length))
    code, text = verdict(data)
    less = verdict(with_less(data))[0] if code == 0 else code
    print(code, less, json.dumps(text), flush=False)
