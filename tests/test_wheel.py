"""The installed wheel, used from outside the checkout: `tox -e wheel`."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {
    "conformance": ROOT,
    "conformance_adapters": ROOT / "adapters",
    "reference_engine": ROOT,
}
"""The packages of the wheel, and the folder of the checkout that each lies in."""
INSTALLED = metadata.distribution("mtg-conformance")

pytestmark = pytest.mark.skipif(
    any(str(file).endswith(".pth") for file in INSTALLED.files or ()),
    reason="an editable install has no wheel to look at: tox -e wheel",
)


def files_that_travel() -> Iterator[tuple[str, Path]]:
    """Each of our files that a wheel needs: its place in the wheel, and in the checkout."""
    for package, folder in PACKAGES.items():
        for file in sorted((folder / package).rglob("*")):
            if file.suffix in {".py", ".json", ".html", ".css", ".js", ".svg"} or file.name == "py.typed":
                yield file.relative_to(folder).as_posix(), file
    for name in ("docs", "fixtures"):
        for file in sorted((ROOT / name).rglob("*")):
            if file.is_file():
                yield f"conformance/{file.relative_to(ROOT).as_posix()}", file


def test_wheel_claims_only_our_top_level_names() -> None:
    names = {file.parts[0] for file in INSTALLED.files or () if file.parts[0] != ".."}
    info = {name for name in names if name.endswith(".dist-info")}

    assert set(PACKAGES) == names - info
    assert len(info) == 1


def test_packages_fixtures_and_schemas_travel_unchanged() -> None:
    travelling = dict(files_that_travel())
    installed = {str(file): Path(str(file.locate())) for file in INSTALLED.files or ()}

    assert {f"{package}/py.typed" for package in PACKAGES} <= travelling.keys()
    assert set() == travelling.keys() - installed.keys()
    assert [] == [
        name for name, file in travelling.items() if file.read_bytes() != installed[name].read_bytes()
    ]


def test_every_schema_lies_where_the_wheel_takes_it_from() -> None:
    travelling = {file for _, file in files_that_travel()}
    schemas = {
        file
        for file in ROOT.rglob("*.schema.json")
        if not file.relative_to(ROOT).parts[0].startswith((".", "tests", "tools"))
    }

    assert set() == schemas - travelling


def test_suite_runs_from_the_wheel(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("conformance")
    finished = subprocess.run(
        [script, "run", "--rule", "613.7", "--time", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert " passed, 0 failed, " in finished.stdout.splitlines()[-1]
    assert not finished.stdout.splitlines()[-1].startswith("0 ")


def test_compiled_file_of_the_wheel_has_what_its_own_files_say() -> None:
    from conformance.data import compiled, library, loading

    kept = compiled.library_in_wheel()
    assert kept is not None
    folder, files = compiled.fixtures_folder(), list(library.fixture_files())
    written = sorted(filter(library.is_written, kept.ids_in))
    assert [path.relative_to(folder).as_posix() for path in files] == written
    read = loading.fixtures_in(files[::8], loading.known_names())
    assert {id: fixture for id, (_, fixture) in read.items()} == {id: kept.fixture(id) for id in read}
    assert (library.pool(), ()) == loading.valid_cards()
