/*
 * A client of Backboard's machine API for arcade machines: one file, with libcurl and SQLite.
 * struct bb bb = {"games.db", "https://play.example.com", key, puts, 1}; bb_open(&bb);
 * bb_start(&bb);
 * char *game = bb_begin(&bb, player); bb_finish(&bb, game, "{\"score\":388}");
 * A finished game stays in the queue, an SQLite file, until the server has answered for it.
 * docs/machine-api.md explains the rules. Free the strings that are not const with sqlite3_free.
 * -DBB_NO_MAIN leaves out the program at the end.
 */
#define _DEFAULT_SOURCE
#include <curl/curl.h>
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_GAMES = 500, BATCH_BYTES = 256 * 1024, ANSWER_BYTES_MAX = 4 * 1024 * 1024 };
enum { REQUEST_TIMEOUT_S = 20, GREETING_TIMEOUT_S = 3, RETRY_AFTER_MAX_S = 3600 };
enum { POLL_US = 200 * 1000, HEARTBEAT_POLLS = 60 * 5 }; /* One minute of polls. */

struct bb {
  const char *path, *url, *key;
  int (*on_line)(const char *); /* Called from the sending thread with one line for each event. */
  double first_pause; /* In seconds. Pauses after failures grow to 60 times this. */
  sqlite3 *db, *sending, *lock;
  atomic_int stopped; /* The server refused the key. */
};
struct answer {
  long status; /* 0 means that no answer came. */
  curl_off_t retry_after;
  char *body, detail[512];
};

/* With these settings a commit returns when it is on disk. */
#define SCHEMA \
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;" \
  "CREATE TABLE IF NOT EXISTS waiting (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL," \
  "   game TEXT NOT NULL);" \
  "CREATE TABLE IF NOT EXISTS set_aside (id TEXT PRIMARY KEY, game TEXT, answer TEXT);" \
  "CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY, offset_s REAL NOT NULL);"
#define UUID " GLOB replace('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx', 'x', '[0-9a-fA-F]')"
/* Makes a game: an id, the player and the server's time (the machine's if unknown). */
#define BEGIN \
  "SELECT json_object('id', lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' ||" \
  "   substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' ||" \
  "   hex(randomblob(6))), 'player', ?1, 'played_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'," \
  "   coalesce((SELECT printf('%+.3f seconds', offset_s) FROM clock), '0 days'))) WHERE ?1" UUID
/* Stores the game, unless the server would reject a number. */
#define FINISH \
  "INSERT INTO waiting (id, game) SELECT json_extract(?1, '$.id'), json_patch(?1, ?2)" \
  " WHERE json_type(?2, '$.score') IN ('integer', 'real') AND NOT EXISTS (SELECT 1" \
  "   FROM json_each(?2) WHERE type <> 'null' AND (type NOT IN ('integer', 'real') OR" \
  "   key <> 'duration_s' AND atom <> CAST(atom AS INTEGER) OR" \
  "   coalesce(atom NOT BETWEEN 0 AND json_extract('{\"score\":2147483647," \
  "   \"duration_s\":86400,\"shots_made\":100000,\"shots_attempted\":100000}', '$.' || key), 1)))" \
  " ON CONFLICT (id) DO NOTHING"
/* Whether the game is in the queue with the same numbers; no row: it is not in the queue. */
#define STORED \
  "SELECT game = json_patch(?1, ?2) FROM waiting WHERE id = json_extract(?1, '$.id')"
#define SET_CLOCK \
  "INSERT OR REPLACE INTO clock SELECT 1, ?2 + 86400 *" \
  "   (julianday(json_extract(?1, '$.server_time')) - julianday('now'))"
#define PLAYER_PATH "SELECT 'players/' || ?1 || '/' WHERE ?1" UUID
#define PLAYER "SELECT 'player ' || json(?1) WHERE json_type(?1, '$.username') = 'text'"
#define RESULTS \
  "SELECT json_extract(value, '$.id'), json_extract(value, '$.status') AS status, value" \
  " FROM json_each(?1, '$.results') WHERE status IN ('recorded', 'duplicate', 'held', 'rejected')"
#define SET_ASIDE \
  "INSERT OR REPLACE INTO set_aside SELECT id, game, ?2 FROM waiting WHERE id = ?1" \
  " AND json_extract(?2, '$.status') IN ('held', 'rejected')"
#define DETAIL "SELECT json_extract(?1, '$.detail') WHERE json_valid(?1)"
#define LIST \
  "SELECT group_concat(line, char(10)) FROM (SELECT 'waiting ' || game AS line FROM waiting" \
  "   UNION ALL SELECT 'set_aside ' || game || ' ' || answer FROM set_aside)"
#define TEXT(row, column) ((const char *)sqlite3_column_text(row, column))

/* A prepared statement, or NULL on error. Callers need no check: stepping NULL fails too. */
static sqlite3_stmt *query(sqlite3 *db, const char *sql, const char *first, const char *second) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (first) sqlite3_bind_text(statement, 1, first, -1, SQLITE_TRANSIENT);
  if (second) sqlite3_bind_text(statement, 2, second, -1, SQLITE_TRANSIENT);
  return statement;
}

/* The first row's first value, or NULL. */
static char *value_of(sqlite3_stmt *statement) {
  int found = sqlite3_step(statement) == SQLITE_ROW;
  char *value = found ? sqlite3_mprintf("%s", TEXT(statement, 0)) : NULL;
  sqlite3_finalize(statement);
  return value;
}

static int failed(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return code != SQLITE_DONE;
}

static void say(struct bb *bb, char *line) {
  if (line && *line) bb->on_line(line);
  sqlite3_free(line);
}

/* Opens or creates the queue. Returns NULL, or what went wrong. */
const char *bb_open(struct bb *bb) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  /* Each thread has its own connection, so that none commits the other's transaction. */
  for (sqlite3 **db = &bb->db; db <= &bb->sending; db++)
    if (sqlite3_open(bb->path, db) || sqlite3_busy_timeout(*db, 30000) ||
        sqlite3_exec(*db, SCHEMA, NULL, NULL, NULL))
      return sqlite3_errmsg(*db);
  return NULL;
}

/* Call this when a game starts; keep the result until the game ends. NULL: `player` is no UUID. */
char *bb_begin(struct bb *bb, const char *player) {
  return value_of(query(bb->db, BEGIN, player, NULL));
}

/* Call this when the game ends, with score and, if known, duration_s, shots_made and
 * shots_attempted. Returns NULL when the game is on disk, or the reason; then you may try again. */
const char *bb_finish(struct bb *bb, const char *game, const char *numbers) {
  if (failed(query(bb->db, FINISH, game, numbers))) return sqlite3_errmsg(bb->db);
  if (sqlite3_changes(bb->db)) return NULL;
  char *same = value_of(query(bb->db, STORED, game, numbers));
  int waits = same != NULL, equal = waits && *same == '1';
  sqlite3_free(same);
  if (waits) return equal ? NULL : "another game with this id waits already";
  return "score must be a whole number from 0 to 2147483647. Or another number is out of range.";
}

static size_t receive(char *bytes, size_t size, size_t count, void *body) {
  sqlite3_str_append(body, bytes, (int)(size * count));
  return sqlite3_str_length(body) > ANSWER_BYTES_MAX ? 0 : size * count;
}

/* The caller frees the answer's body. */
static struct answer call(struct bb *bb, sqlite3 *db, const char *path, const char *body,
                          long timeout) {
  struct answer answer = {.status = 0};
  CURL *curl = bb->stopped ? NULL : curl_easy_init();
  if (!curl) return answer;
  double took;
  struct tm utc;
  char date[64]; /* The machine's own clock, so that the operator sees its error. */
  strftime(date, sizeof date, "Date: %a, %d %b %Y %T GMT", gmtime_r(&(time_t){time(NULL)}, &utc));
  char *url = sqlite3_mprintf("%s/api/machine/%s", bb->url, path);
  char *key = sqlite3_mprintf("Authorization: Bearer %s", bb->key);
  struct curl_slist *headers = curl_slist_append(curl_slist_append(NULL, key), date);
  headers = curl_slist_append(headers, "Content-Type: application/json");
  sqlite3_str *received = sqlite3_str_new(NULL);
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, timeout);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, received);
  if (body) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  /* curl follows no redirect, so no other server gets the key. */
  CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &answer.retry_after);
  curl_easy_getinfo(curl, CURLINFO_TOTAL_TIME, &took);
  answer.body = sqlite3_str_finish(received);
  /* The server's clock was read about halfway through the call. */
  sqlite3_snprintf(sizeof date, date, "%.3f", took / 2);
  if (answer.status == 200) failed(query(db, SET_CLOCK, answer.body, date));
  char *detail = value_of(query(db, DETAIL, answer.body, NULL));
  sqlite3_snprintf(sizeof answer.detail, answer.detail, "%s",
                   detail ? detail : code ? curl_easy_strerror(code) : "no reason given");
  /* Text of the server cannot write lines of its own. */
  for (char *at = answer.detail; *at; at++) *at = (unsigned char)*at < ' ' ? ' ' : *at;
  if (answer.status == 401 || answer.status == 403) {
    bb->stopped = 1;
    say(bb, sqlite3_mprintf("stopped %ld %s", answer.status, answer.detail));
  }
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  sqlite3_free(url), sqlite3_free(key), sqlite3_free(detail);
  return answer;
}

/* Returns `player` with the player's data, `unknown`, or `offline`: then start the game anyway. */
char *bb_greet(struct bb *bb, const char *player) {
  char *path = value_of(query(bb->db, PLAYER_PATH, player, NULL));
  if (!path) return sqlite3_mprintf("unknown");
  struct answer answer = call(bb, bb->db, path, NULL, GREETING_TIMEOUT_S);
  char *line = answer.status == 200 ? value_of(query(bb->db, PLAYER, answer.body, NULL)) : NULL;
  if (!line) line = sqlite3_mprintf(answer.status == 404 ? "unknown" : "offline");
  sqlite3_free(path), sqlite3_free(answer.body);
  return line;
}

/* The body of a call: up to `most` of the oldest games, within the size limit. */
static char *oldest(sqlite3 *db, int most, int *count) {
  sqlite3_str *body = sqlite3_str_new(NULL);
  sqlite3_stmt *games = query(db, "SELECT game FROM waiting ORDER BY n", NULL, NULL);
  for (*count = 0; *count < most && sqlite3_step(games) == SQLITE_ROW; ++*count) {
    if (sqlite3_str_length(body) + sqlite3_column_bytes(games, 0) > BATCH_BYTES - 8) break;
    sqlite3_str_appendf(body, "%s%s", *count ? "," : "{\"games\":[", TEXT(games, 0));
  }
  sqlite3_finalize(games);
  sqlite3_str_appendall(body, "]}");
  return sqlite3_str_finish(body);
}

/* Settles the games that have a result, in one commit. Returns their number, or -1 on failure. */
static int settle(struct bb *bb, sqlite3 *db, const char *body) {
  int settled = 0, bad = failed(query(db, "BEGIN IMMEDIATE", NULL, NULL));
  sqlite3_str *lines = sqlite3_str_new(NULL);
  sqlite3_stmt *results = query(db, RESULTS, body, NULL);
  while (!bad && sqlite3_step(results) == SQLITE_ROW) {
    const char *id = TEXT(results, 0), *status = TEXT(results, 1), *result = TEXT(results, 2);
    bad = failed(query(db, SET_ASIDE, id, result)) ||
          failed(query(db, "DELETE FROM waiting WHERE id = ?1", id, NULL));
    if (!bad && sqlite3_changes(db) == 1)
      sqlite3_str_appendf(lines, "%s%s %s %s", settled++ ? "\n" : "", status, id, result);
  }
  sqlite3_finalize(results);
  bad = bad || failed(query(db, "COMMIT", NULL, NULL));
  if (bad) failed(query(db, "ROLLBACK", NULL, NULL)), sqlite3_str_reset(lines);
  say(bb, sqlite3_str_finish(lines));
  return bad ? -1 : settled;
}

static void *run(void *argument) {
  struct bb *bb = argument;
  double pause = 0;
  for (int count, batch = BATCH_GAMES, idle = HEARTBEAT_POLLS; !bb->stopped; idle++) {
    char *games = oldest(bb->sending, batch, &count);
    if (idle >= HEARTBEAT_POLLS) {
      sqlite3_free(call(bb, bb->sending, "", NULL, REQUEST_TIMEOUT_S).body);
    } else if (count == 0) {
      usleep(POLL_US);
    } else {
      struct answer answer = call(bb, bb->sending, "games/", games, REQUEST_TIMEOUT_S);
      int settled = answer.status == 200 ? settle(bb, bb->sending, answer.body) : 0;
      if (answer.status == 413) batch = count > 1 ? count / 2 : 1;
      pause = settled == count ? 0 : fmin(fmax(2 * pause, bb->first_pause), 60 * bb->first_pause);
      if (pause > 0 && !bb->stopped) {
        unsigned random; /* Jitter keeps a venue's machines from calling together. */
        sqlite3_randomness(sizeof random, &random);
        double wait = pause * (1 + random / 4294967296.0) / 2 +
                      fmin(fmax(answer.retry_after, 0), RETRY_AFTER_MAX_S); /* Past means now. */
        say(bb, sqlite3_mprintf("retry %.3f The server answered %ld: %s", wait, answer.status,
                                answer.detail));
        struct timespec left = {(time_t)wait, (long)(fmod(wait, 1) * 1e9)};
        nanosleep(&left, NULL);
      }
      sqlite3_free(answer.body);
    }
    if (count > 0 || idle >= HEARTBEAT_POLLS) idle = 0;
    sqlite3_free(games);
  }
  return NULL;
}

/* Starts sending. Returns NULL, or what went wrong. */
const char *bb_start(struct bb *bb) {
  pthread_t thread;
  /* The system releases this lock even when the process is killed. */
  if (sqlite3_open(sqlite3_mprintf("%s-sender", bb->path), &bb->lock) ||
      sqlite3_exec(bb->lock, "BEGIN EXCLUSIVE", NULL, NULL, NULL))
    return "another process sends this queue";
  return pthread_create(&thread, NULL, run, bb) ? "no thread" : NULL;
}

#ifndef BB_NO_MAIN
#define SETTING(name, otherwise) (getenv(name) ? getenv(name) : (otherwise))
/* Runs one command of README.md. Returns the exit code. */
static int obey(struct bb *bb, const char *word, const char *first, const char *second) {
  const char *wrong = "not understood, or the player is no UUID";
  int code = 0;
  char *game = strcmp(word, "start") == 0 ? bb_begin(bb, first) : NULL;
  if (game) say(bb, sqlite3_mprintf("started %s", game));
  else if (strcmp(word, "finish") == 0 && !(wrong = bb_finish(bb, first, second)))
    say(bb, sqlite3_mprintf("stored %s", first));
  else if (strcmp(word, "greet") == 0) say(bb, bb_greet(bb, first));
  else if (strcmp(word, "list") == 0) say(bb, value_of(query(bb->db, LIST, NULL, NULL)));
  else {
    say(bb, sqlite3_mprintf("error %s", wrong));
    code = 1;
  }
  sqlite3_free(game);
  return code;
}

int main(int count, char **words) {
  char line[1024], word[16], first[512], second[512];
  struct bb bb = {.path = SETTING("BACKBOARD_QUEUE", "games.db"),
                  .url = SETTING("BACKBOARD_URL", "http://127.0.0.1:3000"),
                  .key = SETTING("BACKBOARD_KEY", ""), .on_line = puts,
                  .first_pause = atof(SETTING("BACKBOARD_FIRST_PAUSE", "1"))};
  /* Set this before any output, the sending thread's too; otherwise lines stay in the buffer. */
  setvbuf(stdout, NULL, _IOLBF, 0);
  int runs = count == 2 && strcmp(words[1], "run") == 0;
  const char *wrong = count > 1 ? bb_open(&bb) : "run, start, finish, greet or list?";
  if (!wrong && runs) wrong = bb_start(&bb);
  if (!wrong && !runs)
    return obey(&bb, words[1], count > 2 ? words[2] : "", count > 3 ? words[3] : "");
  while (!wrong && runs && fgets(line, sizeof line, stdin)) {
    *word = *first = *second = '\0';
    if (sscanf(line, "%15s %511s %511s", word, first, second) > 0) obey(&bb, word, first, second);
  }
  return wrong && fprintf(stderr, "%s\n", wrong);
}
#endif
