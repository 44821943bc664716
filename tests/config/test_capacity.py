"""How many web processes are chosen."""

from pathlib import Path

import pytest

from config.serving import capacity


@pytest.mark.parametrize(
    ("cores", "gigabytes", "expected"),
    [(1, 8, 1), (2, 8, 2), (2, 1.5, 1), (2, 0.5, 1), (16, 64, capacity.MOST_PROCESSES), (8, 3, 3)],
)
def test_one_for_each_core_as_far_as_memory_goes(
    monkeypatch: pytest.MonkeyPatch, cores: int, gigabytes: float, expected: int
) -> None:
    monkeypatch.setattr(capacity, "_cores", lambda: cores)
    monkeypatch.setattr(capacity, "memory", lambda: int(gigabytes * 2**30))
    assert capacity.web_processes() == expected


@pytest.mark.parametrize(("text", "expected"), [("1073741824\n", 2**30), ("max\n", 0)])
def test_a_container_has_what_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: int
) -> None:
    machine = capacity.memory()
    (tmp_path / "memory.max").write_text(text)
    monkeypatch.setattr(capacity, "_CGROUP_LIMITS", (tmp_path / "memory.max", tmp_path / "missing"))
    assert capacity.memory() == expected or (not expected and capacity.memory() >= machine)
