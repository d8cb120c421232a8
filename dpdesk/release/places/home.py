# SPDX-License-Identifier: Apache-2.0
"""Where dpdesk keeps what outlives its windows: ledger, chain heads, keys, known signers, settings.

The ledger and what is remembered of its chain lie in two folders that backups, clean-ups and
roaming profiles treat differently, so that an old copy of one meets a newer one of the other.
Where the custodians of a machine share a ledger, it and its heads lie in the folder of their group;
keys, signers and settings stay each user's own.
``DPDESK_HOME`` puts everything under one folder; there the heads have a folder of their own.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from dpdesk.release.places.shared_folder import (
    check_shared,
    make_shared,
    refuse_links,
    shared_folder,
)
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import real_path

NAME = "dpdesk"
LEDGER = "ledger.sqlite"
STUDIES = "studies"


SAMPLE_ACCOUNT = "sample-hospital"
"""The account that the sample's study names: what is signed for it has a key of its own."""


@dataclass(frozen=True)
class Home:
    """The places of one user's dpdesk.

    Attributes:
        root: folder of ledger, keys, signers and settings.
        heads_folder: the other folder, for what is remembered of the ledger's chain.
        shared: the folder of a ledger that a group shares; ``None`` where it is the user's own.
        is_sample: its signing key is that of the sample hospital.
    """

    root: Path
    heads_folder: Path
    shared: Path | None = None
    is_sample: bool = False

    @classmethod
    def at(cls, root: Path) -> Home:
        return cls(root, root / "heads")

    @classmethod
    def locate(cls, environ: Mapping[str, str] | None = None) -> Home:
        """The home that ``DPDESK_HOME`` names, or the user's own; made where it is missing.

        Raises:
            Refused: ``home-unwritable`` (param name) where its folders cannot be made,
                ``home-open`` where everybody may write into one, and what ``shared_folder``,
                ``check_shared`` and ``refuse_links`` refuse.
        """
        environ = os.environ if environ is None else environ
        given = environ.get("DPDESK_HOME", "")
        try:
            home = cls.at(Path(given).expanduser().absolute()) if given else cls.of_user()
        except RuntimeError:
            # Neither the environment nor the system's accounts know a home folder.
            raise refuse("home-unwritable", name=given or "~") from None
        shared = None if given else shared_folder(environ)
        if shared is not None:
            home = replace(home, heads_folder=shared / "heads", shared=shared)
        home.make()
        return home

    @classmethod
    def of_user(cls) -> Home:
        """The usual folders of this system, not roaming but for the heads."""
        root = Path(platformdirs.user_data_dir(NAME, appauthor=False))
        return cls(root, Path(_heads_dir()))

    @property
    def has_ledger(self) -> bool:
        """Whether there is or was a ledger: with a second record alone it was moved away."""
        return self.ledger.exists() or self.heads.exists()

    @property
    def ledger(self) -> Path:
        return (self.shared or self.root) / LEDGER

    @property
    def heads(self) -> Path:
        """The file that remembers the ledger's chain."""
        return self.heads_folder / "heads.json"

    @property
    def arrival(self) -> Path:
        """The secret of a home that expects a ledger from another computer."""
        return self.root / "arrival-secret"

    @property
    def keys(self) -> Path:
        """Folder of signing keys; what is tried out signs nothing real."""
        return self.root / ("sample-keys" if self.is_sample else "keys")

    def of_account(self, account: str) -> Home:
        """The home whose key signs for an account: the sample hospital has one of its own."""
        return replace(self, is_sample=account == SAMPLE_ACCOUNT)

    @property
    def studies(self) -> Path:
        """Folder of studies that were begun without a place of their own; made with the first."""
        return self.root / STUDIES

    @property
    def key_backups(self) -> Path:
        return self.root / "key-backups"

    @property
    def signers(self) -> Path:
        """``allowed_signers`` of the signers this user knows."""
        return self.root / "allowed_signers"

    @property
    def unwritten(self) -> Path:
        """Folder of notes on releases whose bundle is not written yet; made with the first."""
        return self.root / "unwritten"

    @property
    def orders(self) -> Path:
        """Folder of orders that wait for their counts, and their keys; made with the first."""
        return self.root / "orders"

    @property
    def dossiers(self) -> Path:
        """Folder of what was typed in for dossiers; made with the first."""
        return self.root / "dossiers"

    @property
    def settings(self) -> Path:
        return self.root / "settings.ini"

    @property
    def logs(self) -> Path:
        """Folder of the logs; made with the first line."""
        return self.root / "logs"

    def keeps(self, path: Path) -> bool:
        """Whether a file is where what others write could take the place of what is kept.

        That is anywhere in its folders but among the user's studies, whatever links lead there.
        """
        folders = (self.root, self.heads_folder, *([self.shared] if self.shared else []))
        found, studies = real_path(path), real_path(self.studies)
        if found.is_relative_to(studies) and found != studies:
            return False
        return any(found.is_relative_to(real_path(folder)) for folder in folders)

    def make(self) -> None:
        """Make the folders that are missing, for this user alone.

        Raises:
            Refused: ``home-unwritable``, or ``home-open`` (param name) where everybody may write;
                what ``check_shared`` and ``refuse_links`` refuse.
        """
        if self.shared is not None:
            self._make_shared(self.shared)
        for folder in (self.root, self.heads_folder, self.keys):
            try:
                _make_private(folder)
            except OSError:
                raise refuse("home-unwritable", name=str(folder)) from None
            if is_open_to_all(folder):
                raise refuse("home-open", name=str(folder))

    def _make_shared(self, shared: Path) -> None:
        check_shared(shared)
        try:
            make_shared(self.heads_folder)
        except OSError:
            raise refuse("home-unwritable", name=str(self.heads_folder)) from None
        check_shared(self.heads_folder)
        refuse_links(shared, LEDGER)
        refuse_links(self.heads_folder)

    def other_ledger(self, environ: Mapping[str, str] | None = None) -> Path | None:
        """A folder with another ledger of this user's: what it spends is not counted here."""
        try:
            shared = shared_folder(os.environ if environ is None else environ)
        except Refused:
            shared = None
        found = self.root if self.shared is not None else shared
        return found if found is not None and os.path.exists(found / LEDGER) else None


def _make_private(folder: Path) -> None:
    """Make a folder and those above it that are missing, for this user alone whatever the umask.

    Anyone who may write into a folder above can put another one in this one's place.
    """
    for missing in reversed([above for above in folder.parents if not above.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def is_open_to_all(folder: Path) -> bool:
    """Whether everybody on this machine may change what is in a folder; a group may."""
    return os.name == "posix" and bool(folder.stat().st_mode & stat.S_IWOTH)


def _heads_dir() -> str:
    """A folder that is not the data folder on any system."""
    if sys.platform == "win32":
        return platformdirs.user_data_dir(NAME, appauthor=False, roaming=True)
    if sys.platform == "darwin":
        return platformdirs.user_log_dir(NAME, appauthor=False)
    return platformdirs.user_state_dir(NAME, appauthor=False)
