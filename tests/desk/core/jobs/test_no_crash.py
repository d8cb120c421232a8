# SPDX-License-Identifier: Apache-2.0
"""Jobs beside widgets: nothing crashes, nothing is taken for something else, the end comes."""

from __future__ import annotations

import pytest

from tests.desk.core.jobs import in_child


def done(what: str, *arguments: object) -> bool:
    """Whether a child came to its end; what it said stands in the report if not."""
    child = in_child.run(what, *arguments)
    assert (child.returncode, child.stdout) == (0, "done\n"), child.stderr[-2_000:]
    return True


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.in_turn(2)
def test_widgets_stay_what_they_are_while_jobs_come_and_go(seed: int) -> None:
    assert done("widgets_beside_jobs", seed, 400)


def test_garbage_is_collected_in_the_window_s_thread_alone() -> None:
    assert done("garbage_beside_jobs", 1.5)


def test_what_a_large_job_has_found_is_not_walked_through_while_somebody_looks() -> None:
    assert done("much_at_once")


def test_what_was_made_bit_by_bit_is_not_walked_through_at_once() -> None:
    assert done("much_bit_by_bit")


@pytest.mark.parametrize("kind", ["hangs", "talks"])
def test_the_program_ends_though_a_job_does_not(kind: str) -> None:
    assert done("end_while_a_job", kind)
