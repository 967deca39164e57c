"""A plain Django server that records games, one a call, as most teams would write it: the ORM, a
transaction for each call, and the tables of ours. Like games.sql it decides little, so the figures
of its database only approximate ours. It runs as gunicorn's application, see `django` in
bench/load/parts.ts.
"""
import hashlib
import json
import os
from datetime import date, datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

import django
from django.conf import settings

database = urlsplit(os.environ["DATABASE_URL"])
host = parse_qs(database.query).get("host", [database.hostname])[0]
settings.configure(
    SECRET_KEY="unused",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ["DATABASE_NAME"],
            "USER": "backboard",
            "HOST": host,
            "PORT": database.port or "",
            "CONN_MAX_AGE": None,
        }
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models, transaction  # noqa: E402
from django.db.models import Case, F, When  # noqa: E402
from django.db.models.functions import Coalesce, Greatest, Least  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402


def table(name):
    return type("Meta", (), {"app_label": "plain", "db_table": name, "managed": False})


class Machine(models.Model):
    venue_id = models.BigIntegerField(null=True)
    Meta = table("machines")


class MachineKey(models.Model):
    id = models.TextField(primary_key=True)
    machine = models.ForeignKey(Machine, models.CASCADE)
    hash = models.BinaryField()
    Meta = table("machine_keys")


class Player(models.Model):
    uuid = models.UUIDField()
    team_id = models.BigIntegerField(null=True)
    Meta = table("players")


class Game(models.Model):
    seq = models.BigAutoField(primary_key=True)
    machine = models.ForeignKey(Machine, models.CASCADE)
    id = models.UUIDField()
    venue_id = models.BigIntegerField(null=True)
    player = models.ForeignKey(Player, models.CASCADE)
    score = models.IntegerField()
    played_at = models.DateTimeField()
    day = models.DateField()
    received_at = models.DateTimeField()
    duration_s = models.IntegerField()
    shots_made = models.IntegerField()
    shots_attempted = models.IntegerField()
    state = models.TextField()
    digest = models.BinaryField()
    team_id = models.BigIntegerField(null=True)
    week = models.DateField(null=True)
    Meta = table("games")


class PlayerStats(models.Model):
    player = models.OneToOneField(Player, models.CASCADE, primary_key=True)
    games_played = models.IntegerField()
    highscore = models.IntegerField()
    score_sum = models.BigIntegerField()
    Meta = table("player_stats")


# Django knows no key of several columns: `primary_key` below is only half of the truth.
class LeagueWeek(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, primary_key=True)
    team_id = models.BigIntegerField()
    week = models.DateField()
    games_played = models.IntegerField()
    score_sum = models.BigIntegerField()
    total = models.BigIntegerField()
    fourth_best = models.IntegerField(null=True)
    Meta = table("league_weeks")


class Best(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, primary_key=True)
    venue_id = models.BigIntegerField()
    week = models.TextField()
    score = models.IntegerField()
    Meta = table("bests")


class BestCount(models.Model):
    venue_id = models.BigIntegerField(primary_key=True)
    week = models.TextField()
    score = models.IntegerField()
    players = models.IntegerField()
    Meta = table("best_counts")


class Achievement(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, primary_key=True)
    key = models.TextField()
    unlocked_at = models.DateTimeField()
    machine_id = models.BigIntegerField()
    game_id = models.UUIDField()
    Meta = table("player_achievements")


def change_count(venue_id, week, score, by):
    row = {"venue_id": venue_id, "week": week, "score": score}
    if not BestCount.objects.filter(**row).update(players=F("players") + by):
        BestCount.objects.create(**row, players=by)


def raise_best(player, venue_id, week, score):
    row = {"player": player, "venue_id": venue_id, "week": week}
    was = Best.objects.filter(**row).values_list("score", flat=True).first()
    if was is not None and was >= score:
        return
    if was is None:
        Best.objects.create(**row, score=score)
    else:
        Best.objects.filter(**row).update(score=score)
        change_count(venue_id, week, was, -1)
    change_count(venue_id, week, score, 1)


def record(machine, sent, now):
    # The lock on the player keeps two games of one player apart.
    player = Player.objects.select_for_update().get(uuid=sent["player"])
    if Game.objects.filter(machine=machine, id=sent["id"]).exists():
        return "duplicate"
    score = sent["score"]
    played_at = datetime.fromisoformat(sent["played_at"].replace("Z", "+00:00"))
    week = played_at.date() - timedelta(days=played_at.weekday())
    Game.objects.create(
        machine=machine,
        id=sent["id"],
        venue_id=machine.venue_id,
        player=player,
        score=score,
        played_at=played_at,
        day=played_at.date(),
        received_at=now,
        duration_s=sent["duration_s"],
        shots_made=sent["shots_made"],
        shots_attempted=sent["shots_attempted"],
        state="counted",
        digest=hashlib.sha256(json.dumps(sent).encode()).digest(),
        team_id=player.team_id,
        week=week,
    )
    stats = PlayerStats.objects.filter(player=player)
    if not stats.update(
        games_played=F("games_played") + 1,
        highscore=Greatest(F("highscore"), score),
        score_sum=F("score_sum") + score,
    ):
        PlayerStats.objects.create(player=player, games_played=1, highscore=score, score_sum=score)
    row = {"player": player, "team_id": player.team_id, "week": week}
    if not LeagueWeek.objects.filter(**row, games_played__lt=8).update(
        games_played=Least(F("games_played") + 1, 8),
        score_sum=F("score_sum") + score,
        total=F("total") + score,
        fourth_best=Case(When(games_played__gte=3, then=Coalesce(F("fourth_best"), score))),
    ):
        if not LeagueWeek.objects.filter(**row).exists():
            LeagueWeek.objects.create(**row, games_played=1, score_sum=score, total=score)
    played = stats.values_list("games_played", flat=True).get()
    if played in (1, 10, 50, 100):
        key = "first-game" if played == 1 else f"games-{played}"
        if not Achievement.objects.filter(player=player, key=key).exists():
            Achievement.objects.create(
                player=player,
                key=key,
                unlocked_at=played_at,
                machine_id=machine.id,
                game_id=sent["id"],
            )
    this_week = date.today() - timedelta(days=date.today().weekday())
    for period in ["-infinity", *([week.isoformat()] if week >= this_week else [])]:
        for venue_id in (0, machine.venue_id):
            raise_best(player, venue_id, period, score)
    return "recorded"


def games(request):
    key = request.headers.get("authorization", "")[len("Bearer ") :]
    found = MachineKey.objects.select_related("machine").filter(
        hash=hashlib.sha256(key.encode()).digest(), id=key.split("_")[2]
    )
    if not found:
        return JsonResponse({"detail": "Unauthorized"}, status=401)
    machine = found[0].machine
    now = datetime.now(timezone.utc)
    with transaction.atomic():
        results = [
            {"id": sent["id"], "status": record(machine, sent, now)}
            for sent in json.loads(request.body)["games"]
        ]
    return JsonResponse({"results": results})


urlpatterns = [
    path("api/machine/games/", games),
    path("ready", lambda request: HttpResponse("ready")),
]
application = get_wsgi_application()
