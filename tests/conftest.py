# SPDX-License-Identifier: Apache-2.0
"""What every test stands on: a home of its own, no screen, the same examples each time."""

import builtins
import gc
import os
import sys
from collections.abc import Generator, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.turns import SLOW_EVERY, SLOW_TESTS, left_out

if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
    # Its own screen has 800 x 800 pixels, on which no window is as large as a user's.
    screen = Path(__file__).with_name("screen.json")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screen}"

# Measurements are started by `python -m tests.bench`; importing them here would run them.
collect_ignore = ["bench"]

SHARED_DATA = Path(__file__).parents[1].parent / "shared" / "data"

# Workers share the cores, so a slow example says nothing about the code. The examples are the same
# in each run: what more of them would find is found by fresh ones, with the profile "fuzz".
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    max_examples=60 if os.environ.get("DPDESK_AUDIT") == "full" else 15,
)
settings.register_profile(
    "dev",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow],
)
# Fresh examples each time, and many: for finding what the fixed ones miss.
settings.register_profile("fuzz", deadline=None, print_blob=True, max_examples=2_000)
settings.load_profile(os.environ.get("DPDESK_EXAMPLES", "ci" if os.environ.get("CI") else "dev"))


# Tests are found without looking for garbage: there is none, and it took a sixth of that time.
gc.disable()
_plain_import = builtins.__import__


def pytest_sessionstart() -> None:
    """Import as Python does.

    PySide looks at every import for a feature that nothing here has, and OpenDP and hypothesis
    import inside their functions, millions of times.
    """
    builtins.__import__ = _plain_import


class OnlyWithExamples:
    """Looks for doctests only in modules that have some; nine of ten have none."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[Any], list[Any]]:
        """Leave a module without examples to those who find tests in it, if anybody does."""
        found = yield
        if file_path.suffix == ".py" and b">>> " not in file_path.read_bytes():
            return [one for one in found if type(one).__name__ != "DoctestModule"]
        return found


def pytest_itemcollected(item: pytest.Item) -> None:
    """Have slow tests wait for their turn, unless their own mark says a later one, or none."""
    if item.nodeid.partition("[")[0] in SLOW_TESTS:
        own = item.get_closest_marker("in_turn")
        if own is None or 1 < own.args[0] < SLOW_EVERY:
            item.add_marker(pytest.mark.in_turn(SLOW_EVERY), append=False)


def pytest_configure(config: pytest.Config) -> None:
    """Of the whole project, not of the tests' own folder."""
    config.pluginmanager.register(OnlyWithExamples())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, which would keep one process busy after all others.

    Of tests marked ``in_turn`` those run whose turn it is.
    """
    waiting = left_out(items)
    config.hook.pytest_deselected(items=list(waiting))
    chosen = [item for item in items if item not in waiting]
    items[:] = sorted(chosen, key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Collect garbage less often, and look through none of the tests that wait.

    They are 620,000 objects, which took 0.35 s at each full collection.
    """
    gc.set_threshold(50_000)
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def home_numbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders for homes, none of which is made: most tests need none."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) / "dpdesk-home" for number in count())


@pytest.fixture(autouse=True)
def dpdesk_home(home_numbers: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger, keys and settings of this test's own; nothing reaches the user's."""
    home = next(home_numbers)
    monkeypatch.setenv("DPDESK_HOME", str(home))
    monkeypatch.delenv("DPDESK_PASSPHRASE_FILE", raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # commands speak the system's language
    return home


@pytest.fixture(scope="session", autouse=True)
def quick_keys() -> Iterator[int]:
    """Keys are locked in a hundredth of the time, those that many tests share too.

    What a passphrase and a salt make is worked out once: the tests' few keys are unlocked hundreds
    of times. Gives the program's own rounds.
    """
    from cryptography.hazmat.primitives.serialization import ssh

    from dpdesk.release.signing import keys

    own = keys.BCRYPT_ROUNDS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "BCRYPT_ROUNDS", 1)
        patch.setattr(ssh, "_bcrypt_kdf", lru_cache(maxsize=1_000)(ssh._bcrypt_kdf))
        yield own


@pytest.fixture(autouse=True)
def real_rounds(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, quick_keys: int
) -> None:
    """The program's own rounds for a test marked ``real_rounds``: it looks at the lock."""
    if request.node.get_closest_marker("real_rounds") is not None:
        monkeypatch.setattr("dpdesk.release.signing.keys.BCRYPT_ROUNDS", quick_keys)


@pytest.fixture(autouse=True)
def no_process_ahead(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few tests read a second file: a process for it would be started and ended for nothing.

    It is started for those that are marked ``process_ahead``.
    """
    if request.node.get_closest_marker("process_ahead") is None:
        monkeypatch.setattr("dpdesk.data.reader_process.file_worker.start_ahead", lambda: None)


@pytest.fixture(scope="session")
def reader_maker() -> Iterator[Any]:
    """What makes the tests' reading processes; ``None`` where no process can be copied so."""
    if sys.platform != "linux":
        yield None
        return
    from dpdesk.data.reader_process import file_worker
    from tests.forked_readers import ReaderMaker

    maker = ReaderMaker()
    yield maker
    file_worker.end_all()
    maker.end()


@pytest.fixture(autouse=True)
def forked_readers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read by copies of a process that has loaded the libraries.

    Those marked ``started_readers`` have them started as the program does.
    """
    if request.node.get_closest_marker("started_readers") is not None:
        return

    def start_process() -> Any:
        maker = request.getfixturevalue("reader_maker")
        return own() if maker is None else maker.start_process()

    from dpdesk.data.reader_process import child

    own = child.start_process
    monkeypatch.setattr(child, "start_process", start_process)


@pytest.fixture(scope="session")
def qapp_cls() -> type:
    """The application is of the class that the program's own is."""
    from dpdesk.desk.main_window.incoming_files import DeskApplication

    return DeskApplication


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real files beside the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real files of ../shared/data are not on this machine")
    return SHARED_DATA
