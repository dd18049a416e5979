"""Write the parts of README.md that are made from the code, between their marks: python scripts/readme.py"""

from __future__ import annotations

import re
from pathlib import Path

from ginsim.records import Column, Layout

README = Path(__file__).resolve().parents[1] / "README.md"

_TYPES = {"seat": "`A`, `B`, `C`", "card": "a card", "ending": "a word"}


def columns() -> str:
    """The columns of the hands table, as a Markdown table."""
    series = Layout("matches", "hollywood", 1).columns("hands")
    roles = [column for column in Layout("matches", "three_handed").columns("hands") if column.name in ("box", "captain", "sitter")]
    rows = ["| column | type | meaning |", "|---|---|---|"]
    for column in series:
        if column.name.startswith("score_"):
            continue
        rows.append(_row(column))
        if column.name == "dealer":
            rows += [_row(role, "three-handed rules: ") for role in roles]
        if column.name == "match":
            rows[-1] = rows[-1].replace("| number", "| matches: number")
    rows.append("| `score_a`, `score_b`, … | Int32 | matches: each seat's score after the hand; `score_a_1` … in a series |")
    return "\n".join(rows)


def _row(column: Column, before: str = "") -> str:
    kind = _TYPES.get(column.type, column.type)
    return f"| `{column.name}` | {kind}{' or null' if column.nullable else ''} | {before}{column.meaning} |"


def filled(text: str) -> str:
    """The README with its made parts as they should be."""
    made = {"columns": columns}
    for name, make in made.items():
        text = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda found: f"{found[1]}{make()}\n{found[2]}", text, flags=re.DOTALL
        )
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
