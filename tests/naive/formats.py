"""Who plays whom and until when: single hands, games, Hollywood series, three-handed games (R20 to R31)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .cards import RANKS, Card
from .hand import Row, play_hand
from .randomness import CUT, PLAY, Stream, deal, shuffled
from .rules import Rules
from .strategies import make_player

Roles = tuple[str, ...]
Strategy = str | Callable[[], Any]


class Tables(NamedTuple):
    """The three tables of some matches, as lists of rows."""

    hands: list[Row]
    games: list[Row]
    matches: list[Row]


# Who deals -----------------------------------------------------------------------------------------------------------


def cut_two(stream: Stream) -> str:
    """The first dealer of a match of two (R21)."""
    return "AB"[stream.below(2)]


def cut_three(stream: Stream, seats: Sequence[str] = "ABC") -> Roles:
    """Box, captain and sitter by drawing cards, highest rank first; those tied draw again, from a fresh deck (R27)."""
    drawn = dict(zip(seats, shuffled(stream, len(seats)), strict=True))
    order: list[str] = []
    for rank in reversed(RANKS):
        level = [seat for seat in seats if drawn[seat][0] == rank]
        order += level if len(level) < 2 else cut_three(stream, level)
    return tuple(order)


def roles_from_cards(drawn: Mapping[str, Card]) -> Roles:
    """Box, captain and sitter from cards of different ranks (R27)."""
    assert len({card[0] for card in drawn.values()}) == len(drawn)
    return tuple(sorted(drawn, key=lambda seat: RANKS.index(drawn[seat][0]), reverse=True))


def exchanged(roles: Roles) -> Roles:
    """The same roles with A and B exchanged, as in the second of a mirrored pair."""
    return tuple({"A": "B", "B": "A"}.get(seat, seat) for seat in roles)


def cut(rules: Rules, seed: int, match: int, mirror: bool = False) -> Roles:
    """The first roles of a match, dealer first: (dealer, other), or (box, captain, sitter) (R21, R27)."""
    stream = Stream(seed, CUT, match // 2 if mirror else match, 0)
    if rules["format"] == "three_handed":
        roles = cut_three(stream)
    else:
        dealer = cut_two(stream)
        roles = (dealer, "B" if dealer == "A" else "A")
    return exchanged(roles) if mirror and match % 2 else roles


def next_roles(roles: Roles, winner: str | None, rules: Rules) -> Roles:
    """The roles of the next hand, dealer first (R18, R20, R21, R29)."""
    if winner is None:
        return roles
    if len(roles) == 3:
        box, captain, sitter = roles
        return (box, sitter, captain) if winner == box else (captain, sitter, box)
    dealer, other = roles
    loser = other if winner == dealer else dealer
    following = {"winner": winner, "loser": loser, "alternate": other}[rules["next_dealer"]]
    return roles if following == dealer else (other, dealer)


def dealers(first_dealer: str, winners: Iterable[str | None], rules: Rules) -> list[str]:
    """The dealer of each hand of two players, and of the one after the last (R20, R21)."""
    roles: Roles = (first_dealer, "B" if first_dealer == "A" else "A")
    found = [roles[0]]
    for winner in winners:
        roles = next_roles(roles, winner, rules)
        found.append(roles[0])
    return found


# The score -----------------------------------------------------------------------------------------------------------


class Game:
    """One column of the score sheet: scores and boxes (hands entered) by player, and how it ended."""

    def __init__(self, players: Sequence[str]) -> None:
        self.scores = dict.fromkeys(players, 0)
        self.boxes = dict.fromkeys(players, 0)
        self.winner: str | None = None
        self.hands: int | None = None

    @property
    def open(self) -> bool:
        return self.winner is None

    def enter(self, player: str, points: int, target: int, hands: int) -> None:
        """Adds a hand won; the game ends when its winner has reached the target (R23, R30)."""
        assert self.open
        self.scores[player] += points
        self.boxes[player] += 1
        if self.scores[player] >= target:
            self.winner, self.hands = player, hands

    @property
    def shut_out(self) -> bool | None:
        """No player but the winner had a hand entered (R31); None while open."""
        if self.open:
            return None
        return all(self.boxes[player] == 0 for player in self.boxes if player != self.winner)

    def totals(self, rules: Rules) -> dict[str, int]:
        """The scores with the extras of a game that has ended (R31)."""
        totals = dict(self.scores)
        if not self.open:
            for player in totals:
                totals[player] += rules["box_bonus"] * self.boxes[player]
            totals[self.winner] += rules["game_bonus"]
            if self.shut_out:
                totals[self.winner] += rules["blitz_bonus"]
        return totals


class ScoreSheet:
    """The games of a match: one, or the columns of a Hollywood series."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.rules = rules
        self.games = [Game(players) for _ in range(rules["games"] if rules["format"] == "hollywood" else 1)]
        self.wins = dict.fromkeys(players, 0)
        self.hands = 0
        self.decided_at_hand: int | None = None

    def entered(self, winner: str) -> list[Game]:
        """The games in which this player's newest win is entered (R22, R23, R25)."""
        if self.rules["shut_out"] == "next_game":
            # Every open game in which he has a score, and the first open one in which he has none.
            begun = [game for game in self.games if game.open and game.boxes[winner]]
            fresh = [game for game in self.games if game.open and not game.boxes[winner]]
            return begun + fresh[:1]
        return [game for game in self.games[: self.wins[winner]] if game.open]

    def enter(self, winner: str | None, points: int) -> None:
        """Enters one hand; one without a winner uses up nothing (R22)."""
        self.hands += 1
        if winner is not None:
            self.wins[winner] += 1
            for game in self.entered(winner):
                game.enter(winner, points, self.rules["target"], self.hands)
        if self.decided_at_hand is None and self.leader() is not None:
            self.decided_at_hand = self.hands

    def games_won(self) -> dict[str, int]:
        return {player: sum(game.winner == player for game in self.games) for player in self.wins}

    def leader(self) -> str | None:
        """Who has won more than half of all the games (R24, R30), if anybody yet."""
        for player, won in self.games_won().items():
            if 2 * won > len(self.games):
                return player
        return None

    def over(self) -> bool:
        """The last game has ended, or the rules stop at the decision (R24, R30)."""
        if not self.games[-1].open:
            assert not any(game.open for game in self.games)
            return True
        return self.rules["series_end"] == "decided" and self.leader() is not None

    def scores(self) -> Row:
        """The scores as columns of the hands table."""
        if self.rules["format"] != "hollywood":
            return by_seat("score", self.games[0].scores)
        columns: Row = {}
        for number, game in enumerate(self.games, 1):
            columns |= {f"{name}_{number}": value for name, value in by_seat("score", game.scores).items()}
        return columns


def by_seat(name: str, values: Mapping[str, int]) -> Row:
    """Columns ``name_a``, ``name_b`` and so on."""
    return {f"{name}_{seat.lower()}": value for seat, value in values.items()}


def hollywood_ledger(
    hands: Iterable[tuple[str | None, int]], rules: Rules, players: Sequence[str] = ("A", "B")
) -> dict[str, Any]:
    """The score sheet of a series after these hands, each (winner or None, points) (R22 to R26).

    ``scores`` by player, one number a game; ``trace`` the scores after each hand; ``closed_by`` the winner of each
    game or None; ``series_winner`` who has most of the games, or None; ``decided_at_hand``; ``over``.
    """
    sheet = ScoreSheet(rules, players)

    def scores() -> dict[str, list[int]]:
        return {player: [game.scores[player] for game in sheet.games] for player in players}

    trace = []
    for winner, points in hands:
        sheet.enter(winner, points)
        trace.append(scores())
    return {
        "scores": scores(),
        "trace": trace,
        "closed_by": [game.winner for game in sheet.games],
        "series_winner": sheet.leader(),
        "decided_at_hand": sheet.decided_at_hand,
        "over": sheet.over(),
    }


def three_handed_ledger(
    first_roles: Sequence[str], hands: Iterable[tuple[str | None, int]], rules: Rules
) -> dict[str, Any]:
    """Roles and scores over some three-handed hands, each ("box", "captain" or None, points) (R28 to R30).

    ``roles``: (box, captain, sitter) of each hand; ``scores`` by player; ``winner`` or None.
    """
    roles: Roles = tuple(first_roles)
    sheet = ScoreSheet(rules, sorted(roles))
    roles_per_hand = []
    for role, points in hands:
        roles_per_hand.append(roles)
        winner = {"box": roles[0], "captain": roles[1], None: None}[role]
        sheet.enter(winner, points)
        roles = next_roles(roles, winner, rules)
    return {"roles": roles_per_hand, "scores": sheet.games[0].scores, "winner": sheet.leader()}


# Playing -------------------------------------------------------------------------------------------------------------


def players_of(rules: Rules, strategies: Sequence[Strategy]) -> dict[str, Any]:
    """Fresh players by seat; a single strategy is for all seats."""
    seats = "ABC" if rules["format"] == "three_handed" else "AB"
    if len(strategies) == 1:
        strategies = [strategies[0]] * len(seats)
    return {seat: make_player(strategy) for seat, strategy in zip(seats, strategies, strict=True)}


def play_streams(seats: Iterable[str], seed: int, match: int, hand: int) -> dict[str, Stream]:
    """Each seat's own stream for one hand; never shared, not even between the two of a mirrored pair."""
    return {seat: Stream(seed, PLAY[seat], match, hand) for seat in seats}


def play_hands(
    rules: Rules, strategies: Sequence[Strategy], seed: int, first: int, count: int, mirror: bool = False
) -> list[Row]:
    """Single hands number ``first`` to ``first + count - 1``: rows of the hands table, without a match or scores.

    On even numbers A is first player and B deals; under three-handed rules A is the box and deals. On odd ones A and B
    are exchanged.
    """
    rows = []
    for number in range(first, first + count):
        players = players_of(rules, strategies)
        roles: Roles = ("A", "B", "C") if rules["format"] == "three_handed" else ("B", "A")
        if number % 2:
            roles = exchanged(roles)
        rows.append(
            play_hand(
                rules,
                players,
                roles[0],
                deal(seed, number // 2 if mirror else number, 0),
                streams=play_streams(players, seed, number, 0),
                roles=roles if len(roles) == 3 else None,
                hand=number,
            )
        )
    return rows


def play_match(
    rules: Rules, strategies: Sequence[Strategy], seed: int, match: int, mirror: bool = False
) -> Tables:
    """One whole match: its hands, all its games, and its one row."""
    players = players_of(rules, strategies)
    sheet = ScoreSheet(rules, list(players))
    roles = cut(rules, seed, match, mirror)
    first_dealer = roles[0]
    hands: list[Row] = []
    while not sheet.over() and sheet.hands < rules["max_hands"]:
        number = sheet.hands
        row = play_hand(
            rules,
            players,
            roles[0],
            deal(seed, match // 2 if mirror else match, number),
            streams=play_streams(players, seed, match, number),
            roles=roles if len(roles) == 3 else None,
            hand=number,
            match=match,
        )
        sheet.enter(row["winner"], row["points"])
        hands.append(row | sheet.scores())
        roles = next_roles(roles, row["winner"], rules)

    totals = [game.totals(rules) for game in sheet.games]
    games = [
        {"match": match, "game": number, "hands": game.hands, "winner": game.winner}
        | by_seat("score", game.scores)
        | by_seat("boxes", game.boxes)
        | {"shut_out": game.shut_out}
        | by_seat("total", total)
        for number, (game, total) in enumerate(zip(sheet.games, totals, strict=True), 1)
    ]
    # R16: a match that max_hands hands did not end has no winner.
    abandoned = not sheet.over()
    row = {
        "match": match,
        "first_dealer": first_dealer,
        "hands": sheet.hands,
        "decided_at_hand": sheet.decided_at_hand,
        "winner": None if abandoned else sheet.leader(),
        "abandoned": abandoned,
    }
    row |= by_seat("games", sheet.games_won())
    row |= by_seat("total", {seat: sum(total[seat] for total in totals) for seat in players})
    return Tables(hands, games, [row])


def play_matches(
    rules: Rules, strategies: Sequence[Strategy], seed: int, first: int, count: int, mirror: bool = False
) -> Tables:
    """Matches number ``first`` to ``first + count - 1``: the rows of the three tables."""
    tables = Tables([], [], [])
    for match in range(first, first + count):
        for table, rows in zip(tables, play_match(rules, strategies, seed, match, mirror), strict=True):
            table += rows
    return tables
