# SPDX-License-Identifier: Apache-2.0
"""Every dialog of the window, made as the window makes it, on whatever study is open."""

from __future__ import annotations

import importlib
import pkgutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dpdesk import desk
from dpdesk.data.inspection.finding import Finding
from dpdesk.data.inspection.next_file import look_at_next
from dpdesk.desk.core.edits.main_table import with_main
from dpdesk.desk.core.files.added_files import EACH, ONE_TABLE, AddedFile
from dpdesk.desk.core.state import AccountView
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.about.about_dialog import AboutDialog
from dpdesk.desk.pages.about.support_text import support_dialog
from dpdesk.desk.pages.columns.codebook.codebook_dialog import CodebookDialog
from dpdesk.desk.pages.columns.derived.column_dialog import ColumnDialog
from dpdesk.desk.pages.columns.derived.derived_edits import column_of
from dpdesk.desk.pages.columns.derived.person_table_dialog import PersonTableDialog
from dpdesk.desk.pages.columns.derived.step_list import DECLARED
from dpdesk.desk.pages.columns.list_dialog import ListDialog
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.counted.separate_dialog import SeparatePeopleDialog
from dpdesk.desk.pages.data.database.order_dialog import OrderDialog
from dpdesk.desk.pages.data.tables.added_files_dialog import AddedFilesDialog
from dpdesk.desk.pages.data.tables.main_table_dialog import MainTableDialog
from dpdesk.desk.pages.data.tables.table_dialog import TableDialog
from dpdesk.desk.pages.dossier.dossier_dialog import DossierDialog
from dpdesk.desk.pages.history.reconcile_dialog import ImportBundlesDialog, ReconcileDialog
from dpdesk.desk.pages.keys.change_dialogs import PassphraseDialog, RevokeDialog, RotateDialog
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog, UnlockDialog
from dpdesk.desk.pages.keys.lost_key_dialog import LostSecondKeyDialog
from dpdesk.desk.pages.keys.require_dialog import RequireSecondPersonDialog
from dpdesk.desk.pages.keys.second_person_dialog import SecondPersonDialog
from dpdesk.desk.pages.keys.sign_dialog import HandedFile, SignDialog
from dpdesk.desk.pages.keys.words_dialogs import (
    PaperDialog,
    RestoreWordsDialog,
    TryWordsDialog,
)
from dpdesk.desk.pages.ledger.backup_dialog import (
    BackupDialog,
    ExportDialog,
    MoveDialog,
    RestoreDialog,
)
from dpdesk.desk.pages.ledger.notice_dialog import NoticeDialog
from dpdesk.desk.pages.ledger.series_dialog import EndSeriesDialog, NewSeriesDialog
from dpdesk.desk.pages.ledger.unlock_dialog import UnlockAccountDialog
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog, RaiseDialog
from dpdesk.desk.pages.preferences.preferences_dialog import PreferencesDialog
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.rehearsal.group_sizes_dialog import GroupSizesDialog
from dpdesk.desk.pages.release.check_dialog import CheckDialog
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.release.release_review import confirm_dialog
from dpdesk.desk.pages.release.same_file_dialog import SameFileDialog
from dpdesk.desk.pages.reuse.carry_over_dialog import CarryOverDialog
from dpdesk.desk.pages.reuse.template_dialog import TemplateDialog
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.sentence.numbers_dialog import NumbersDialog
from dpdesk.desk.pages.verify.signer_dialog import AddSignerDialog
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.privacy.compiler import compile as compile_study
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.program.installed_files import Comparison
from dpdesk.release.ledger.decisions.decided import BegunSeries
from dpdesk.release.ledger.decisions.series import Series
from dpdesk.release.ledger.history import HistoryEntry
from dpdesk.release.ledger.uses import EarlierUse
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.second_person.plan_file import PlanFile, PlanTerms
from dpdesk.release.signing.keys import KeyInfo
from dpdesk.study.model.amount import NO_DELTA
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN, FurtherTable
from dpdesk.study.model.unit import DataSource
from tests.turns import in_turn

Make = Callable[[MainWindow], Dialog]
OFFICE = "data-office@hospital.example"
KEY = KeyInfo(OFFICE, f"SHA256:{'x' * 43}", f"ssh-ed25519 {'A' * 68}")


def zcdp(window: MainWindow) -> Dialog:
    dialog = NewAccountDialog(window, window.session, "stays")
    dialog.kept_in.set_choices([("rho", "zCDP")], "rho")
    dialog.kept_in.picked.emit("rho")
    return dialog


def account_of(window: MainWindow) -> AccountView:
    account = window.session.state.account
    assert account is not None
    return account


def raising(window: MainWindow) -> Dialog:
    return RaiseDialog(window, window.session, account_of(window))


def opening(window: MainWindow) -> Dialog:
    """An account that was locked for everything it can be locked for."""
    named = window.session.accounts.ledger().account(account_of(window).name)
    account = replace(named, locks=("restored", "rebuilt", "rolled-back", "moved"))
    return UnlockAccountDialog(window, window.session, account)


def condition(window: MainWindow) -> Dialog:
    state = window.session.state
    return ConditionDialog(window, state.study.columns[0], None)


def derived(window: MainWindow) -> Dialog:
    study = window.session.state.study
    made = column_of(DECLARED["arithmetic"].first(study), study, "")
    return ColumnDialog(window, window.session.state, made)


def numbers(window: MainWindow) -> Dialog:
    hint = "Separated by semicolons, such as 18; 40; 65. Each is the lowest value of its bin."
    said = "5 bins: below 18, 18 to 39, 40 to 64, 65 to 79, 80 and above"
    return NumbersDialog(window, "Bins", "&Bins begin at", hint, (), lambda _: "", lambda _: said)


def differing(window: MainWindow) -> Dialog:
    """About, after installed files were found to differ."""
    dialog = AboutDialog(window, window.session)
    dialog.show_found(Comparison(3, ("changed",), ("missing",), ("additional",) * 20))
    return dialog


def released(window: MainWindow) -> ReleaseDone:
    """What the study's own account paid for; asked again it is the same release, for free."""
    session = window.session
    study, folder = session.document.study, session.document.folder
    done = release(study, folder, session.accounts.ledger(), OpenDPDoor(), same_extract=True)
    session.reread_accounts()
    assert isinstance(done, ReleaseDone)
    return done


def newest(window: MainWindow) -> HistoryEntry:
    released(window)
    history = window.session.accounts.ledger().history()
    return next(entry for entry in reversed(history) if entry.entry.kind == "release")


def withdrawing(window: MainWindow) -> Dialog:
    about = newest(window)
    return NoticeDialog(window, window.session, about, {about.entry.sequence: 1}, (about,))


def dossier(window: MainWindow) -> Dialog:
    record = released(window).stored.record
    return DossierDialog(window, window.session, record, window.session.document.folder / "x.zip")


def ending(window: MainWindow) -> Dialog:
    state = window.session.state
    paid = state.study.queries[0].share
    begun = BegunSeries("Quarterly report", "quarter", "2026-12", 4, paid, NO_DELTA, "0" * 64)
    return EndSeriesDialog(window, window.session, (Series(2, "stays", begun, drawn=1),))


SECOND = SecondPerson("release", "board@hospital.example", KEY.public_line)


def signing_as_second(window: MainWindow) -> Dialog:
    plan = compile_study(window.session.state.study)
    account = account_of(window)
    terms = PlanTerms(account.name, "0" * 64, SECOND, "0" * 32, False, account.delta)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.json"
        path.write_bytes(PlanFile.of_plans(plan.study, plan.queries, terms).to_bytes())
        return SignDialog(window, window.session, HandedFile(path))


def unreadable(window: MainWindow) -> Dialog:
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    columns = window.session.state.study.columns[:2]
    unread = [Finding("numbers", "none", column.name, 2) for column in columns]
    return CheckDialog(page.review.check, window.session.state, unread)


def codebook(window: MainWindow) -> Dialog:
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return CodebookDialog(page, window.session)


def with_labs(study: Study) -> Study:
    """The study with a further table of its own file, in two years."""
    data = study.data or DataSource()
    second = replace(data, path="stays-2024.csv", missing=(), extract="", label="2024")
    both = replace(data, extract="", label="2023", more=(second,))
    return replace(study, tables=(FurtherTable("labs", both, "pid"),))


def table(window: MainWindow) -> Dialog:
    session = window.session
    return TableDialog(window, session, with_labs(session.document.study), "labs")


def another_main_table(window: MainWindow) -> Dialog:
    """All that can be lost is."""
    study = with_labs(window.session.document.study)
    change = replace(with_main(study, "labs"), columns=("age",), cases=("labs",), rule=True)
    return MainTableDialog(window, replace(change, row_words=True, queries=2), "labs")


def values_of_person(window: MainWindow) -> Dialog:
    study = window.session.document.study
    begun = column_of(DECLARED["person"].first(study), study, "")
    return PersonTableDialog(window, window.session.state, begun)


def values_from_file(window: MainWindow) -> Dialog:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wards.csv"
        path.write_text("code;name\n1;north\n2;south\n", encoding="utf-8")
        return ListDialog(window, window.session, path)


def added_files(window: MainWindow) -> Dialog:
    file = AddedFile(DataSource("labs.csv"), ("pid", "value"))
    return AddedFilesDialog(window, [file, file], ["", "labs", ONE_TABLE, EACH])


def carrying_over(window: MainWindow) -> Dialog:
    """The same study about a file that has none of its columns."""
    study = window.session.document.study
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "admissions-2027.csv"
        path.write_text("ward;days\nA;1\n", encoding="utf-8")
        found = look_at_next(study, path)
    return CarryOverDialog(window, study, found, lambda _name: False)


DIALOGS: dict[str, Make] = {
    "table": table,
    "main table": lambda w: TableDialog(w, w.session, w.session.document.study, MAIN),
    "another main table": another_main_table,
    "added files": added_files,
    "values of a person": values_of_person,
    "values from a file": values_from_file,
    "account": lambda w: NewAccountDialog(w, w.session, "stays"),
    "account in zCDP": zcdp,
    "raise": raising,
    "open an account": opening,
    "condition": condition,
    "numbers": numbers,
    "derived column": derived,
    "fit": lambda w: FitDialog(w, w.session.state),
    "codebook": codebook,
    "carry over": carrying_over,
    "template": lambda w: TemplateDialog(w, w.session.state),
    "group sizes": lambda w: GroupSizesDialog(w, w.session.state, {}),
    "new key": lambda w: NewKeyDialog(w, w.session),
    "try words": lambda w: TryWordsDialog(w, w.session),
    "passphrase": lambda w: PassphraseDialog(w, w.session),
    "rotate": lambda w: RotateDialog(w, w.session),
    "revoke": lambda w: RevokeDialog(w, w.session),
    "paper": lambda w: PaperDialog(w, w.session),
    "restore": lambda w: RestoreWordsDialog(w, w.session, ""),
    "unlock": lambda w: UnlockDialog(w, w.session, OFFICE),
    "second person": lambda w: SecondPersonDialog(w, w.session, SECOND),
    "second person required": lambda w: RequireSecondPersonDialog(
        w, w.session, (w.session.accounts.states[0].name,)
    ),
    "second key lost": lambda w: LostSecondKeyDialog(
        w, w.session, w.session.accounts.states[0].name, SECOND
    ),
    "sign": signing_as_second,
    "back up": lambda w: BackupDialog(w, w.session),
    "restore a ledger": lambda w: RestoreDialog(w, w.session),
    "move": lambda w: MoveDialog(w, w.session),
    "export": lambda w: ExportDialog(w, w.session),
    "series": lambda w: NewSeriesDialog(w, w.session),
    "end a series": ending,
    "reconcile": lambda w: ReconcileDialog(w, w.session),
    "import bundles": ImportBundlesDialog,
    "separate": lambda w: SeparatePeopleDialog(w, "diabetes-registry"),
    "separate, counted": lambda w: SeparatePeopleDialog(
        w, "diabetes-registry", counted=True, may_pass=True
    ),
    "order": lambda w: OrderDialog(w, b'{"format": "dpdesk-order", "version": 1}'),
    "same file": lambda w: SameFileDialog(
        w, w.session, EarlierUse("2026-03-01T12:00Z", "differ"), "admissions.csv, 1 March"
    ),
    "unreadable": unreadable,
    "signer": lambda w: AddSignerDialog(w, w.session),
    "confirm": lambda w: confirm_dialog(w, w.session.state, OFFICE),
    "withdraw": withdrawing,
    "dossier": dossier,
    "preferences": lambda w: PreferencesDialog(w, w.settings, w.session),
    "about": differing,
    "support": lambda w: support_dialog(w, w.session.home),
}


def dialog_classes() -> set[type[Dialog]]:
    """Every kind of dialog that the desk's modules declare, those loaded late, too."""
    for module in pkgutil.walk_packages(desk.__path__, f"{desk.__name__}."):
        importlib.import_module(module.name)
    return {kind for kind in _below(Dialog) if kind.__module__.startswith(desk.__name__)}


def some_dialogs(walk: str) -> dict[str, Make]:
    """The dialogs whose turn it is in a walk through all of them, each with a third of commits."""
    return dict(in_turn([*DIALOGS.items()], 3, walk))


def _below(kind: type[Dialog]) -> set[type[Dialog]]:
    """The classes that derive from one and that none derives from."""
    below = kind.__subclasses__()
    return {found for each in below for found in _below(each)} if below else {kind}
