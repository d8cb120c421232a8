# SPDX-License-Identifier: Apache-2.0
"""The pages: each renders the state and edits the study through the session.

Each has a folder that begins with a module ``page``. ``step_page.py`` is what the pages share,
``keys/`` has the dialogs of the signing key.
"""
