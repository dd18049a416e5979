"""Players that do something wrong, each in its own way."""

import os
import random
import sys


class Base:
    """Plays the first legal card and knocks at once."""

    def take(self, view):
        return False

    def discard(self, view):
        return view.legal[0]

    def knock(self, view):
        return True


class Raises(Base):
    def discard(self, view):
        return helper(view) if view.turn == 2 else view.legal[0]


def helper(view):
    return view.no_such_thing


class AnswersNothing(Base):
    def take(self, view):
        return None


class ThrowsNoCard(Base):
    def discard(self, view):
        return "KK"


class ThrowsAnothersCard(Base):
    def discard(self, view):
        return next(card for card in ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC") if card not in view.legal)


class Leaves(Base):
    def discard(self, view):
        sys.exit(3)


class Dies(Base):
    def discard(self, view):
        os._exit(3)


class CannotBeMade(Base):
    def __init__(self):
        raise RuntimeError("not today")


class ChangesTheView(Base):
    def take(self, view):
        view.stock = 4


class ThinksForEver(Base):
    def discard(self, view):
        while True:
            pass


class Prints(Base):
    def discard(self, view):
        print("hello")
        return view.legal[0]


class NeedsSpeed(Base):
    def __init__(self, speed):
        self.speed = speed


class HalfAPlayer:
    def take(self, view):
        return False


class UsesOtherChance(Base):
    def discard(self, view):
        return random.choice(view.legal)


class RemembersOtherMatches(Base):
    asked = 0

    def discard(self, view):
        RemembersOtherMatches.asked += 1
        return view.legal[self.asked % len(view.legal)]


class LooksAtTheStock(Base):
    def discard(self, view):
        frame = sys._getframe()
        while "seating" not in frame.f_locals:
            frame = frame.f_back
        return view.legal[int(frame.f_locals["seating"].deck["cards"][53 - view.stock]) % len(view.legal)]


class LooksAtTheBonus(Base):
    def discard(self, view):
        return view.legal[view.rules.gin_bonus % len(view.legal)]


class SaysThatItLooksAtTheBonus(LooksAtTheBonus):
    uses_scoring = True


class LooksAtTheScore(Base):
    def discard(self, view):
        return view.legal[(view.scores[0] + view.other_scores[0]) % len(view.legal)]


class SaysThatItLooks(Base):
    uses_scoring = True


class NeverEnds(Base):
    def take(self, view):
        return view.phase != "last"

    def discard(self, view):
        return max(view.legal, key=view.deadwood_without)

    def knock(self, view):
        return False


A_NUMBER = 3
