# SPDX-License-Identifier: Apache-2.0
"""Study files that the shell makes, and the plan as a document."""
