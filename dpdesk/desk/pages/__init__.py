# SPDX-License-Identifier: Apache-2.0
"""The pages: each renders the state and edits the study through the session.

Each page that ``page_list.py`` declares has a folder with a module ``page``; the other folders
have the first page (``welcome/``), the handbook (``help/``), dialogs, and views that pages share.
``step_page.py`` is what the pages share.
"""
