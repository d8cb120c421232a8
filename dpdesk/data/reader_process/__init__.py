# SPDX-License-Identifier: Apache-2.0
"""Readers of other people's formats, in a process of their own.

The libraries that read workbooks and files of SPSS, Stata and SAS are native code. Over a broken
file they may crash, panic, print cells or never return, and nothing within a process can stop
that. So they run in a child that this process may end at any time (``child``): it is asked over
one pipe and answers over another (``frames``, ``messages``, ``batch_codec``), and what it answers
is checked before it is used. A child belongs to one file (``file_worker``). ``worker`` is the
child; ``isolated_table``, ``isolated_workbook`` and ``labels`` are what the rest of
``dpdesk.data`` calls.

Cells travel through the pipes and nowhere else: no argument, variable, file or log holds one.
"""
