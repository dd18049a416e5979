"""Which rules, which player, by how much, how sure.

``question -> variants -> plans on the same deals -> chunks side by side -> cross moments -> differences -> one dict``. ``variants``
says what is played, ``counting`` what is counted of it, ``paired`` how sure a difference is, ``estimates`` and ``document`` what is told;
``playing`` plays it, ``stored`` compares runs on disk.
"""

from ginsim.comparison.playing import compare, foretell
from ginsim.comparison.result import Comparison
from ginsim.comparison.stored import compare_runs

__all__ = ["Comparison", "compare", "compare_runs", "foretell"]
