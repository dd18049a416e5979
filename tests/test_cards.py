"""Cards as text and as bits: what is read, what is refused, and in what words."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some
from table import NUMBER, bits, checks

from ginsim import cards
from ginsim.cards import card_text, cards_text, numbers_in, parse_cards, parse_sequence, points
from ginsim.errors import UsageError

pytestmark = pytest.mark.quick

DECK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
SYMBOLS = dict(zip("CDHS", "♣♦♥♠", strict=True))
WHITE = dict(zip("CDHS", "♧♢♡♤", strict=True))


def refusal(text: str) -> str:
    """What is said about a text that is not cards: one line, and the exit code of a wrong use."""
    with pytest.raises(UsageError) as caught:
        parse_sequence(text)
    message = str(caught.value)
    assert caught.value.exit_code == 2
    assert message and len(message.splitlines()) == 1
    return message


@pytest.mark.parametrize(("given_", "expected"), checks("parse"))
def test_the_texts_of_the_case_file_are_read_or_refused(given_: dict, expected: dict) -> None:
    if expected["cards"] == "error":
        refusal(given_["text"])
    else:
        assert [card_text(number) for number in parse_sequence(given_["text"])] == expected["cards"]


def test_r1_there_are_52_cards_in_four_suits_ace_low_and_king_high() -> None:
    assert list(cards.TEXTS) == DECK
    assert (
        list(cards.NUMBERS) == sorted(NUMBER.values()) == [16 * suit + rank for suit in range(4) for rank in range(13)]
    )
    assert bits(DECK) == cards.FULL_DECK
    assert [card_text(number) for number in numbers_in(cards.FULL_DECK)] == DECK


def test_r2_an_ace_counts_1_number_cards_their_number_tens_and_faces_10() -> None:
    worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(number): number for number in range(2, 10)}
    assert {card: points(NUMBER[card]) for card in DECK} == {card: worth[card[0]] for card in DECK}


def test_every_card_is_read_in_each_of_its_spellings() -> None:
    for card in DECK:
        rank, suit = card
        ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
        suits = [suit, suit.lower(), SYMBOLS[suit], WHITE[suit], SYMBOLS[suit] + "\ufe0e", SYMBOLS[suit] + "\ufe0f"]
        for text in (one + other for one in ranks for other in suits):
            assert parse_sequence(text) == [NUMBER[card]], text
        assert card_text(NUMBER[card]) == card
        assert card_text(NUMBER[card], symbols=True) == rank + SYMBOLS[suit]


@pytest.mark.parametrize(
    "text", ["7D 10H KS", "7d,10h,ks", " 7D;  TH\tKS\n", "7DTHKS", "7d10hks", "7♦10♥K♠", "7D, TH; KS,", "7DTH KS"]
)
def test_cards_stand_with_or_without_blanks_commas_and_semicolons_between_them(text: str) -> None:
    assert parse_sequence(text) == [NUMBER[card] for card in ("7D", "TH", "KS")]
    assert parse_cards(text) == bits("7D TH KS")


@pytest.mark.parametrize("text", ["", "  ", ",;"])
def test_no_text_is_no_cards(text: str) -> None:
    assert parse_sequence(text) == []
    assert parse_cards(text) == 0


def test_a_set_is_written_in_ascending_order_whatever_the_order_read() -> None:
    assert parse_sequence("KS AC TD") == [NUMBER["KS"], NUMBER["AC"], NUMBER["TD"]]
    assert cards_text(parse_cards("KS AC TD")) == "AC TD KS"
    assert cards_text(parse_cards("KS AC TD"), symbols=True) == "A♣ T♦ K♠"


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("11S", "11S"),
        ("1S", "1S"),
        ("0H", "0H"),
        ("100H", "100H"),
        ("7X", "7X"),
        ("7", "7"),
        ("D", "D"),
        ("D7", "D7"),
        ("7D 8", "8"),
        ("7D8", "8"),
        ("within", "within"),
        ("7DD", "D"),
        ("７D", "７D"),
        ("7D-8D", "-8D"),
        ("7D\x008D", "\x008D"),
        ("Kk", "Kk"),
    ],
)
def test_what_is_not_a_card_is_named_with_what_would_be_right(text: str, piece: str) -> None:
    message = refusal(text)
    assert message.startswith(repr(piece))
    assert repr(text) in message
    assert "is not a card" in message
    assert "7D or 10♥" in message


@pytest.mark.parametrize("text", ["\u212aS", "7\u017f", "\u212a\u017f"], ids=["kelvin sign", "long s", "both"])
def test_letters_that_only_fold_to_those_of_cards_are_refused(text: str) -> None:
    """The kelvin sign becomes a k, and the old long s an S, where upper and lower case are taken for the same."""
    refusal(text)


@pytest.mark.parametrize(
    ("text", "card"), [("4H 4S 4h", "4H"), ("10H th", "TH"), ("7D7♦", "7D"), (" ".join([*DECK, "AC"]), "AC")]
)
def test_a_card_that_stands_twice_is_named(text: str, card: str) -> None:
    assert refusal(text).startswith(f"{card} stands twice in ")


def test_a_long_text_is_shortened_in_the_message() -> None:
    message = refusal(" ".join(DECK) + " 8X")
    assert message.startswith("'8X' in 'AC 2C ")
    assert "…" in message
    assert len(message) < 250


@given(some.lists(some.sampled_from(DECK), unique=True))
def test_cards_written_and_read_again_are_the_same_cards(chosen: list[str]) -> None:
    text = " ".join(chosen)
    assert parse_sequence(text) == [NUMBER[card] for card in chosen]
    assert parse_cards(text) == bits(chosen)
    assert cards_text(parse_cards(text)).split() == sorted(chosen, key=NUMBER.__getitem__)
    assert parse_cards(cards_text(bits(chosen), symbols=True)) == bits(chosen)
    assert cards.as_bits(numbers_in(int(bits(chosen)))) == bits(chosen)


@given(some.text())
def test_any_text_is_cards_or_one_line(text: str) -> None:
    try:
        numbers = parse_sequence(text)
    except UsageError:
        refusal(text)
    else:
        assert len(set(numbers)) == len(numbers)
        assert all(number in NUMBER.values() for number in numbers)


@given(some.text(alphabet="aA2345678910tTjJqQkKcCdDhHsS♣♦♥♠ ,;\n\ufe0f", max_size=40))
def test_texts_like_cards_are_cards_or_one_line(text: str) -> None:
    test_any_text_is_cards_or_one_line.hypothesis.inner_test(text)


def test_two_sets_are_in_the_order_of_their_52_bit_numbers() -> None:
    """The engine compares sets as R13 and R14 compare 52-bit numbers, although its suits lie 16 bits apart."""

    def number_52(chosen: tuple[str, ...]) -> int:
        return sum(1 << DECK.index(card) for card in chosen)

    chosen = list(combinations(["AC", "KC", "AD", "7D", "KH", "AS", "KS"], 3))
    assert sorted(chosen, key=number_52) == sorted(chosen, key=bits)
