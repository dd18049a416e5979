"""A run on disk: a folder with the plan and, for each chunk, one Parquet file a table or one summary.

What is on disk is the truth. A file under its final name is complete, and carries a checksum of itself (``files``). The files
of a chunk are renamed together, ``hands`` last; a chunk is there if all its files are (``folder``). How many hands a run has is
read off the files. Everything that matters to the result is in ``plan.json``, and in ``deals.txt`` where the deals were given;
``asked.json`` notes how many hands were asked for last, for those who resume the run, and is no part of what it is (``opening``).
``checking`` looks whether everything is as it should be, ``merging`` joins parts of one run that were played apart.
"""

from ginsim.store.files import Damaged, check_target, row_files, summary_files, write_whole
from ginsim.store.folder import ASKED, DEALS, PLAN, Span, Store
from ginsim.store.hashing import TableHash
from ginsim.store.opening import BYTES, create, open_store, stored_deals

__all__ = [
    "ASKED",
    "BYTES",
    "DEALS",
    "PLAN",
    "Damaged",
    "Span",
    "Store",
    "TableHash",
    "check_target",
    "create",
    "open_store",
    "row_files",
    "stored_deals",
    "summary_files",
    "write_whole",
]
