"""The folders of `apps`: small enough to read, in layers, and each operation with its command and its test file."""

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import grimp
import pytest

from apps.core.api.operation import EXTENSION
from apps.core.api.schema import document
from apps.core.api.views import ApiViewSet

PROJECT = Path(__file__).resolve().parents[1]
APPS = sorted(path.name for path in (PROJECT / "apps").iterdir() if (path / "apps.py").exists())
MOST_MODULES = 15


def folders() -> list[Path]:
    result = {path.parent for path in (PROJECT / "apps").rglob("*.py")}
    return sorted(folder for folder in result if folder.name != "migrations")


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: str(folder.relative_to(PROJECT)))
def test_a_folder_stays_readable(folder: Path) -> None:
    modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MOST_MODULES, f"group them by concept: {modules}"


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("apps", exclude_type_checking_imports=True)


@pytest.mark.parametrize("app", APPS)
def test_the_parts_of_an_app_import_in_one_direction(app: str, graph: grimp.ImportGraph) -> None:
    """Parts are the modules and packages directly below the app."""
    name = f"apps.{app}"
    imports: dict[str, set[str]] = defaultdict(set)
    for module in graph.find_descendants(name):
        for imported in graph.find_modules_directly_imported_by(module):
            if imported.startswith(f"{name}.") and part_of(imported) != part_of(module):
                imports[part_of(module)].add(part_of(imported))
    assert circle(imports) == []


def part_of(module: str) -> str:
    return ".".join(module.split(".")[:3])


def circle(imports: dict[str, set[str]]) -> list[str]:
    """The parts that are left when all that import nothing of the rest are taken away, again and again."""
    left = {part: set(of) for part, of in imports.items()}
    while done := [part for part, of in left.items() if not of & left.keys()]:
        for part in done:
            del left[part]
    return sorted(left)


def test_circles_are_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["a", "b", "c"]
    assert circle({"a": {"b", "c"}, "b": {"c"}}) == []


def operations() -> Iterable[str]:
    for path in document()["paths"].values():
        for spec in path.values():
            if isinstance(spec, dict) and EXTENSION in spec:
                yield spec["operationId"]


def test_each_operation_has_its_test_file() -> None:
    files = {path.stem for path in (PROJECT / "tests").rglob("test_*.py")}
    assert {name for name in operations() if f"test_{name}" not in files} == set()


def viewsets(base: type[ApiViewSet] = ApiViewSet) -> Iterable[type[ApiViewSet]]:
    for one in base.__subclasses__():
        yield one
        yield from viewsets(one)


@cache
def calls(viewset: type[ApiViewSet]) -> set[str]:
    """The names of what the code of a viewset calls."""
    nodes = ast.walk(ast.parse(inspect.getsource(viewset)))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    return {node.id if isinstance(node, ast.Name) else getattr(node, "attr", "") for node in called}


@cache
def commands(app: str) -> set[str]:
    """The names of the functions of an app, without those of its API."""
    modules = [path for path in (PROJECT / "apps" / app).rglob("*.py") if "api" not in path.parts]
    return {name for path in modules for name in re.findall(r"^def (\w+)", path.read_text(), re.MULTILINE)}


def test_each_operation_calls_the_command_of_its_name() -> None:
    # Reading the operations imports every viewset.
    names = set(operations())
    own = [viewset for viewset in viewsets() if viewset.__module__.startswith("apps.")]
    offered = {name: viewset for viewset in own for name in names & vars(viewset).keys()}
    assert offered.keys() == names
    assert {name for name, viewset in offered.items() if name not in calls(viewset)} == set()
    assert {
        name for name, viewset in offered.items() if name not in commands(viewset.__module__.split(".")[1])
    } == set()
