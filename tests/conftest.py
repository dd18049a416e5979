"""Settings that all tests share."""

import pytest
from hypothesis import settings

# No deadline, for the first example may compile a kernel; the same examples every time, so that a run can be repeated.
settings.register_profile("ginsim", deadline=None, derandomize=True)
settings.load_profile("ginsim")


def pytest_configure(config: pytest.Config) -> None:
    """Numba marks first-class functions as experimental; pytest does away with the package's own filter."""
    config.addinivalue_line("filterwarnings", "ignore:First-class function type feature is experimental")
