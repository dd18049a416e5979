"""Settings that all tests share."""

from hypothesis import settings

# No deadline, for the first example may compile a kernel; the same examples every time, so that a run can be repeated.
settings.register_profile("ginsim", deadline=None, derandomize=True)
settings.load_profile("ginsim")
