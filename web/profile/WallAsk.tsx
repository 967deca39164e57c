import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { avatarColor, jerseyNumber } from '#contract/rules/jersey.ts';
import type { PlayedGame } from '#contract/wire/games.ts';
import type { User, WallAnswer } from '#contract/wire/profile.ts';
import { answerWall } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { Jersey } from '../avatar/Jersey.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { countVisit } from '../session/visit.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { Panel } from '../ui/Panel.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime } from '../ui/times.ts';
import offer from './Question.module.css';
import styles from './WallAsk.module.css';

const JUST_NOW_MS = 60_000;

/** Answers the question about screens. A yes changes the profile, so it is read again. */
function useAnswerWall() {
  const { api } = useAuth();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wall: WallAnswer) => answerWall(api, wall),
    onSuccess: (_, wall) => {
      // Not awaited, because reading the profile removes the question.
      if (wall === 'yes') void client.invalidateQueries({ queryKey: KEYS.profile });
    },
    meta: { failure: 'The answer was not stored.' },
  });
}

/** The player's newest game as the television draws it (HAND-50). */
function Row({ user, game }: { user: User; game: PlayedGame }) {
  const at = new Date(game.played_at);
  const [color, number] = [avatarColor(user.avatar_color), jerseyNumber(user.jersey_number)];
  const justNow = serverDate().getTime() - at.getTime() < JUST_NOW_MS;
  return (
    <div className={styles.row}>
      <span className={styles.jersey} aria-hidden="true">
        {color && number && <Jersey username={user.username} color={color} number={number} small />}
      </span>
      <p>
        <b>{user.username.toUpperCase()}</b>
        <small>
          {game.machine}, {justNow ? 'just now' : clockTime(at)}
        </small>
      </p>
      <span className={styles.score}>{game.score}</span>
    </div>
  );
}

type WallAskProps = { user: User; game: PlayedGame; venue: string; onAnswered: () => void };

/** Asks whether the screens of `venue` may show the name, with two equal buttons (HAND-50). */
export function WallAsk({ user, game, venue, onAnswered }: WallAskProps) {
  const answer = useAnswerWall();
  const { mutate } = answer;
  // Count each visit without an answer: the fourth one is a no.
  useEffect(() => {
    if (countVisit('wall')) mutate('later');
  }, [mutate]);
  const isSending = answer.isPending && answer.variables !== 'later';
  const send = (wall: 'yes' | 'no') => {
    if (!isSending) mutate(wall, { onSuccess: onAnswered });
  };
  return (
    <div className={styles.ask}>
      <Panel title="Show your name on the screen here?">
        <p className={offer.about}>
          {venue} has a screen with tonight’s scores. Yours is up there without a name.
        </p>
        <Row user={user} game={game} />
        <p className={styles.caption}>So it would look to everybody in the room.</p>
        {answer.isError && answer.variables !== 'later' && (
          <div className={offer.failure}>
            <Failure error={answer.error} />
          </div>
        )}
        <div className={offer.buttons}>
          <Button look="quiet" aria-disabled={isSending} onClick={() => send('no')}>
            No
          </Button>
          <Button look="quiet" aria-disabled={isSending} onClick={() => send('yes')}>
            Yes, show it
          </Button>
        </div>
        <p className={styles.tail}>You can change it in Account, “Who sees my name”.</p>
      </Panel>
    </div>
  );
}
