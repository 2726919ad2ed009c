import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def without_ci(monkeypatch):
    """Removes the variable CI, so that the tests behave the same on CI; a test that needs it sets it."""
    monkeypatch.delenv("CI", raising=False)
