# SPDX-License-Identifier: Apache-2.0
"""Studies as JSON, and the files that they are kept in.

``study_reader.py`` and ``study_writer.py`` are each other's inverse; ``study_files.py`` reads and
writes whole files. Below them, ``strict_json.py`` parses and ``json_reader.py`` gives types;
``schema.py`` makes the published schema.
"""
