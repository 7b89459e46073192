import pytest

from memlab.extract.rewrite.persons import in_third_person

CAROLINE_SAYS = [
    # Verbs
    ("I went to the park.", "Caroline went to the park."),
    ("I love painting.", "Caroline loves painting."),
    ("I really enjoy hiking and want to go more.", "Caroline really enjoys hiking and wants to go more."),
    ("I want to travel and see the world.", "Caroline wants to travel and see the world."),
    ("I'm a nurse.", "Caroline is a nurse."),
    ("I am a nurse.", "Caroline is a nurse."),
    ("I was tired and I'm still tired.", "Caroline was tired and Caroline is still tired."),
    ("I've been to Rome.", "Caroline has been to Rome."),
    ("I have two dogs.", "Caroline has two dogs."),
    ("I haven't seen it.", "Caroline hasn't seen it."),
    ("I don't like fish.", "Caroline doesn't like fish."),
    ("I do yoga.", "Caroline does yoga."),
    ("I'd love to come.", "Caroline would love to come."),
    ("I'd never seen snow.", "Caroline had never seen snow."),
    ("I'll try pottery.", "Caroline will try pottery."),
    ("I can't swim.", "Caroline can't swim."),
    ("I need a break.", "Caroline needs a break."),
    ("I watch films.", "Caroline watches films."),
    ("I carry a notebook.", "Caroline carries a notebook."),
    ("I put it on the table.", "Caroline put it on the table."),
    ("I also finished a book.", "Caroline also finished a book."),
    ("i live in Rome.", "Caroline lives in Rome."),
    ("Im so happy.", "Caroline is so happy."),
    ("I wanna learn piano.", "Caroline wants to learn piano."),
    ("I wish I were taller.", "Caroline wishes Caroline were taller."),
    ("When I run, I listen to music.", "When Caroline runs, Caroline listens to music."),
    ("I apply for jobs.", "Caroline applies for jobs."),
    # Possession and objects
    ("My kids are great.", "Caroline's kids are great."),
    ("She gave it to me.", "She gave it to Caroline."),
    ("That book is mine.", "That book is Caroline's."),
    ("I bought myself a guitar.", "Caroline bought themself a guitar."),
    # Subjects of several
    ("My family and I are moving.", "Caroline's family and Caroline are moving."),
    ("My husband and I love it.", "Caroline's husband and Caroline love it."),
    ("Anna and I were there.", "Anna and Caroline were there."),
    ("It was fun, and I love it.", "It was fun, and Caroline loves it."),
    # The other speaker
    ("You're a great painter.", "Melanie is a great painter."),
    ("You have real talent.", "Melanie has real talent."),
    ("I told you about your book.", "Caroline told Melanie about Melanie's book."),
    ("I hope you like it.", "Caroline hopes Melanie likes it."),
    ("I know you were there.", "Caroline knows Melanie was there."),
    ("What do you think?", "What does Melanie think?"),
    ("Have you been there?", "Has Melanie been there?"),
    ("Why did you move?", "Why did Melanie move?"),
    ("How many kids do you have?", "How many kids does Melanie have?"),
    ("What've you been up to?", "What has Melanie been up to?"),
    ("I want to help you relax.", "Caroline wants to help Melanie relax."),
    # We
    ("Since we last spoke, I moved.", "Since Caroline and Melanie last spoke, Caroline moved."),
    ("We both love films.", "Caroline and Melanie both love films."),
    ("We went camping.", "Caroline and others went camping."),
    ("I had a quiet day after we went camping.", "Caroline had a quiet day after they went camping."),
    # No person at all, and other people's words
    ("The concert was loud.", "The concert was loud."),
    ('The sign said "You can do it" to me.', None),
    ('I read a book called "My Left Foot".', 'Caroline read a book called "My Left Foot".'),
    ("You know, I moved.", "Caroline moved."),
    ("You like jazz, don't you.", "Melanie likes jazz."),
    ("I moved, you know.", "Caroline moved."),
]


@pytest.mark.parametrize(("said", "written"), CAROLINE_SAYS)
def test_persons_are_resolved(said: str, written: str | None) -> None:
    assert in_third_person(said, "Caroline", "Melanie") == written


THIRD_PERSONS = [
    ("My sister moved to Rome.", "Caroline's sister moved to Rome."),
    ("My mom's sister is a nurse.", "Caroline's mom's sister is a nurse."),
    ("She moved to Rome.", "She moved to Rome."),
    ("My friend told me he adopted a child.", "Caroline's friend told Caroline he adopted a child."),
    ("Your brother won.", "Melanie's brother won."),
    ("He said you won.", "He said Melanie won."),
]


@pytest.mark.parametrize(("said", "written"), THIRD_PERSONS)
def test_a_third_persons_fact_is_not_the_speakers(said: str, written: str) -> None:
    assert in_third_person(said, "Caroline", "Melanie") == written


UNCLEAR = [
    "You guys are great.",
    "If you work hard, it pays off.",
    "It makes you happy.",
    "You never know.",
    "Believe in yourself.",
    "We need more parks.",
    "Let's go hiking.",
    "Our city is beautiful.",
    "Taking care of ourselves is vital.",
]


@pytest.mark.parametrize("said", UNCLEAR)
def test_nobody_is_named_when_it_is_unclear_who_is_meant(said: str) -> None:
    assert in_third_person(said, "Caroline", "Melanie") is None


def test_you_is_nobody_without_a_listener() -> None:
    assert in_third_person("You are great.", "Caroline", None) is None
    assert in_third_person("I am great.", "Caroline", None) == "Caroline is great."


def test_we_are_the_speaker_and_the_company_that_was_named() -> None:
    assert (
        in_third_person("We went camping.", "Caroline", "Melanie", "family")
        == "Caroline and Caroline's family went camping."
    )
    written = in_third_person("We played chess with my son.", "Caroline", "Melanie", "son")
    assert written == "Caroline and Caroline's son played chess."
