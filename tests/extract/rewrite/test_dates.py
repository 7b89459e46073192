from datetime import datetime

import pytest

from memlab.extract.rewrite.dates import absolute

MONDAY = datetime(2023, 5, 8, 13, 56)

RESOLVED = [
    ("I went yesterday.", "I went on 7 May 2023."),
    ("Yesterday I went.", "On 7 May 2023 I went."),
    ("I went yesterday morning.", "I went on the morning of 7 May 2023."),
    ("I saw her the day before yesterday.", "I saw her on 6 May 2023."),
    ("See you tomorrow.", "See you on 9 May 2023."),
    ("I start the day after tomorrow.", "I start on 10 May 2023."),
    ("I leave today.", "I leave on 8 May 2023."),
    ("I cook tonight.", "I cook on the night of 8 May 2023."),
    ("I ran this morning.", "I ran on the morning of 8 May 2023."),
    ("We danced last night.", "We danced on the night of 7 May 2023."),
    ("I ran last Saturday.", "I ran the Saturday before 8 May 2023."),
    ("Last Fri I finally went.", "The Friday before 8 May 2023 I finally went."),
    ("I ran on last Tuesday.", "I ran the Tuesday before 8 May 2023."),
    ("We paint next Saturday.", "We paint the Saturday after 8 May 2023."),
    ("I ran on Friday.", "I ran the Friday before 8 May 2023."),
    ("I'll run on Friday.", "I'll run the Friday after 8 May 2023."),
    ("I went last week.", "I went the week before 8 May 2023."),
    ("I go next week.", "I go the week after 8 May 2023."),
    ("It's been busy this week.", "It's been busy the week of 8 May 2023."),
    ("I went last weekend.", "I went the weekend before 8 May 2023."),
    ("I went this past weekend.", "I went the weekend before 8 May 2023."),
    ("I'm going this weekend.", "I'm going the weekend of 8 May 2023."),
    ("I go next month.", "I go in June 2023."),
    ("I went last month.", "I went in April 2023."),
    ("I go this month.", "I go in May 2023."),
    ("I painted it last year.", "I painted it in 2022."),
    ("I retire next year.", "I retire in 2024."),
    ("I swam last summer.", "I swam in the summer of 2022."),
    ("I'll swim this summer.", "I'll swim in the summer of 2023."),
    ("I went two days ago.", "I went on 6 May 2023."),
    ("I went a week ago.", "I went a week before 8 May 2023."),
    ("I went two weekends ago.", "I went two weekends before 8 May 2023."),
    ("I went a few days ago.", "I went a few days before 8 May 2023."),
    ("I moved 3 months ago.", "I moved in February 2023."),
    ("I moved 10 years ago.", "I moved 10 years ago (in 2013)."),
    ("I moved a few years back.", "I moved a few years before 8 May 2023."),
    ("I'll be there in 2 weeks.", "I'll be there 2 weeks after 8 May 2023."),
    ("I'll be there in three days.", "I'll be there on 11 May 2023."),
    ("I've been off since yesterday.", "I've been off since 7 May 2023."),
    ("I work until tomorrow.", "I work until 9 May 2023."),
    ("It has been quiet since last month.", "It has been quiet since April 2023."),
]


@pytest.mark.parametrize(("said", "written"), RESOLVED)
def test_relative_dates_are_resolved_against_the_turn(said: str, written: str) -> None:
    assert absolute(said, MONDAY) == written


UNTOUCHED = [
    "I met her at the last minute.",
    "That was my last year of school.",
    "It happened the next week.",
    "The last week of June was hot.",
    "Today's world is loud.",
    "I run on Fridays.",
    "I come back later.",
    "In the last few years I grew.",
    "I went on 7 May 2023.",
    "I'll go in a minute.",
    "I did it in two days and left.",
    "One day I will go.",
]


@pytest.mark.parametrize("said", UNTOUCHED)
def test_what_is_no_relative_date_stays(said: str) -> None:
    assert absolute(said, MONDAY) == said


def test_months_wrap_over_the_year() -> None:
    assert absolute("I went last month.", datetime(2023, 1, 3)) == "I went in December 2022."
    assert absolute("I go next month.", datetime(2023, 12, 3)) == "I go in January 2024."


def test_last_summer_is_this_years_once_it_is_over() -> None:
    assert absolute("I swam last summer.", datetime(2023, 11, 3)) == "I swam in the summer of 2023."


def test_a_date_before_the_calendar_stays_as_it_was_said() -> None:
    assert absolute("I went yesterday.", datetime(1, 1, 1)) == "I went yesterday."
