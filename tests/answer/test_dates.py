from datetime import datetime

import pytest

from memlab.answer.dates import named_date

MONDAY = datetime(2023, 5, 8, 13, 56)


@pytest.mark.parametrize(
    ("sentence", "date"),
    [
        ("I saw her yesterday.", "7 May 2023"),
        ("We sang last night.", "7 May 2023"),
        ("I ran a race last Sunday.", "the Sunday before 8 May 2023"),
        ("We camped last week.", "the week before 8 May 2023"),
        ("We camped two weekends ago.", "two weekends before 8 May 2023"),
        ("We will camp next month.", "June 2023"),
        ("I painted it last year.", "2022"),
        ("She left 3 years ago.", "2020"),
        ("Ana went to a fair on 3 March 2023.", "3 March 2023"),
        ("Ana went to a fair the week before 9 June 2023.", "the week before 9 June 2023"),
        ("My birthday is on August 13th.", "13 August 2023"),
        ("We met on December 24.", "24 December 2022"),
        ("It opened on May 3, 2021 and closed in 2022.", "3 May 2021"),
        ("It opens in July.", "July 2023"),
        ("It closed in December.", "December 2022"),
        ("We met in June, 2019.", "June 2019"),
        ("We met in the summer of 2019.", "the summer of 2019"),
        ("I have painted since 2016.", "2016"),
    ],
)
def test_a_date_is_resolved_at_the_precision_it_was_said_with(sentence: str, date: str) -> None:
    assert named_date(sentence, MONDAY) == date


@pytest.mark.parametrize("sentence", ["I may march on.", "We have 3 cats.", "It costs 2500 dollars.", ""])
def test_a_sentence_without_a_date_names_none(sentence: str) -> None:
    assert named_date(sentence, MONDAY) is None
