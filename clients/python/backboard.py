#!/usr/bin/env python3
"""A client of Backboard's machine API for arcade machines. One file, standard library only.

    client = Client("games.db", "https://play.example.com", key, on_event=print)
    client.start()                              # sends the queue, in a thread of its own
    game = client.begin(player)                 # when the player has scanned the code
    client.finish(game, score=388)              # returns when the game is on disk
    client.close()

A finished game stays in the queue, an SQLite file, until the server has answered for that game,
through any number of failures and restarts. docs/machine-api.md explains the rules.
"""
import contextlib
import email.utils
import http.client
import json
import os
import random
import re
import socket
import sqlite3
import sys
import threading
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import urlsplit

BATCH_GAMES, BATCH_BYTES = 500, 256 * 1024
REQUEST_TIMEOUT_S, GREETING_TIMEOUT_S = 20, 3  # A player waits for the greeting.
HEARTBEAT_S, POLL_S = 60, 0.2
ANSWER_BYTES_MAX, RETRY_AFTER_MAX_S = 4 * 1024 * 1024, 3600  # Caps, in case the server is broken.
SET_ASIDE, SETTLED = ("held", "rejected"), ("held", "rejected", "recorded", "duplicate")
LIMITS = {"score": 2_147_483_647, "duration_s": 86_400,
          "shots_made": 100_000, "shots_attempted": 100_000}
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
SCHEMA = """  -- With these settings a commit returns when it is on disk.
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
    CREATE TABLE IF NOT EXISTS waiting (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,
        game TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS set_aside (id TEXT PRIMARY KEY, game TEXT, answer TEXT);
    CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY, offset_s REAL NOT NULL);
"""


class Client:
    """One machine. Several processes may put games into one queue; only one of them sends."""

    def __init__(self, queue, url, key, on_event=lambda *_: None, first_pause=1):
        """queue is the path of the file. The sending thread calls on_event with a word and details:
        recorded, duplicate, held or rejected (id, answer); retry (seconds, why); stopped
        (status, detail). It must not raise. Pauses grow from first_pause seconds to 60 times that.
        Raises sqlite3.Error when the queue cannot be opened, ValueError when url is no http(s) URL."""
        self._path, self._server, self._key, self._on_event = queue, urlsplit(url), key, on_event
        # Reading the port raises ValueError for one that is no number.
        if self._server.scheme not in ("http", "https") or not self._server.hostname \
                or self._server.port == 0:
            raise ValueError(f"{url} must be an address such as https://play.example.com")
        self._first_pause, self._lock = first_pause, threading.Lock()
        self._closing, self._stopped = threading.Event(), threading.Event()
        self._db = sqlite3.connect(queue, 30, isolation_level=None, check_same_thread=False)
        self._db.executescript(SCHEMA)

    def _query(self, sql, *values):
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def waiting(self):
        """Returns every game that the server has not answered for, oldest first."""
        return [json.loads(game) for game, in self._query("SELECT game FROM waiting ORDER BY n")]

    def set_aside(self):
        """Returns (game, answer) for every game that was held or rejected, for a person to check."""
        rows = self._query("SELECT game, answer FROM set_aside ORDER BY rowid")
        return [(json.loads(game), json.loads(answer)) for game, answer in rows]

    def begin(self, player):
        """Call it when the game starts, and keep the result until the game ends."""
        if not UUID.fullmatch(player):
            raise ValueError("the player must be the UUID of the QR code")
        at = datetime.fromtimestamp(time.time() + self._offset(), timezone.utc)
        played_at = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {"id": str(uuid.uuid4()), "player": player, "played_at": played_at}

    def finish(self, game, **numbers):
        """Call it when the game ends, with score, and duration_s, shots_made and shots_attempted
        if they are known. When it returns, the game is on disk. Raises ValueError or sqlite3.Error
        (disk full): then the game is not stored, and the same call may be tried again. A game that
        is in the queue already, with the same numbers, is not stored twice."""
        # As on the server, 388.0 is a whole number, and null means that the number is missing.
        known = {name: value for name, value in numbers.items() if value is not None}
        for name, value in {"score": None, **known}.items():
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            whole = name != "duration_s"
            if not number or not 0 <= value <= LIMITS[name] or whole and value != int(value):
                kind = "whole number" if whole else "number"
                raise ValueError(f"{name} must be a {kind} from 0 to {LIMITS[name]}.")
            known[name] = int(value) if whole else value
        text = json.dumps({**game, **known}, separators=(",", ":"))
        self._query("INSERT INTO waiting (id, game) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                    game["id"], text)
        for stored, in self._query("SELECT game FROM waiting WHERE id = ?", game["id"]):
            if stored != text:
                raise ValueError("another game with this id waits already")

    def greet(self, player):
        """Returns ("player", the player's data), ("unknown", {}) or ("offline", {}). After
        "offline", start the game anyway: it needs only the code."""
        if not UUID.fullmatch(player):
            return "unknown", {}
        status, body, _ = self._call("GET", f"players/{player}/", timeout=GREETING_TIMEOUT_S)
        if status == 200 and "username" in body:
            return "player", body
        return "unknown" if status == 404 else "offline", {}

    def start(self):
        """Starts sending. Raises RuntimeError when another process sends this queue."""
        # The system releases this lock even when the process is killed.
        self._sender = sqlite3.connect(f"{self._path}-sender", 0, check_same_thread=False)
        try:
            self._sender.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise RuntimeError(f"another process sends {self._path}") from error
        threading.Thread(target=self._run, daemon=True).start()

    def close(self):
        """Stops sending. Games that the server has not answered for stay in the queue."""
        self._closing.set()

    def _run(self):
        failures, batch, called_at = 0, BATCH_GAMES, None
        while not self._closing.is_set() and not self._stopped.is_set():
            try:
                games = self._oldest(batch)
                if called_at and not games and time.monotonic() - called_at < HEARTBEAT_S:
                    self._closing.wait(POLL_S)
                    continue
                if not called_at or not games:
                    self._tell()
                called_at = time.monotonic()
                status, why, retry_after = self._send(games) if games else (200, "", 0)
                if status == 413:
                    batch = max(1, len(games) // 2)
            except Exception as error:  # A full disk, of the queue or of what on_event writes.
                # Sending the games again is safe: the server answers `duplicate`.
                why, retry_after = f"The queue cannot be used: {error}", 0
            failures = failures + 1 if why else 0
            if why and not self._stopped.is_set():
                # Jitter keeps a venue's machines from calling together.
                pause = self._first_pause * min(60, 2 ** (failures - 1)) * random.uniform(0.5, 1)
                with contextlib.suppress(Exception):
                    self._on_event("retry", round(retry_after + pause, 3), why)
                self._closing.wait(retry_after + pause)

    def _tell(self):
        """Tells the server how many games wait. The answer sets the clock and checks the key."""
        count = self._query("SELECT count(*) FROM waiting")[0][0]
        self._call("PUT", "status/", json.dumps({"queued": count}))

    def _oldest(self, batch):
        """Returns [(id, game as stored)], oldest first, as many as one call may carry."""
        games, size = [], len('{"games":[]}')
        for row in self._query("SELECT id, game FROM waiting ORDER BY n LIMIT ?", batch):
            size += len(row[1]) + len(",")
            if size > BATCH_BYTES:
                break
            games.append(row)
        return games

    def _send(self, games):
        """Sends a batch, settles its games. Returns (status, error or "", Retry-After)."""
        text = '{"games":[' + ",".join(game for _, game in games) + "]}"
        status, body, retry_after = self._call("POST", "games/", text)
        if status == 0:
            return status, "The server cannot be reached.", retry_after
        results, detail = body.get("results"), body.get("detail", "no reason given")
        # A 200 without results is from a proxy or a sign-in page.
        if status != 200 or not isinstance(results, list):
            return status, f"The server answered {status}: {detail}", retry_after
        answers = {str(result.get("id")): result for result in results if isinstance(result, dict)}
        settled = [(id, game, answers[id]) for id, game in games
                   if id in answers and answers[id].get("status") in SETTLED]
        with self._lock, self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for id, game, answer in settled:
                if answer["status"] in SET_ASIDE:
                    self._db.execute("INSERT OR REPLACE INTO set_aside VALUES (?, ?, ?)",
                                     (id, game, json.dumps(answer)))
                self._db.execute("DELETE FROM waiting WHERE id = ?", (id,))
        for id, _, answer in settled:
            self._on_event(answer["status"], id, answer)
        why = "" if len(settled) == len(games) else "The server did not answer for every game."
        return status, why, retry_after

    def _call(self, method, path, text=None, timeout=REQUEST_TIMEOUT_S):
        """Returns (status, body or {}, Retry-After in seconds); the status is 0 without an answer."""
        if self._stopped.is_set():
            return 0, {}, 0
        sent_at = time.time()
        # The machine's own time, so that the operator sees the clock's error.
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json",
                   "Date": email.utils.formatdate(sent_at, usegmt=True)}
        secure, base = self._server.scheme == "https", self._server.path.rstrip("/")
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        # http.client follows no redirect, so no other server gets the key.
        connection = connect(self._server.hostname, self._server.port, timeout=timeout)
        watchdog = None
        try:
            connection.connect()
            # The socket's timeout restarts with every byte; this timer limits the whole call.
            watchdog = threading.Timer(timeout, connection.sock.shutdown, (socket.SHUT_RDWR,))
            watchdog.daemon = True
            watchdog.start()
            connection.request(method, f"{base}/api/machine/{path}", text, headers)
            response = connection.getresponse()
            content = response.read(ANSWER_BYTES_MAX)
        except Exception:  # Any failure means that no answer came.
            return 0, {}, 0
        finally:
            if watchdog:
                watchdog.cancel()
            connection.close()
        try:
            body = dict(json.loads(content))
        except (TypeError, ValueError, RecursionError):
            body = {}
        if response.status == 200:
            self._set_clock(body.get("server_time"), (sent_at + time.time()) / 2)
        if response.status in (401, 403):
            self._stopped.set()
            self._on_event("stopped", response.status, body.get("detail", "no reason given"))
        return response.status, body, retry_after_of(response.headers.get("Retry-After"))

    def _offset(self):
        """The server's clock minus the machine's, in seconds."""
        return self._query("SELECT coalesce(sum(offset_s), 0) FROM clock")[0][0]

    def _set_clock(self, server_time, at):
        """Assumes that server_time was read halfway between request and answer."""
        try:
            offset = datetime.fromisoformat(server_time.replace("Z", "+00:00")).timestamp() - at
            self._query("INSERT OR REPLACE INTO clock VALUES (1, ?)", offset)
        except (AttributeError, ValueError, sqlite3.Error):
            pass  # The next answer has the time again.


def retry_after_of(header):
    """Returns the seconds to wait, from a header with seconds or a date; 0 without a valid one."""
    try:
        if not header.isdigit():
            header = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        return min(max(float(header), 0), RETRY_AFTER_MAX_S)
    except (AttributeError, TypeError, ValueError, IndexError):
        return 0


def say(*words):
    """Prints one line with one write, because two threads print. Text of the server cannot write
    lines of its own: it has no character below the space."""
    compact = json.JSONEncoder(separators=(",", ":")).encode
    texts = (compact(word) if isinstance(word, dict) else str(word) for word in words)
    line = re.sub("[\x00-\x1f\x7f\x85\u2028\u2029]", " ", " ".join(texts))
    print(line + "\n", end="", flush=True)


def obey(client, word, first="", second=""):
    """Runs one command of README.md, from a line or from the arguments. Returns the exit code."""
    try:
        if word == "start":
            say("started", client.begin(first))
        elif word == "finish":
            client.finish(json.loads(first), **json.loads(second))
            say("stored", first)
        elif word == "greet":
            say(*client.greet(first))
        elif word == "list":
            for game in client.waiting():
                say("waiting", game)
            for game, answer in client.set_aside():
                say("set_aside", game, answer)
        else:
            raise ValueError("not understood")
        return 0
    except (ArithmeticError, LookupError, TypeError, ValueError, sqlite3.Error) as error:
        say("error", error)
        return 1


def main(words):
    for stream in (sys.stdin, sys.stdout):  # A scanned code may hold any bytes.
        stream.reconfigure(errors="backslashreplace")
    setting = os.environ.get
    client = Client(
        setting("BACKBOARD_QUEUE", "games.db"),
        setting("BACKBOARD_URL", "http://127.0.0.1:3000"),
        setting("BACKBOARD_KEY", ""), say, float(setting("BACKBOARD_FIRST_PAUSE", "1")))
    if words == ["run"]:
        client.start()
        for line in filter(str.strip, sys.stdin):
            obey(client, *(line.split() + ["", ""])[:3])
        return 0
    return obey(client, *(words + ["", "", ""])[:3])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (RuntimeError, ValueError, sqlite3.Error, KeyboardInterrupt) as problem:
        sys.exit(str(problem))  # Unsent games are on disk.
