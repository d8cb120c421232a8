# SPDX-License-Identifier: Apache-2.0
"""What a budget refuses, and shares that cannot be fitted."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SENTENCES: Final[dict[str, Template]] = {
    # Budget
    "plan-over-study-limit": "The queries cost {planned}, {over} over this study's limit of "
    "{limit}; lower their shares.",
    "release-too-many-lines": "The tables of this release would have {count} lines, counting "
    "those of variances, standard deviations and distributions twice; at most {most} can be "
    "verified. Release it in parts.",
    "release-too-many-candidates": "This release would choose from {count} candidates; at most "
    "{most} can be verified. Declare fewer candidates, or release it in parts.",
    "release-too-many-bins": "The distributions of this release would have {count} bins; at most "
    "{most} can be verified. Release it in parts.",
    "release-too-many-answers": "The randomised responses of this release would need {count} "
    "separate draws; at most {most} are possible. Release it in parts.",
    "release-too-many-intervals": "The intervals for the population and the comparisons of this "
    "release would be {count}, each comparison counting once for every group; at most {most} can "
    "be verified. Release it in parts.",
    "release-names-too-long": "The names of groups in the tables of this release would take more "
    "than {most} bytes; shorten them, or release it in parts.",
    "release-study-too-large": "The study with its lists of values takes more than {most} bytes; "
    "remove columns and values that no query uses, or release it in parts.",
    "delta-exceeded": "This costs a delta of {requested}; the account “{name}” has {left} "
    "remaining for found categories. Lower the queries' deltas, or raise the account's.",
    "delta-beyond-limit": "Copies of the ledger together spent more delta of the account “{name}” "
    "than an account may have (1e-6). No release from it would be verified; make none.",
    "found-none-kept": "The account “{name}” has no delta for found categories. Raise it in "
    "People, or declare the categories and count those.",
    "account-unknown": "The account “{name}” is not in this ledger. If nothing was ever released "
    "about these people, open it with: dpdesk account new {name} EPSILON",
    "account-exists": "There is already an account “{name}”; choose another name.",
    "budget-exceeded": "This costs {requested}; the account “{name}” has {left} remaining, "
    "{short} too little.",
    "raise-not-upwards": "The account “{name}” already has {total}; a total can only be raised.",
    "kept-not-upwards": "The account “{name}” already has a delta of {kept} for found categories; "
    "it can only be raised.",
    "kept-raise-too-large": "The account “{name}” can have a delta of at most {most} for found "
    "categories: the whole delta stays one in a million (1e-6) or less.",
    "kept-too-large": "The delta for found categories is part of the delta {delta}, so it must be "
    "less.",
    "reason-missing": "Give a reason; it stays in the ledger permanently.",
    "amount-comma": "Write the amount with a point, such as 0.25.",
    "amount-malformed": "Write the amount as a plain number such as 0.25.",
    "account-measure-differs": "The account “{name}” counts in {measure}, this amount is in "
    "{other}; choose an account in {other}.",
    "account-people-secret": "The number of people is a secret in the releases of the account "
    "“{name}”. Declare the same in People: losses of the two kinds do not add up.",
    "account-people-public": "The number of people is public in the releases of the account "
    "“{name}”. Declare the same in People: losses of the two kinds do not add up.",
    "rho-unreachable": "At this delta not even a rho of 0.000000001 stays within this epsilon; "
    "choose a larger epsilon.",
    "delta-malformed": "Write the delta as a number such as 1e-9.",
    "delta-not-positive": "An account in zCDP needs a delta above 0, such as 1e-9.",
    "delta-too-fine": "Write the delta as a multiple of 1e-18.",
    "delta-too-large": "The delta must be one in a million (1e-6) or less: with that chance, the "
    "protection of a person can fail entirely.",
    "delta-without-rho": "An account in pure epsilon has no delta; open one in zCDP for that.",
    "group-size-out-of-range": "A group has 1 to {most} people; choose a number in this range.",
    # Fitting shares
    "fit-nothing": "Set a goal for the shares: --within QUERY=MARGIN, or --total with an amount "
    "to spread.",
    "fit-without-total": "Weights and locks spread a total; give it with --total.",
    "fit-pair-malformed": "Write “{text}” as QUERY=NUMBER with a number above 0, such as stays=10.",
    "fit-twice": "“{name}” is named twice; name it once.",
    "fit-query-unknown": "The study has no query “{name}”; it has {known}.",
    "fit-no-expected": "“{name}” divides by the size of a group; set the size that you expect, "
    "so that its margin is known before the release.",
    "fit-no-margin": "“{name}” has no margin that is known before the release; leave it out.",
    "fit-margin-out-of-reach": "The margin of “{name}” cannot be {margin}: with a budget of "
    "{most} it is still {best}. Choose a wider margin.",
    "fit-over-limit": "The queries would cost {planned}, {over} over this study's limit of "
    "{limit}; choose wider margins.",
    "fit-total-over-limit": "{total} is over this study's limit of {limit}; spread less.",
    "fit-total-too-small": "{total} is too little to spread: locked queries have {locked}, and "
    "the others need at least {least}.",
    "fit-all-locked": "Every query is locked, with {locked} in total, so none of {total} can be "
    "spread; lock fewer.",
    "fit-locked-asked": "“{name}” is locked and has a weight; remove one of them.",
    "fit-locked-not-set": "“{name}” is locked, but has no share yet; set its share first.",
}
