"""The slow verification of ginsim: what the test suite has no time for. ``scripts/verify`` runs it.

Each part is a module with a function ``verify`` that gives findings; :mod:`verification.findings` judges and shows them.
"""
