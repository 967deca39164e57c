import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { PlayedGame } from '#contract/wire/games.ts';
import type { User } from '#contract/wire/profile.ts';
import type { PushAnswer } from '#contract/wire/push.ts';
import { patchPush } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { needsHomeScreen, turnOn } from '../session/push.ts';
import { hasTeam, teamName } from '../session/team.ts';
import { Failure } from '../shell/Failure.tsx';
import { HomeScreenSteps } from '../shell/HomeScreenSteps.tsx';
import { Button } from '../ui/Button.tsx';
import { Marked } from '../ui/Marked.tsx';
import panel from '../ui/Panel.module.css';
import { Bell } from './Bell.tsx';
import card from './HomeScreenCard.module.css';
import styles from './PushAsk.module.css';
import offer from './Question.module.css';

const REASONS =
  'We can tell you when the week is decided, when a game comes late, or when somebody offers you a duel.';

/** Says what has just happened, and what a notification could tell. */
export function askWords(
  { score, counts }: Pick<PlayedGame, 'score' | 'counts'>,
  team: string | null,
): { title: string; text: string } {
  if (team === null)
    return {
      title: 'Hear when a game comes late?',
      text: `**${score} counted for you.** We can tell you when a game comes late, when staff have checked one, or when somebody offers you a duel.`,
    };
  return {
    title: 'Hear how your week ends?',
    text:
      counts === 'league' || counts === 'bench'
        ? `**${score} counted for ${team}.** ${REASONS}`
        : `**Your game is in.** ${REASONS}`,
  };
}

type PushAskProps = { user: User; game: PlayedGame; push: PushAnswer; onAnswered: () => void };

/**
 * The question about notifications, with two equal buttons. The browser's own question follows only
 * a tap on “Turn on” (PUSH-31).
 */
export function PushAsk({ user, game, push, onAnswered }: PushAskProps) {
  const { api } = useAuth();
  const client = useQueryClient();
  const id = useId();
  const [steps, setSteps] = useState(false);
  const [refused, setRefused] = useState(false);
  // Each answer changes what may be asked in this visit.
  const onSettled = () => client.invalidateQueries({ queryKey: KEYS.push });
  const answer = useMutation({
    mutationFn: (ask: 'later' | 'never') => patchPush(api, { ask }),
    onSettled,
    meta: { failure: 'The answer was not stored.' },
  });
  const turn = useMutation({
    mutationFn: () => turnOn(api, push.public_key ?? ''),
    onSuccess: (permission) => {
      if (permission === 'granted') onAnswered();
      else if (permission === 'denied') {
        setRefused(true);
        answer.mutate('never');
      }
    },
    onSettled,
    meta: { failure: 'Notifications were not turned on.' },
  });
  const isSending = turn.isPending || (answer.isPending && !refused);
  const later = () => {
    setSteps(false);
    if (!isSending) answer.mutate('later', { onSuccess: onAnswered });
  };
  const { title, text } = askWords(game, hasTeam(user.team) ? teamName(user.team?.name) : null);
  return (
    <section className={`${panel.panel} ${styles.ask}`} aria-labelledby={id}>
      <div className={card.head}>
        <span className={card.icon}>
          <Bell />
        </span>
        <h2 id={id} className="display">
          {title}
        </h2>
      </div>
      {refused ? (
        <p className={offer.about} role="status">
          Your browser said no. You can change it in Account.
        </p>
      ) : (
        <>
          <p className={`${offer.about} ${styles.text}`}>
            <Marked text={text} />
          </p>
          {(turn.isError || answer.isError) && (
            <div className={offer.failure}>
              <Failure error={turn.error ?? answer.error} />
            </div>
          )}
          <div className={offer.buttons}>
            <Button look="quiet" aria-disabled={isSending} onClick={later}>
              Not now
            </Button>
            <Button
              aria-disabled={isSending}
              onClick={() => {
                if (needsHomeScreen()) setSteps(true);
                else if (!isSending) turn.mutate();
              }}
            >
              Turn on
            </Button>
          </div>
          <p className={styles.tail}>
            <span>Three a day at most, never at night.</span>
            <Link to="/account">Choose what</Link>
          </p>
        </>
      )}
      {steps && <HomeScreenSteps from="push" onClose={() => setSteps(false)} onLater={later} />}
    </section>
  );
}
