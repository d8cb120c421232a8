# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.golden`` writes the golden files anew: look at what changed, and say why.

``python -m tests.golden kept`` keeps the files of the version that is released.
"""

import shutil
import sys

from tests.golden.kept_files import keep
from tests.golden.making import EXPECTED, NAMES, made

if __name__ == "__main__":
    if sys.argv[1:] == ["kept"]:
        print(keep())
        sys.exit()
    shutil.rmtree(EXPECTED, ignore_errors=True)
    for study in NAMES:
        for file, content in made(study).items():
            path = EXPECTED / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
