import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def without_ci(monkeypatch):
    """What a suite may do on a desk is tested here, on a machine of CI too; a test that asks for CI sets it."""
    monkeypatch.delenv("CI", raising=False)
