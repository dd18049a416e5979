"""A player in plain Python."""


class MyBot:
    """Takes what makes a meld, throws one of the cards that leave least, and knocks at `knock` or less."""

    def __init__(self, knock=6):
        self.knock_at = knock

    def take(self, view):
        return view.phase != "last" and view.makes_meld(view.top)

    def discard(self, view):
        return view.random.choice(view.best_discards())

    def knock(self, view):
        return view.deadwood <= self.knock_at
