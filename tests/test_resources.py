# SPDX-License-Identifier: Apache-2.0
import pytest

from dpdesk.resources import resource_path


def test_a_shipped_file_is_found() -> None:
    assert resource_path("sample/codebook.csv").is_file()


def test_what_is_not_shipped_is_refused() -> None:
    with pytest.raises(FileNotFoundError, match="icons/no-such"):
        resource_path("icons/no-such.svg")
