# SPDX-License-Identifier: Apache-2.0
"""One sentence about a header that tells who somebody is, alone or with others."""

from __future__ import annotations

from dpdesk.desk.pages.columns.column_marks import IdentityMark, mark_of
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.remark import Remark


class IdentityRemark(Remark):
    """There only while a column seems to name a person."""

    def show_column(self, name: str, title: str) -> None:
        """Say what a column's header means for people; nothing for the empty name."""
        mark = mark_of(name, title) if name else IdentityMark.NONE
        if mark is IdentityMark.DIRECT:
            self.say(
                self.tr(
                    "The name suggests that this column identifies people. Leave it out unless "
                    "you are sure it does not."
                ),
                Tone.ATTENTION,
            )
        elif mark is IdentityMark.QUASI:
            self.say(
                self.tr(
                    "Together with other columns, this may identify people. Use as little of it "
                    "as you can."
                ),
                Tone.INFO,
            )
        else:
            self.say("")
