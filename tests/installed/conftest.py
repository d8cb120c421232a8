# SPDX-License-Identifier: Apache-2.0
"""Nothing here is collected but by ``packaging/build.py try``, which says where the system is."""

import os
import sys

from tests.source_files import ROOT

if os.environ.get("DPDESK_INSTALLED"):
    sys.path.append(str(ROOT / "packaging"))
else:
    collect_ignore_glob = ["*.py"]
