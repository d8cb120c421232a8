# SPDX-License-Identifier: Apache-2.0
"""Set everything up and run every check.

python3 packaging/test.py                all checks, the short slice of the audits
python3 packaging/test.py --audit        coverage; the audits at full length; mypy for other systems
python3 packaging/test.py --bench        measure speed
python3 packaging/test.py --size         measure a file of ten million rows, beside others
python3 packaging/test.py --screen [FOLDER]  use the desk on a virtual screen; pictures to a folder
python3 packaging/test.py --pictures [FOLDER]  a picture of every page and state (Linux)
python3 packaging/test.py --fuzz         the property tests with fresh examples; 20,000 broken files
python3 packaging/test.py --soak         repeat work and watch the memory
python3 packaging/test.py --faults       1,000 kills, 10,000 raced tries, full disks (Linux)
python3 packaging/test.py --monkey       40,000 random events on the window (Linux)
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("dpdesk needs Python 3.11 or later; this is Python %d.%d." % sys.version_info[:2])

import argparse
import os
import subprocess
import tempfile

import covered
import environment
import flaky
import machine
import peers

CONTRACTS = "import sys; from importlinter.cli import lint_imports as lint; sys.exit(lint())"
CHECKS = {
    "ruff": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "import contracts": ["-c", CONTRACTS],
}
TESTS = ["-m", "pytest", "-q", "-n", "3", "--dist", "worksteal", "--durations=20"]
LARGE = "import hypothesis, openpyxl, pandas, pyqtgraph, scipy.stats"
COMPILED = [["-m", "compileall", "-q", "-j", "2", "dpdesk", "tests"], ["-c", LARGE]]
"""Three processes that begin side by side would compile all of this three times."""
FAILED = ["--last-failed", "--last-failed-no-failures=none", "--maxfail=20"]
AUDITS = [
    "tests/audit",
    "tests/privacy",
    "tests/desk/pages/columns/test_column_form_width.py",
    "tests/desk/pages/release/test_release_renewed.py",
    "tests/desk/pages/test_shown_is_fresh.py",
    "tests/desk/test_constant_window.py",
    "tests/desk/test_large_text_dialogs.py",
    "tests/desk/test_layouts.py",
    "tests/desk/test_layouts_at_200_percent.py",
    "tests/desk/test_monkey.py",
    "tests/desk/theme/test_switching.py",
    "tests/release/ledger",
    "tests/release/test_run_crash.py",
    "tests/release/test_run_stored.py",
    "tests/release/verify",
    "tests/shell/test_no_row_decides.py",
    "tests/data",
    "tests/study",
]
FAULTS = [
    "tests/release/test_run_crash.py",
    "tests/release/test_full_disk.py",
    "tests/release/ledger/test_torn_file.py",
]
OTHER_SYSTEMS = ("win32", "darwin")
VARIABLES = {
    "QT_QPA_PLATFORM": "offscreen",
    "PYTHONHASHSEED": "0",
    "DPDESK_TURN": "",
    # Hundreds of tests start a program of their own: none compiles the sources anew.
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(environment.VENV / "pycache"),
}


def parse(arguments: list[str]) -> argparse.Namespace:
    """What is to be run."""
    parser = argparse.ArgumentParser(description="Set everything up and run every check.")
    heavier = parser.add_mutually_exclusive_group()
    heavier.add_argument("--audit", action="store_true", help="statistical audits, full length")
    heavier.add_argument("--bench", action="store_true", help="measure speed")
    heavier.add_argument(
        "--size",
        nargs="?",
        type=int,
        const=10_000_000,
        metavar="ROWS",
        help="measure a file of so many rows (by default ten million), beside others, and how the "
        "window fares meanwhile",
    )
    heavier.add_argument(
        "--screen",
        nargs="?",
        const="build/screens",
        metavar="FOLDER",
        help="use the desk on a virtual screen of 1366 x 768, by keyboard, mouse and reader alone, "
        "and put pictures of it into a folder (by default build/screens)",
    )
    heavier.add_argument(
        "--pictures",
        nargs="?",
        const="build/pictures",
        metavar="FOLDER",
        help="put a picture of every page and state, as a screen under a window manager shows it, "
        "into a folder (by default build/pictures), light, dark, in German, small and at 200 %%",
    )
    heavier.add_argument("--fuzz", action="store_true", help="fresh examples, broken files")
    heavier.add_argument("--soak", action="store_true", help="repeat work and watch the memory")
    heavier.add_argument("--faults", action="store_true", help="kills, races, full disks")
    heavier.add_argument("--monkey", action="store_true", help="random events on the window")
    return parser.parse_args(arguments)


def check_all() -> list[str]:
    """Run every check to its end, so that one look shows all that is wrong.

    The tests take three processes on two cores: of the time of two, an eighth went by waiting for
    other processes and for events. What the other checks say is printed in one piece each.
    """
    others = {name: environment.start(each, **VARIABLES) for name, each in CHECKS.items()}
    print("== pytest", flush=True)
    with machine.test_folder() as folder:
        failed = ["pytest"] if run_tests(folder) else []
    for name, process in others.items():
        said, _ = process.communicate()
        print(f"== {name}\n{said}", end="", flush=True)
        if process.returncode:
            failed.append(name)
    return failed


def run_tests(folder: str) -> int:
    """Run the tests; those that fail run again, to show the values that their asserts compared.

    To keep those values pytest compiles each test anew, a quarter of a minute in each process.
    """
    variables = {**VARIABLES, "DPDESK_AUDIT": "short", "DPDESK_TURN": turn(), "TMPDIR": folder}
    for compiled in COMPILED:
        environment.call(compiled, **VARIABLES)
    with tempfile.TemporaryDirectory() as reports:
        return flaky.run_twice(
            lambda more: environment.call([*TESTS, "--assert=plain", *more], **variables),
            lambda more: environment.call([*TESTS, *FAILED, *more], **variables),
            reports,
        )


def turn() -> str:
    """Which cases of long tests are run (tests/turns.py): others for each commit."""
    named = os.environ.get("DPDESK_TURN")
    if named is not None:
        return named
    git = ["git", "-C", str(environment.ROOT), "rev-parse", "--short=8", "HEAD"]
    try:
        said = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:  # no git
        return "0"
    return said.stdout.strip() or "0"


def audit() -> int:
    """Coverage, the statistical audits, and what mypy says of calls another system has not."""
    missed = covered.run(TESTS, {**VARIABLES, "DPDESK_AUDIT": "short"})
    failed = environment.call([*TESTS, *AUDITS], **VARIABLES, DPDESK_AUDIT="full") or missed
    elsewhere = ["-m", "in_turn", *(f"--ignore={path}" for path in AUDITS)]
    failed = environment.call([*TESTS, *elsewhere], **VARIABLES, DPDESK_AUDIT="short") or failed
    if os.name == "posix":
        failed = environment.call(["-m", "tests.attacks"], **VARIABLES) or failed
    for platform in OTHER_SYSTEMS:
        cache = str(environment.VENV / f"mypy-{platform}")
        command = ["-m", "mypy", "--platform", platform, "--cache-dir", cache, "dpdesk"]
        failed = environment.call(command) or failed
    return failed


def fuzz() -> int:
    """Run the property tests with fresh examples, then break files by the ten thousand."""
    failed = environment.call(TESTS, **VARIABLES, DPDESK_EXAMPLES="fuzz", DPDESK_AUDIT="short")
    return environment.call(["-m", "tests.fuzz_files"]) or failed


def use_screen(folder: str) -> int:
    """From nothing to a verified bundle under a window manager, with both hands."""
    machine.provide(machine.screen_packages())
    variables = {**VARIABLES, "DPDESK_SCREEN": "full", "DPDESK_SCREENS": folder}
    failed = environment.call(["-m", "pytest", "-q", "tests/x11"], **variables)
    return environment.call(["-m", "tests.x11.canary_day"], **variables) or failed


def take_pictures(folder: str) -> int:
    """Every page and state in each form, as the screen's own server shows it."""
    machine.provide(machine.screen_packages())
    return environment.call(["-m", "tests.x11.pictures", folder])


def main(arguments: list[str]) -> int:
    """Prepare the machine and run what was asked for."""
    asked = parse(arguments)
    tools = machine.monkey_packages() if asked.monkey else []
    machine.provide(machine.python_packages())
    with machine.providing(machine.test_packages() + tools):
        environment.prepare(environment.TEST_LOCK)
    os.chdir(environment.ROOT)
    if asked.audit:
        return audit()
    if asked.bench:
        missed = environment.call(["-m", "tests.bench"])
        return environment.call(["-m", "tests.bench.start"]) or missed
    if asked.size is not None:
        peers.prepare(peers.SIZE)
        missed = environment.call(["-m", "tests.bench.size", str(asked.size)])
        return environment.call(["-m", "tests.bench.alive", str(asked.size)], **VARIABLES) or missed
    if asked.soak:
        return environment.call(["-m", "tests.bench.soak"])
    if asked.faults:
        wrong = environment.call(["-m", "tests.faults"], **VARIABLES)
        return environment.call([*TESTS, *FAULTS], **VARIABLES, DPDESK_AUDIT="full") or wrong
    if asked.monkey:
        return environment.call(["-m", "tests.monkey"])
    if asked.screen:
        return use_screen(os.path.abspath(asked.screen))
    if asked.pictures:
        return take_pictures(os.path.abspath(asked.pictures))
    if asked.fuzz:
        return fuzz()
    failed = check_all()
    if failed:
        print("Failed:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
