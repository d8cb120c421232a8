# SPDX-License-Identifier: Apache-2.0
"""Who sees cells, and who takes the extremes or the different values of anything, and why.

Read off the syntax. A new entry is a decision: it needs a reason why nothing that is seen there
reaches a place where a parameter is chosen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.source_files import name_of, nodes, python_files, syntax_tree

DATA = "dpdesk/data/"

BLIND = frozenset(
    {
        # A header, which is public, a token, a name, a constant.
        "dpdesk.data.inspection.finding.Weight",
        "dpdesk.data.opened.locate_columns",
        "dpdesk.data.opened.locate_in_files",
        "dpdesk.data.opened.misplaced_ids",
        "dpdesk.data.opened.read_header",
        "dpdesk.data.inspection.recognise.recognise",
        # That, and a header, of the file that follows.
        "dpdesk.data.inspection.next_file.NextFile",
        "dpdesk.data.inspection.next_file.look_at_next",
        "dpdesk.data.people.sketch.KEY_BYTES",
        "dpdesk.data.people.sketch.SKETCH_SIZE",
        # The process that reads for another one, started here and nowhere else.
        "dpdesk.data.reader_process.worker.run_worker",
        # The declarations of formats, and what follows from them and a name.
        "dpdesk.data.files.file_formats.DECLARATIONS",
        "dpdesk.data.files.file_formats.LABELLED",
        "dpdesk.data.files.file_formats.parts_of",
        # Functions of a declaration, or of a text that is handed to them.
        "dpdesk.data.files.packed.is_packed_text",
        "dpdesk.data.files.packed.unpacked_name",
        "dpdesk.data.encoding.missing_and_invalid.missing_markers",
        "dpdesk.data.encoding.code_prefix.holds_several",
        "dpdesk.data.encoding.code_prefix.plain_code",
    }
)
BLIND_MODULES = ("dpdesk.data.progress.", "dpdesk.data.codebook.", "dpdesk.data.value_list.")
"""What gives no cell of a data file to those who use it. A codebook is a file of its own, and so is
a list of values: the study's own files are refused there."""

_SEES: dict[str, dict[str, str]] = {
    "dpdesk/engine/answers.py": {
        "aggregation.aggregate.size_of": "counts what is sealed at once",
        "aggregation.distinct_rows.DistinctRows": "counts what is sealed at once",
        "aggregation.distinct_rows.NOT_COUNTED": "counts what is sealed at once",
        "aggregation.distinct_rows.cell_of_each": "counts what is sealed at once",
        "aggregation.distinct_rows.exact_vector": "counts what is sealed at once",
        "aggregation.rows_per_person.people_with_rows": "counts what is sealed at once",
    },
    "dpdesk/engine/cli.py": {
        "reader_process.process_limits.leave_no_core": "what a stopped process leaves behind",
    },
    "dpdesk/engine/coded_rows.py": {
        "files.header.column_names": "names of a table's columns",
    },
    "dpdesk/engine/meaning.py": {
        "encoding.clock.ClockReader": "codes of values, put beside them",
        "encoding.column_coder.CodedColumn": "codes of values, put beside them",
        "encoding.column_coder.ColumnCoder": "codes of values, put beside them",
        "encoding.column_coder.smallest_dtype": "codes of values, put beside them",
        "encoding.missing_and_invalid.MISSING": "codes of values, put beside them",
        "encoding.missing_and_invalid.unknown_code": "codes of values, put beside them",
        "encoding.partition_selection.TextCoder": "codes of values, put beside them",
        "encoding.table.EncodedColumn": "codes of values, put beside them",
        "encoding.table.EncodedTable": "codes of values, put beside them",
        "files.arrow_types.one_value_cells": "codes of values, put beside them",
        "files.cells.distinct_texts": "codes of values, put beside them",
        "people.person_keys.PROCESS_KEY": "codes of values, put beside them",
        "people.person_keys.PersonCoder": "codes of values, put beside them",
        "preparation.row_steps.clock_of": "codes of values, put beside them",
        "preparation.row_steps.compile_step": "codes of values, put beside them",
    },
    "dpdesk/engine/people.py": {
        "files.arrow_types.one_value_cells": "normal forms of ids, put beside them",
        "files.cells.distinct_texts": "normal forms of ids, put beside them",
        "people.person.normalise_ids": "normal forms of ids, put beside them",
    },
    "dpdesk/engine/passes.py": {
        "aggregation.aggregate.texts_found": "counts what is sealed at once",
        "aggregation.in_passes.PassedMeasure": "counts what is sealed at once",
        "arrays.packed_sort.Keys": "counts what is sealed at once",
        "encode.encoded_rows": "counts what is sealed at once",
        "files.arrow_types.one_value_cells": "counts what is sealed at once",
        "files.cells.TextColumn": "counts what is sealed at once",
        "people.id_words.NO_ID": "counts what is sealed at once",
        "people.person_keys.PROCESS_KEY": "counts what is sealed at once",
        "preparation.row_steps.clock_of": "counts what is sealed at once",
        "table_rows.CodedBatch": "counts what is sealed at once",
        "table_rows.TableRows": "counts what is sealed at once",
        "table_rows.label_code": "counts what is sealed at once",
    },
    "dpdesk/__main__.py": {
        "reader_process.process_limits.leave_no_core": "bounds this process, too"
    },
    "dpdesk/desk/main_window/warm_up.py": {
        "inspection.recognise": "imported for later; calls nothing of it",
        "inspection.about": "imported for later; calls nothing of it",
    },
    "dpdesk/shell/planning/new_study.py": {
        "inspection.number_marks.marks_to_confirm": "proposed in print; nothing is declared by it",
        "inspection.number_marks.NumberMarks": "proposed in print; nothing is declared by it",
        "inspection.about.top_table": "to propose how numbers are written",
    },
    "dpdesk/desk/core/files/file_warnings.py": {
        "inspection.number_marks.marks_to_confirm": "asked; stays out of bundles",
        "inspection.number_marks.NumberMarks": "asked; stays out of bundles",
        "inspection.about.top_table": "to ask whether it is about people at all",
        "inspection.about.question_of": "a question on screen, no parameter",
        "inspection.ragged_rows.ragged_rows": "numbers of lines, on screen alone",
        "inspection.ragged_rows.RaggedRows": "numbers of lines, on screen alone",
    },
    "dpdesk/desk/core/files/file_summary.py": {
        "reader_process.isolated_workbook.look_at": "the top of a sheet, as top_rows below",
        "opened.sample_rows": "the first rows, for the custodian's eyes",
        "inspection.raw_preview.top_rows": "the top, to find the header by eye",
        "inspection.raw_preview.filled_cells": "how full rows are, shown beside the choice",
    },
    "dpdesk/desk/text/read_words.py": {
        "inspection.number_marks.NumberMarks": "an example of its own numbers",
    },
    "dpdesk/desk/pages/release/check_card.py": {
        "files.file_digest.states_of": "size and moment of each file, to see one that changed",
        "inspection.file_check.check_file": "before a release; shown there alone",
        "inspection.finding.Finding": "before a release; shown there alone",
    },
    "dpdesk/desk/pages/release/check_dialog.py": {
        "inspection.finding.Finding": "before a release; shown there alone",
    },
    "dpdesk/desk/text/check_words.py": {
        "inspection.finding.Finding": "the words of card and dialog",
    },
    "dpdesk/texts/findings.py": {"inspection.finding.Finding": "coarse words, no parameter"},
    "dpdesk/release/run/known_people.py": {
        "inspection.finding.Finding": "a word of the check with an account's name; kept nowhere",
    },
    "dpdesk/desk/pages/data/page.py": {
        "inspection.number_marks.NumberMarks": "what the custodian confirmed",
    },
    "dpdesk/desk/pages/data/file_preview.py": {
        "inspection.number_marks.NumberMarks": "the question on screen",
    },
    "dpdesk/desk/pages/data/unclosed_quotes_note.py": {
        "inspection.ragged_rows.RaggedRows": "numbers of lines, on screen alone",
    },
    "dpdesk/shell/release.py": {
        "files.file_digest.states_of": "size and moment of each file, to see one that changed",
    },
    "dpdesk/shell/check.py": {
        "inspection.file_check.check_file": "asked for, or before a release; printed there alone",
        "inspection.finding.Finding": "asked for, or before a release; printed there alone",
    },
    "dpdesk/release/run/same_file.py": {
        "files.file_digest.digest_of_files": "keyed, advises on this computer",
    },
    "dpdesk/release/run/reading.py": {
        "files.file_digest.DigestBeside": "keyed, kept on this computer",
        "encode.encode": "after the plan is made and paid for",
        "encoding.table.EncodedTable": "after the plan is made and paid for",
        "encoding.table.check_public_count": "compares with the declared number",
        "people.sketch.sketch": "recognises the same people in another account",
    },
    "dpdesk/release/run/drawing.py": {
        "encoding.table.EncodedTable": "handed on to be measured",
        "aggregation.aggregate.measure": "sealed answers, for the noise door alone",
        "aggregation.aggregate.text_counts": "sealed answers, for the noise door alone",
    },
    "dpdesk/release/rehearsal/rehearse.py": {
        "made_up_rows.made_up_table": "rows of the declarations alone; no file is opened",
    },
    "dpdesk/release/ledger/fingerprints.py": {
        "people.sketch.sketch_overlap": "compares two sketches",
    },
}
SEES = {(file, what): why for file, seen in _SEES.items() for what, why in seen.items()}
"""What files outside dpdesk/data use of it that knows cells."""

READERS = frozenset({"pyarrow", "pyreadstat", "python_calamine", "pandas", "csv", "openpyxl"})
READS: dict[str, str] = {
    "dpdesk/study/suggest/clinical.py": "tables that ship with dpdesk",
    "dpdesk/study/standard_populations.py": "standard populations that ship with dpdesk",
    "dpdesk/study/reuse/sample_study.py": "the codebook of the sample that ships with dpdesk",
    "dpdesk/study/text/spreadsheet_cells.py": "a bundle's tables, as texts; opens no file",
    **dict.fromkeys(
        (
            f"dpdesk/engine/{name}.py"
            for name in (
                "answers",
                "coded_rows",
                "database",
                "dialects",
                "dictionaries",
                "kept_rows",
                "meaning",
                "passes",
                "people",
                "spark",
                "words",
            )
        ),
        "tables that a database gives; opens no file",
    ),
    "dpdesk/release/backup/export.py": "writes the ledger's entries as a table, and reads none",
}
"""Files outside dpdesk/data that import what could open a data file."""

EXTREMES = frozenset(
    {"min", "max", "min_max", "argmin", "argmax", "amin", "amax", "nanmin", "nanmax", "ptp"}
    | {"unique", "nunique", "value_counts", "factorize", "drop_duplicates", "dictionary_encode"}
    | {"quantile", "quantiles", "percentile", "median", "describe", "histogram", "nlargest"}
    | {"nsmallest", "Counter", "mode", "sort_values"}
)
CLAMPS = frozenset({"min", "max"})
"""With two arguments or more they choose between numbers, one of them a bound."""

_LOOKS: dict[str, dict[str, str]] = {
    "dpdesk/desk/pages/data/file_preview.py": {"max": "how wide the preview on screen is"},
    "inspection/about.py": {"max": "the width that most rows have: for a question on screen alone"},
    "dpdesk/release/ledger/fingerprints.py": {
        "max": "the most similar earlier sketch, to fill a short one; kept on this computer",
    },
    "dpdesk/release/rehearsal/rehearse.py": {
        "min": "sizes that were guessed for a rehearsal",
        "max": "sizes that were guessed for a rehearsal",
    },
    "aggregation/aggregate.py": {"unique": "pairs of person and group, each to be counted once"},
    "encoding/partition_selection.py": {
        "unique": "pairs of person and text, each to be counted once",
    },
    "files/workbook/used_range.py": {
        "max": "how far down a sheet goes: whether it is too large to open",
    },
    "files/cells.py": {
        "dictionary_encode": "each different text is parsed once; its code is the same",
    },
    "reader_process/batch_codec.py": {
        "min_max": "whether a child's days lie in the calendar: it may lie",
    },
    "inspection/column_tally.py": {
        "argmax": "the first line that cannot be read, for one card or command",
        "Counter": "what unreadable cells look like; of which one word is said, by the check alone",
    },
    "inspection/id_tally.py": {
        "Counter": "whether nearly all ids are one; which is never said",
        "max": "whether nearly all ids are one; which is never said",
    },
    "files/csv/csv_block.py": {"max": "places of the wanted columns"},
    "files/csv/csv_file.py": {"max": "places of the wanted columns"},
    "encoding/date.py": {"dictionary_encode": "each different day is kept once"},
    "files/timestamps.py": {
        "dictionary_encode": "each different moment is written once",
        "unique": "each different time is written once",
    },
    "aggregation/grouping.py": {
        "unique": "each different day is put into its declared period once",
    },
    "files/header.py": {
        "Counter": "names of columns that stand twice",
        "max": "the longest name of the header",
    },
    "opened.py": {"max": "places of the declared columns"},
    "files/workbook/workbook_file.py": {"max": "the last name of the header"},
    "encoding/number.py": {"min": "exponents of the declared bounds"},
    "arrays/packed_sort.py": {
        "min": "whether whole keys fit; the order does not depend on it",
        "max": "whether whole keys fit; the order does not depend on it",
        "unique": "places of rows that look alike, to sort them once more",
    },
    "people/id_words.py": {
        "max": "lengths of ids: how many words of signs there are",
        "min": "lengths of ids: whether all are alike; a key does not depend on it",
    },
    "files/csv/row_shapes.py": {"unique": "pieces in which short rows are filled up"},
    "people/person_keys.py": {
        "min_max": "lengths of ids: whether all are numbers of 18 digits or less",
        "min": "whether all ids are short numbers, or of one kind; keys stay equal",
        "max": "whether all ids are short numbers, or of one kind; keys stay equal",
    },
    "encoding/plain_numbers.py": {"max": "lengths of texts: whether the short way can read them"},
    "codebook/recipe_changes.py": {"min": "the first problem of a recipe, in the study's order"},
    "inspection/next_file.py": {"max": "the way to read in which most declared columns are found"},
    "inspection/text_layout.py": {
        "max": "the separator that stands most often in the header",
        "Counter": "the commonest number of cells of a line",
    },
    "preparation/person_rows.py": {
        "max": "whether somebody has more rows than are seen of a person; nobody else is concerned",
        "unique": "places of rows of one day, to sort them once more",
    },
    "preparation/person_steps.py": {
        "max": "how many values a column has, to pack persons and values; no count depends on it",
    },
    "aggregation/distinct_rows.py": {
        "max": "how many digits a number of rows has, to add by digit"
    },
    "dpdesk/engine/meaning.py": {"unique": "numbers of people, in place of ids"},
    "dpdesk/engine/answers.py": {"nunique": "how many people are in a cell, sealed at once"},
    "people/sketch.py": {"unique": "hashed ids, for the sketch of who is in a file"},
    "codebook/formats/csv_text.py": {"max": "the width of a codebook"},
    "codebook/beside.py": {"max": "the codebook beside a file that describes most of its columns"},
}
LOOKS = {(file, what): why for file, seen in _LOOKS.items() for what, why in seen.items()}
"""Calls within dpdesk/data that look at several values at once, and what for."""


class Sight(NamedTuple):
    """A use that has to have a reason."""

    file: str
    what: str


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Every file of the program."""
    for path in python_files("dpdesk"):
        yield name_of(path), syntax_tree(path)


def imports(tree: ast.AST) -> set[str]:
    """The full names of what a file imports."""
    found: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def sights(file: str, tree: ast.AST) -> set[Sight]:
    """What a file outside dpdesk/data uses of it that knows cells."""
    if file.startswith(DATA):
        return set()
    seen = {name for name in imports(tree) if f"{name}.".startswith("dpdesk.data.")}
    seen = {name for name in seen - BLIND if not name.startswith(BLIND_MODULES)}
    return {Sight(file, name.removeprefix("dpdesk.data.")) for name in seen}


def readers(file: str, tree: ast.AST) -> set[Sight]:
    """What a file outside dpdesk/data imports that could open a data file."""
    if file.startswith(DATA):
        return set()
    return {Sight(file, root) for n in imports(tree) if (root := n.split(".")[0]) in READERS}


def looks(file: str, tree: ast.AST) -> set[Sight]:
    """Calls that look at many values at once, in a file of dpdesk/data or one that sees cells."""
    if not file.startswith(DATA) and file not in {seeing for seeing, _ in SEES}:
        return set()
    calls = (node for node in nodes(tree) if isinstance(node, ast.Call))
    return {Sight(file.removeprefix(DATA), name) for call in calls if (name := _look(call))}


def _look(call: ast.Call) -> str:
    """The name of a call that looks at many values at once, or nothing."""
    is_plain = isinstance(call.func, ast.Name)
    name = getattr(call.func, "id" if is_plain else "attr", "")
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    if is_plain and name in CLAMPS and len(call.args) > 1 and not spread:
        return ""
    # `describe` of the desk's pictures and of a fault's trace tell no data.
    return name if name in EXTREMES else ""
