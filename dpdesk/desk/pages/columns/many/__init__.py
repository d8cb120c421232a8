# SPDX-License-Identifier: Apache-2.0
"""Several columns declared at once; begin with ``many_form.py``."""
