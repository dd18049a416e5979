"""The README says what is so."""

import re
import runpy
from pathlib import Path

import pytest

from ginsim.cli import VERBS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_parts_made_from_the_code_are_up_to_date() -> None:
    filled = runpy.run_path(str(ROOT / "scripts" / "readme.py"))["filled"]
    assert filled(README) == README, "run: python scripts/readme.py"


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_is_in_the_table_of_commands(verb: str) -> None:
    assert re.search(rf"^\| `ginsim {verb}\b", README, flags=re.MULTILINE)


def test_the_python_example_runs_and_gives_a_frame() -> None:
    example = re.search(r"```python\n(.*?)```", README, flags=re.DOTALL)[1]
    lines = example.rstrip().splitlines()
    last = max(number for number, line in enumerate(lines) if line == "(")
    names: dict = {}
    exec("\n".join([*lines[:last], "frame = " + "\n".join(lines[last:])]), names)
    assert names["frame"].columns == ["draws", "gins", "points"]
    assert names["frame"]["gins"].sum() == names["run"].report()["rates"]["gin_rate"]["count"]
