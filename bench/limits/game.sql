\set player random(1, :players)
\set machine random(1, 2000)
\set score random(100, 500)
\set minutes random(0, 40000)
with game as (insert into games (machine_id, id, player_id, score, played_at, day, received_at, duration_s, shots_made, shots_attempted, state, digest, outside) values (:machine, gen_random_uuid(), :player, :score, now() - :minutes::int * interval '1 minute', (now() - :minutes::int * interval '1 minute')::date, now(), 45, 20, 40, 'counted', sha256('game'), 'no_team') returning player_id, score) insert into player_stats as s (player_id, games_played, highscore, score_sum) select player_id, 1, score, score from game on conflict (player_id) do update set games_played = s.games_played + 1, highscore = greatest(s.highscore, excluded.highscore), score_sum = s.score_sum + excluded.score_sum;
