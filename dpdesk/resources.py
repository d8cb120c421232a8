# SPDX-License-Identifier: Apache-2.0
"""Where what is not code is: icons, schemas, the sample, templates."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent
# A wheel carries them inside the package, the repository beside it.
_PLACES = (_HERE / "resources", _HERE.parent / "resources")


def resource_path(name: str) -> Path:
    """The path of a shipped file or folder, such as "icons/table.svg".

    Raises:
        FileNotFoundError: nothing of that name is shipped.
    """
    for place in _PLACES:
        path = place / name
        if path.exists():
            return path
    raise FileNotFoundError(name)
