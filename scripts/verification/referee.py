"""OpenSpiel's ``gin_rummy`` as an outside referee: ginsim's hands replayed in it, action by action.

The cards of a deal and each card drawn are chosen at its chance nodes, so it plays the very same hand. It has to find every action
legal, count the same deadwood for every ten cards, and give the same score. Rules are brought as close as both allow: its
``knock_card``, ``gin_bonus`` and ``undercut_bonus`` are set to the hand's, its ``oklahoma`` is the upcard that sets the limit with an
ace for gin only. Where the two differ all the same (OpenSpiel 2.0.2):

- *The card just taken* may be thrown again there; R8 bars it. Whoever does so twice in a row ends the hand without a score; ginsim's
  players cannot.
- *Fifty takes.* The fiftieth take of the pile in a hand, the first face-up card not counted, ends it there without a score. ginsim
  plays on up to 400 draws of cards (R16). Such a hand is compared up to that take: ``fifty takes``.
- *Eleven cards.* Whether one may knock is judged there by the deadwood of the eleven less the highest loose card, which on rare hands
  is more than the best discard leaves; it then refuses a knock that is legal. Such a hand is compared up to the knock, and
  its own count of the ten that were left must be within the limit: ``knock refused``.
- *Long runs.* It knows run melds of up to five cards; a longer one is laid down in pieces.
- *Long chains.* It offers for layoff at most two cards beyond either end of a run meld; R12 has no such end. It never comes to that, for
  three cards in a row are a meld, which R13 keeps.
- *A tie* scores nothing there. ginsim has ``undercut_on_tie``; where that is on, the score must differ by the undercut bonus exactly:
  ``tie``.
- *Big gin* and *a spade that doubles* do not exist there: rules with them are not for this referee.
- *The end of the stock.* Two cards left after a discard end the hand, but the other may still take that discard to knock with it: the
  rules' ``last_discard = "knock"``. Under ``dead`` he declines.
- *The first face-up card* is offered to the first player and then to the dealer in both, and after two refusals the first player
  draws from the stock.
- The defender lays off first and melds then; in ginsim it is one decision (R13). What he lays off and what he keeps are ginsim's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from multiprocessing import get_context
from typing import Any

import pyspiel
from ginsim.cards import card_text, cards_text, numbers_in
from ginsim.plan import make_plan
from ginsim.replay import playing
from ginsim.replay.history import DECLINE, DISCARD, DRAW, KNOCK, TAKE, Action, History
from ginsim.rules import Rules, load
from ginsim.solver import Showdown, deadwood, showdown
from ginsim.strategies import names
from verification.findings import Finding, told
from verification.players import affordable, every_player
from verification.scale import Scale

TITLE = "OpenSpiel as referee"

TAKES, DRAWS, PASSES, KNOCKS, FIRST_MELD = 52, 53, 54, 55, 56
"""Actions of the referee besides the 52 cards."""

DIFFERENCES = FIFTY_TAKES, KNOCK_REFUSED, TIE = "fifty takes", "knock refused", "tie"
"""The known differences that decide a hand, as above."""

_LONGEST = 5
_TAKES = 50
_SHOWN = 3

SETTINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("gin", ("undercut_on_tie=false",)),
    ("gin", ("undercut_on_tie=false", "last_discard=knock")),
    ("hollywood-20", ()),
    ("eaai", ("undercut_on_tie=false",)),
    ("straight", ()),
    ("straight", ("last_discard=knock",)),
    ("oklahoma", ("spade_doubles=false", "undercut_on_tie=false")),
)
"""Rules that both play: a preset and what is changed of it."""


class Disagreement(Exception):
    """The referee sees a hand otherwise than ginsim, and not for a known reason."""


@dataclass
class Verdicts:
    """What became of the hands that were replayed."""

    hands: int = 0
    actions: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    def __add__(self, other: Verdicts) -> Verdicts:
        return Verdicts(
            self.hands + other.hands,
            self.actions + other.actions,
            self.endings + other.endings,
            self.differences + other.differences,
            self.disagreements + other.disagreements,
        )


def verify(scale: Scale) -> list[Finding]:
    """A few thousand hands of every player under all rules that both know, and of unlike players against each other."""
    tables = [(player,) for player in (*every_player(), "simple:knock=4")]
    everybody = [affordable(name) for name in names()]
    tables += [(one, other) for one in everybody for other in everybody if one != other]
    tasks = [(settings, specs) for settings in SETTINGS for specs in tables]
    with ProcessPoolExecutor(scale.workers, get_context("spawn")) as pool:
        verdicts = sum(pool.map(_task, tasks, repeat(scale.seed), repeat(scale.of(100))), Verdicts())
    endings = ", ".join(f"{count:,} {ending}" for ending, count in verdicts.endings.most_common())
    return [
        Finding(
            f"{verdicts.hands:,} hands ({endings}), {verdicts.actions:,} actions",
            "no disagreement",
            "; ".join(verdicts.disagreements[:_SHOWN]) or "no disagreement",
            right=not verdicts.disagreements,
        ),
        *(told(f"hands where the two differ as is known: {difference}", verdicts.differences[difference]) for difference in DIFFERENCES),
    ]


def recorded(rules: Rules, specs: Sequence[str], seed: int, count: int) -> Iterator[History]:
    """The first hands of a seed under these rules, played by these players."""
    plan = make_plan(rules, unit="hands", strategies=specs, seed=seed)
    for number in range(count):
        yield playing.play(plan, number).hands[0]


def _task(task: tuple[tuple[str, tuple[str, ...]], tuple[str, ...]], seed: int, count: int) -> Verdicts:
    (name, changes), specs = task
    rules = load(name, changes)
    return judge(rules, recorded(rules, specs, seed, count))


def judge(rules: Rules, hands: Iterable[History]) -> Verdicts:
    """Let the referee replay hands that were played under these rules to their ends.

    Raises:
        ValueError: the rules are not for this referee.
    """
    if rules.big_gin_bonus is not None or rules.spade_doubles or rules.stock_floor != 2 or rules.ace_upcard == "one":
        raise ValueError(f"the referee cannot play {rules.name}")
    game = pyspiel.load_game(
        "gin_rummy",
        {
            "oklahoma": rules.upcard_sets_limit,
            "knock_card": rules.knock_limit,
            "gin_bonus": rules.gin_bonus,
            "undercut_bonus": rules.undercut_bonus,
        },
    )
    verdicts = Verdicts()
    for hand in hands:
        verdicts.hands += 1
        verdicts.endings[_row(hand)["ending"]] += 1
        replay = _Replay(game, hand)
        try:
            difference = replay.judge()
            if difference:
                verdicts.differences[difference] += 1
        except Disagreement as disagreement:
            verdicts.disagreements.append(f"{hand.source or ''} {hand.name}: {disagreement}".strip())
        verdicts.actions += replay.applied
    return verdicts


class _Replay:
    """One hand in the referee's hands."""

    def __init__(self, game: pyspiel.Game, hand: History) -> None:
        self.hand = hand
        self.row = _row(hand)
        self.state = game.new_initial_state()
        self.utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        self.place = {hand.first: 0, hand.dealer: 1}
        self.held = dict(hand.hands)
        self.takes = 0
        self.applied = 0

    def judge(self) -> str | None:
        """Replay the hand: None where the referee agrees in everything, or the known difference that decided it.

        Raises:
            Disagreement: it does not.
        """
        for card in (*(card for seat in self.place for card in numbers_in(self.held[seat])), self.hand.upcard):
            self.state.apply_action(_number(card))
        for seat in self.place:
            self.compare_deadwood(seat)
        for action in self.hand.actions:
            difference = self.follow(action)
            if difference:
                return difference
        if self.row["knocker"] is None:
            if not self.state.is_terminal():
                # The end of the stock: nobody takes the last discard.
                self.apply(PASSES, "leaving the last discard")
            self.expect_end(dict.fromkeys(self.place, 0))
            return None
        return self.compare_score()

    def follow(self, action: Action) -> str | None:
        """One action of the hand; the known difference, if it ends the comparison."""
        if action.what == TAKE:
            return self.take(action)
        if action.what == KNOCK:
            return self.knock(action)
        if action.what == DECLINE:
            self.apply(PASSES, "declining")
        elif action.what == DRAW:
            self.apply(DRAWS, "drawing from the stock")
            self.apply(_number(action.card), f"being dealt {card_text(action.card)}")
            self.held[action.seat] |= 1 << action.card
        elif action.what == DISCARD:
            self.apply(_number(action.card), f"throwing {card_text(action.card)}")
            self.held[action.seat] ^= 1 << action.card
            self.compare_deadwood(action.seat)
        else:
            raise Disagreement(f"{action.what} does not exist for the referee")
        return None

    def take(self, action: Action) -> str | None:
        """Taking the pile; the last discard is taken there with the knock itself."""
        self.held[action.seat] |= 1 << action.card
        phase = self.state.current_phase()
        if phase == pyspiel.gin_rummy.Phase.WALL:
            return None
        self.takes += phase == pyspiel.gin_rummy.Phase.DRAW
        self.apply(TAKES, f"taking {card_text(action.card)}")
        if self.takes == _TAKES:
            self.expect_end(dict.fromkeys(self.place, 0))
            return FIFTY_TAKES
        return None

    def knock(self, action: Action) -> str | None:
        """The knock, the spread, the defender's layoffs and melds."""
        knocker, defender = action.seat, self.hand.other(action.seat)
        eleven = self.held[knocker]
        self.held[knocker] = ten = eleven ^ 1 << action.card
        if KNOCKS not in self.state.legal_actions() and self.deadwood(ten) <= self.state.knock_card() < self.deadwood(eleven):
            return KNOCK_REFUSED
        self.apply(KNOCKS, "knocking")
        self.apply(_number(action.card), f"knocking with {card_text(action.card)}")
        shown = self.shown(knocker, defender)
        self.lay(shown.knocker.melds, "the knocker's")
        self.apply(PASSES, "ending the spread")
        if self.state.finished_layoffs():
            self.compare("layoffs against gin", len(shown.layoffs), 0)
        else:
            self.lay_off(shown.laid_off)
            self.apply(PASSES, "ending the layoffs")
        self.lay(shown.defender.melds, "the defender's")
        self.apply(PASSES, "ending the defender's melds")
        return None

    def shown(self, knocker: str, defender: str) -> Showdown:
        """What ginsim lays on the table; it has to be what the hand's row says."""
        found = showdown(self.held[knocker], self.held[defender], self.hand.rules, upcard=self.hand.upcard)
        for name, value in (
            ("ending", found.ending),
            ("points", found.points),
            ("knocker_deadwood", found.knocker.deadwood),
            ("defender_deadwood", found.before),
            ("defender_deadwood_after", found.defender.deadwood),
            ("laid_off_cards", len(found.layoffs)),
        ):
            if self.row[name] != value:
                raise Disagreement(f"{name} is {self.row[name]} in the row and {value} in the show-down")
        self.compare("deadwood of the knocker", found.knocker.deadwood, self.deadwood(self.held[knocker]))
        self.compare("deadwood of the defender", found.before, self.deadwood(self.held[defender]))
        return found

    def lay(self, melds: Iterable[int], whose: str) -> None:
        """Lay down melds, long runs in pieces."""
        for meld in melds:
            for piece in pieces(_numbers(meld)):
                self.apply(FIRST_MELD + self.utils.meld_to_int(piece), f"laying down {whose} {cards_text(meld)}")

    def lay_off(self, cards: int) -> None:
        """Lay cards off, each when it fits."""
        left = list(numbers_in(cards))
        while left:
            legal = self.state.legal_actions()
            card = next((card for card in left if _number(card) in legal), left[0])
            self.apply(_number(card), f"laying off {card_text(card)}")
            left.remove(card)

    def compare_score(self) -> str | None:
        """The score of a hand in which somebody knocked."""
        row = self.row
        other = self.hand.other(row["knocker"])
        for seat, left in ((row["knocker"], row["knocker_deadwood"]), (other, row["defender_deadwood_after"])):
            self.compare(f"final deadwood of {seat}", left, self.state.deadwood()[self.place[seat]])
        if row["ending"] == "undercut" and row["knocker_deadwood"] == row["defender_deadwood_after"]:
            self.compare("points of a tie", row["points"] - self.hand.rules.undercut_bonus, 0)
            self.expect_end(dict.fromkeys(self.place, 0))
            return TIE
        self.expect_end({seat: row["points"] * (1 if seat == row["winner"] else -1) for seat in self.place})
        return None

    def apply(self, action: int, what: str) -> None:
        """Do something, if the referee finds it legal."""
        if self.state.is_terminal() or action not in self.state.legal_actions():
            raise Disagreement(f"{what} is not legal for the referee")
        self.state.apply_action(action)
        self.applied += 1

    def deadwood(self, cards: int) -> int:
        """The referee's count."""
        return self.utils.min_deadwood(_numbers(cards))

    def compare_deadwood(self, seat: str) -> None:
        """The deadwood of a seat's ten cards."""
        self.compare(f"deadwood of {seat}", deadwood(self.held[seat]), self.state.deadwood()[self.place[seat]])

    def compare(self, what: str, ours: int, theirs: float) -> None:
        if ours != theirs:
            raise Disagreement(f"{what}: {ours} for ginsim, {theirs:g} for the referee")

    def expect_end(self, points: Mapping[str, int]) -> None:
        """The hand is over with these points."""
        if not self.state.is_terminal():
            raise Disagreement("the hand goes on for the referee")
        for seat, place in self.place.items():
            self.compare(f"points of {seat}", points[seat], self.state.returns()[place])


def pieces(meld: list[int]) -> list[list[int]]:
    """A meld of at most ten cards, in two halves where it is longer than the referee knows."""
    half = len(meld) // 2
    return [meld] if len(meld) <= _LONGEST else [meld[:half], meld[half:]]


def _row(hand: History) -> Mapping[str, Any]:
    if hand.result is None:
        raise ValueError("a history without its result")
    return hand.result


def _number(card: int) -> int:
    """The referee's number of a card: its suits are spades, clubs, diamonds, hearts."""
    suit, rank = divmod(card, 16)
    return 13 * ((suit + 1) % 4) + rank


def _numbers(cards: int) -> list[int]:
    return sorted(map(_number, numbers_in(cards)))
