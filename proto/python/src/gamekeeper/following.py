"""Where a stream is when it breaks, and how it is asked for again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from .requests import viewer
from .v1 import game_pb2, game_service_pb2 as pb


def told_time(message: object) -> float | None:
    """The time of the server in seconds since the Unix epoch, if a message of a stream tells it."""
    if isinstance(message, (pb.WatchGameResponse, pb.WatchGamesResponse)) and message.HasField("server_time"):
        return message.server_time.seconds + message.server_time.nanos / 1e9
    return None


class OneGame:
    """A watch of one game: after the last version that came."""

    def __init__(self, game_id: str, seat: int, after_version: int, show: pb.Show | None) -> None:
        self.request = pb.WatchGameRequest(game_id=game_id, viewer=viewer(seat), after_version=after_version, show=show)
        self.is_over = False

    def tells(self, message: pb.WatchGameResponse) -> bool:
        """Returns whether the message has news. A message without a table only shows that the watch is alive."""
        if not message.HasField("table"):
            return False
        game = message.table.game
        self.request.after_version = game.version
        self.request.after_time.CopyFrom(game.update_time)
        self.is_over = game.status == game_pb2.GAME_STATUS_FINISHED
        return True


class ManyGames:
    """A feed of many games: after the last version of each."""

    def __init__(self, games: Mapping[str, int] | Iterable[str], user: str, show: pb.Show | None) -> None:
        # A mapping is an iterable too, of something: only the caller's type says of numbers.
        after = cast("Mapping[str, int]", games) if isinstance(games, Mapping) else dict.fromkeys(games, 0)
        self._games = {game_id: pb.WatchedGame(game_id=game_id, after_version=version) for game_id, version in after.items()}
        self._user = user
        # With nothing named, a user's token stands for its user.
        self._is_of_token = not user and not self._games
        self._show = show

    @property
    def request(self) -> pb.WatchGamesRequest:
        """Returns the request to send now."""
        return pb.WatchGamesRequest(games=self._games.values(), user=self._user, show=self._show)

    @property
    def is_over(self) -> bool:
        """Named games end; a user may have another one at any time."""
        return not self._user and not self._is_of_token and not self._games

    def tells(self, message: pb.WatchGamesResponse) -> bool:
        """Returns whether the message has news."""
        if message.HasField("left"):
            self._games.pop(message.left.game_id, None)
            return True
        if not message.HasField("change"):
            return False
        game = message.change.table.game
        if self._is_of_token and not self._user:
            # Only who resumes by name hears of new games too. A user's token shows no other user.
            self._user = next((player.user for player in game.players if player.user), "")
        if game.status == game_pb2.GAME_STATUS_FINISHED:
            self._games.pop(game.game_id, None)
        else:
            followed = self._games.setdefault(game.game_id, pb.WatchedGame(game_id=game.game_id))
            followed.after_version = game.version
            followed.after_time.CopyFrom(game.update_time)
        return True


class TenantFeed:
    """The feed of a tenant: after the last cursor."""

    is_over = False

    def __init__(self, request: pb.WatchGamesRequest) -> None:
        self.request = request

    def tells(self, message: pb.WatchGamesResponse) -> bool:
        """Every message has a cursor for its caller to keep, also one without news."""
        self.request.cursor = message.cursor
        self.request.ClearField("from_time")
        return True
