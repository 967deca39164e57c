\set first random(0, :players / :clients - 1)
\set machine random(1, :machines)
\set hours random(24, 648)
with played as materialized (
  select n, 1 + :client_id::integer + :clients::integer * ((:first::integer + n / 5) % (:players::integer / :clients::integer)) as player_id,
    100 + floor(random() * 400)::integer as score,
    date_trunc('hour', now()) - (:hours::integer + 6 * (n % 5)) * interval '1 hour' + interval '45 minutes' as played_at
  from generate_series(0, :games::integer - 1) n
), game as materialized (
  select *, 1 + (player_id - 1) % :teams::integer as team_id, date_trunc('week', played_at)::date as week,
    1 + (:machine::integer - 1) % :venues::integer as venue_id from played
), stored as (
  insert into games (machine_id, id, player_id, score, played_at, day, received_at, duration_s, shots_made, shots_attempted, state, digest, team_id, week)
  select :machine::integer, gen_random_uuid(), player_id, score, played_at, played_at::date, now(), 45, 20, 40, 'counted', sha256('game'), team_id, week from game
  returning machine_id, id, player_id, played_at
), stats as (
  insert into player_stats as s (player_id, games_played, highscore, score_sum)
  select player_id, count(*), max(score), sum(score) from game group by 1 order by 1
  on conflict (player_id) do update set games_played = s.games_played + excluded.games_played, highscore = greatest(s.highscore, excluded.highscore), score_sum = s.score_sum + excluded.score_sum
  returning player_id, games_played
), weeks as (
  insert into league_weeks as w (team_id, week, player_id, games_played, score_sum, total, fourth_best)
  select team_id, week, player_id, count(*), sum(score), sum(score), case when count(*) >= 4 then min(score) end from game group by 1, 2, 3 order by 1, 2, 3
  on conflict (team_id, week, player_id) do update set games_played = least(8, w.games_played + excluded.games_played), score_sum = w.score_sum + excluded.score_sum,
    total = w.total + excluded.total, fourth_best = case when w.games_played + excluded.games_played >= 4 then coalesce(w.fourth_best, excluded.fourth_best, 100) end
  where w.games_played < 8
), won as (
  insert into player_achievements (player_id, key, unlocked_at, machine_id, game_id)
  select distinct on (player_id) player_id, 'games-100', played_at, machine_id, id from stored join stats using (player_id) where games_played >= 100 and games_played < 105
  on conflict do nothing
), best as materialized (
  select player_id, board.venue_id, board.week, max(score) as score
  from game cross join lateral (values
    (0, date '-infinity'), (venue_id, date '-infinity'),
    (0, case when week >= date_trunc('week', now())::date then week end), (venue_id, case when week >= date_trunc('week', now())::date then week end)
  ) board (venue_id, week) where board.week is not null group by 1, 2, 3
), raised as materialized (
  select best.*, b.score as was from best left join lateral (
    select score from bests where player_id = best.player_id and venue_id = best.venue_id and week = best.week offset 0
  ) b on true where b.score is null or b.score < best.score
), put as (
  insert into bests (venue_id, week, player_id, score) select venue_id, week, player_id, score from raised
  on conflict (player_id, venue_id, week) do update set score = excluded.score
)
insert into best_counts as c (venue_id, week, score, players)
select venue_id, week, score, sum(change) from (
  select venue_id, week, score, 1 as change from raised
  union all select venue_id, week, was, -1 from raised where was is not null
) changes group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
on conflict (venue_id, week, score) do update set players = c.players + excluded.players;
