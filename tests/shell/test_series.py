# SPDX-License-Identifier: Apache-2.0
"""`dpdesk ledger series`: a schedule's budget is reserved first and used up by its instalments."""

from __future__ import annotations

import json
from typing import Any

from dpdesk.release.ledger import Ledger
from tests.shell.hospital import Hospital, Said

NEW = ("--count", "3", "--every", "quarter", "--first", "2026-11")


def begin(hospital: Hospital, *more: str) -> Said:
    hospital.run("account", "raise", "small", "2", "--reason", "a series")
    return hospital.run("ledger", "series", "new", hospital.study, "wards", *(more or NEW))


def account(hospital: Hospital) -> tuple[str, str, str]:
    """Spent, reserved and left."""
    found: dict[str, Any] = json.loads(hospital.run("account", "show", "small", "--json").out)
    return found["spent"], found["reserved"], found["left"]


def test_a_series_reserves_its_schedule_and_each_instalment_uses_its_part(
    hospital: Hospital,
) -> None:
    said = begin(hospital)
    assert said.status == 0 and "1.5 reserved for 3 releases of 0.5 each" in said.out
    assert account(hospital) == ("0", "1.5", "0.5")
    planned = hospital.run("plan", hospital.study, "--series", "wards").out
    assert "Release 1 of 3 in series wards; the series reserved its budget." in planned
    assert "0.5 of 2 remaining, 0.5 after this release." in planned
    for number in (1, 2):
        assert hospital.release("--series", "wards", "--same-extract").status == 0
        spent, reserved = (str(n / 10).removesuffix(".0") for n in (5 * number, 15 - 5 * number))
        assert account(hospital) == (spent, reserved, "0.5")
    (listed,) = json.loads(hospital.run("ledger", "series", "list", "--json").out)
    assert (listed["released"], listed["remaining"], listed["next_due"]) == (2, 1, "2027-05")
    found = json.loads(hospital.run("verify", hospital.bundle, "--json").out)
    assert found["verified"] and found["remade"]["ok"]
    shown = hospital.run("account", "show", "small").out
    assert "Series wards begun: 1.5 reserved for 3 releases" in shown
    assert "Release 2 of the series of entry 3" in shown
    assert hospital.run("ledger", "check").status == 0
    assert hospital.run("ledger", "export", hospital.folder / "export").status == 0
    page = (hospital.folder / "export" / "ledger.html").read_text("utf-8")
    assert (
        "Series wards begun: 1.5 reserved for 3 releases" in page
        and "Release 2 of the series" in page
    )


def about_2025(members: dict[str, Any]) -> None:
    """Stays by quarter of a year, as days are written in Germany."""
    day = {"name": "day", "kind": "date", "first": "2025-01-01", "last": "2025-12-31"}
    members["columns"] = [{**day, "format": "DD.MM.YYYY"}]
    by = [{"column": "day", "period": "quarter"}]
    where = [{"column": "day", "from": "2025-01-01", "to": "2025-09-30"}]
    query = {"id": "stays", "statistic": "count", "by": by, "where": where, "epsilon": 0.5}
    members["queries"] = [query]


def test_the_second_year_is_about_the_second_year(hospital: Hospital) -> None:
    """Another file, of the next year, with days that are written otherwise."""
    hospital.write_study(about_2025)
    assert begin(hospital, "--count", "2", "--every", "year").status == 0
    hospital.write_data("pid,day\n" + "".join(f"{n},01.0{n % 3 + 1}.2025\n" for n in range(900)))
    first, second = hospital.folder / "2025.zip", hospital.folder / "2026.zip"
    given = ("release", hospital.study, "--series", "wards", "--out")
    assert hospital.run(*given, first).status == 0
    rows = "".join(f"{n},2026-0{n % 3 + 4}-01\n" for n in range(9000))
    (hospital.folder / "next.csv").write_text(f"pid,day\n{rows}", encoding="utf-8")
    following = hospital.folder / "2026.dpdesk"
    like = ("new", following, "--like", hospital.study, "--data", hospital.folder / "next.csv")
    refused = hospital.run(*like, "--later", "12", "--move", "ward")
    assert refused.status == 1 and "ward has no declared period" in refused.err
    assert "outside the years 1800 to 2500" in hospital.run(*like, "--later", "9999").err
    said = hospital.run(*like, "--later", "12")
    assert said.status == 0
    assert "Period: day, 2026-01-01 to 2026-12-31" in said.out
    text = following.read_text(encoding="utf-8")
    following.write_text(text.replace("DD.MM.YYYY", "YYYY-MM-DD"), encoding="utf-8")
    said = hospital.run("release", following, "--series", "wards", "--out", second)
    assert said.status == 0, said.err
    assert account(hospital) == ("1", "0", "1"), "paid from what was reserved"
    said = hospital.run("compare", first, second)
    flat = " ".join(said.out.split())
    assert "Another period: the condition on day 2026-01-01 to 2026-09-30, before 2025" in flat
    assert "day 2026-01-01 to 2026-12-31, before 2025-01-01 to 2025-12-31. Each group" in flat
    assert "day is read as 2026-09-03 from the file, before as 03.09.2026" in flat
    assert "2025-Q1 → 2026-Q1" in said.out and "more than noise" in said.out
    (query,) = json.loads(hospital.run("compare", first, second, "--json").out)["queries"]
    assert [one["what"] for one in query["moved"]] == ["condition", "span"]
    assert query["moved"][1]["later"] == ["2026-01-01", "2026-12-31"]
    lines = [(line["earlier_groups"], line["groups"]) for line in query["lines"]]
    assert lines[2] == (["2025-Q3"], ["2026-Q3"]) and query["read_otherwise"] == ["day"]
    assert float(query["lines"][1]["difference"]) > 1000
    assert float(query["lines"][0]["difference"]) < -100


def test_what_is_reserved_is_spent_on_nothing_else(hospital: Hospital) -> None:
    assert begin(hospital).status == 0
    assert hospital.release().status == 0
    refused = hospital.release("--fresh", "--same-extract")
    assert refused.status == 1 and "has 0 remaining" in refused.err
    assert account(hospital) == ("0.5", "1.5", "0")
    again = hospital.run("ledger", "series", "new", hospital.study, "more", *NEW)
    assert again.status == 1 and "has 0 remaining" in again.err
    planned = json.loads(hospital.run("plan", hospital.study, "--json").out)
    assert planned["account"]["reserved"] == "1.5"


def test_the_last_instalment_is_the_last_and_another_study_is_none(hospital: Hospital) -> None:
    assert begin(hospital, "--count", "1", "--every", "month").status == 0
    hospital.write_study(lambda members: members["queries"].pop())
    other = hospital.release("--series", "wards")
    assert other.status == 1 and "are not those that the series" in other.err
    hospital.write_study(lambda members: members["queries"][0].update(epsilon=0.1))
    assert hospital.release("--series", "wards").status == 1
    hospital.write_study(lambda members: members["data"].update(extract="another"))
    assert hospital.release("--series", "wards").status == 0
    done = hospital.release("--series", "wards", "--same-extract")
    assert done.status == 1 and "no releases remaining" in done.err
    assert "no series “x”" in hospital.release("--series", "x", "--same-extract").err
    assert "no series “x”" in hospital.run("plan", hospital.study, "--series", "x").err
    assert account(hospital) == ("0.5", "0", "1.5")


def test_ending_a_series_frees_what_was_not_drawn_alone(hospital: Hospital) -> None:
    assert begin(hospital).status == 0
    assert hospital.release("--series", "wards").status == 0
    end = ("ledger", "series", "end", "small", "wards", "--reason", "the register closes")
    assert hospital.run(*end[:-1], " ").status == 1
    said = hospital.run(*end)
    assert (
        said.status == 0
        and "1 is no longer reserved, and the account “small” has 1.5 remaining" in said.out
    )
    assert account(hospital) == ("0.5", "0", "1.5")
    twice = hospital.run(*end)
    assert twice.status == 1 and "no releases remaining" in twice.err
    assert hospital.release("--series", "wards", "--same-extract").status == 1
    assert "ended" in hospital.run("ledger", "series", "list").out
    assert "ended: the register closes" in hospital.run("account", "show", "small").out
    assert begin(hospital).status == 1, "a name stands once"


def test_impossible_schedules_reserve_nothing(hospital: Hospital) -> None:
    before = Ledger.open(hospital.home).head()
    for count in ("0", "-1", "241", "3", "99999999999999999999"):
        said = hospital.run(
            *("ledger", "series", "new", hospital.study, "wards"),
            *("--every", "month", f"--count={count}"),
        )
        assert said.status in (1, 2) and len(said.err) > 10, count
    for first in ("2026-13", "2026", "2026-1", "x"):
        said = hospital.run(
            *("ledger", "series", "new", hospital.study, "wards", "--every", "month"),
            *("--count", "1", "--first", first),
        )
        assert said.status == 1 and "2026-12" in said.err
    assert Ledger.open(hospital.home).head() == before
