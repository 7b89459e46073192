"""Triples and questions in the words of everyday conversations, for benchmarks that need vectors of real sentences."""

import numpy as np

from memlab.memory import Entity, Triple


def words(text: str) -> list[str]:
    return text.split()


NAMES = words("""
Ada Amir Beatriz Boris Caroline Chen Dana Diego Elena Emeka Fatima Finn Greta Hana Hugo Ingrid Ivan Jamal Joanna Kofi
Lena Liam Maya Melanie Nadia Nate Noor Oscar Priya Quentin Rosa Samir Tessa Tomas Uma Victor Wanda Xavier Yusuf Zoe
""")

RELATIONS = words("""
adopts admires asks_about attends bakes begins believes_in borrows breaks builds buys cancels celebrates chooses
collects competes_in completes cooks dances_to designs dislikes donates dreams_of enjoys fears feels_proud_of finds
forgets gives_away goes_to grows hosts improves is_allergic_to is_good_at is_interested_in is_tired_of joins laughs_at
learns leaves likes lives_near loses loves makes misses moves_to needs organises owns paints photographs plans plays
practises prefers promises quits reads recommends remembers repairs returns sells shares sings starts stops studies
supports takes_care_of teaches tries visits volunteers_at waits_for wants watches wins works_on writes_about
""")

QUALITIES = words("""
old new small big red blue wooden broken beautiful quiet famous local expensive homemade favourite first last
handmade vintage noisy
""")

THINGS = words("""
accordion apartment aquarium art_class badminton beach_house bicycle birthday_party board_game boat bookshop bracelet
bridge cabin camera campfire cat charity_run chess_club chocolate_cake church cinema clarinet coffee_shop comic_book
concert cooking_course dance_studio desk diary dinner dog_shelter drawing dress engine exhibition fantasy_novel farm
film_festival fishing_trip football_match forest garden gift guitar gym hat hiking_trail hospital house_plant ice_rink
island jazz_band jigsaw job_interview kitchen kite lake language_school lantern library lottery_ticket marathon market
medal meditation_class microscope mountain museum necklace neighbourhood newspaper notebook orchestra painting park
parrot piano picnic poem pottery_workshop puppy quilt radio restaurant river road_trip robot running_shoes sailing_club
school scooter sculpture shop skateboard song startup sunrise support_group swimming_pool sweater tea_set telescope
tennis_racket tent theatre_play train_journey travel_blog tree_house university vegetable_soup video_game violin
volleyball_team wedding wheelchair window workshop yoga_retreat
""")

MONTHS = ("January", "March", "May", "June", "August", "October", "December")
QUESTIONS = (
    "Since when is it true that {name} {relation} the {thing}?",
    "What does {name} have to do with the {thing}?",
    "Who {relation} the {thing}?",
    "What is it that {name} {relation}?",
    "Is it true that {name} {relation} the {thing}?",
)


def triples(n: int, seed: int) -> list[Triple]:
    """Return n distinct triples, every third with a date."""
    drawn: dict[Triple, None] = {}
    random = np.random.default_rng(seed)
    while len(drawn) < n:
        name, relation, quality, thing, month = (
            one[random.integers(len(one))] for one in (NAMES, RELATIONS, QUALITIES, THINGS, MONTHS)
        )
        when = f"{random.integers(1, 29)} {month} 2023" if random.integers(3) == 0 else ""
        target = Entity(f"the {quality} {thing.replace('_', ' ')}", "Object")
        drawn[Triple(Entity(name, "Person"), relation, target, when)] = None
    return list(drawn)


def questions(n: int, seed: int) -> list[str]:
    """Return n questions about what such triples tell."""
    random = np.random.default_rng(seed)
    asked = []
    for number in range(n):
        name, relation, thing = (one[random.integers(len(one))].replace("_", " ") for one in (NAMES, RELATIONS, THINGS))
        asked.append(QUESTIONS[number % len(QUESTIONS)].format(name=name, relation=relation, thing=thing))
    return asked
