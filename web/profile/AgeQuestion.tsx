import { useId, useState } from 'react';
import type { Visibility } from '#contract/rules/visibility.ts';
import type { User } from '#contract/wire/profile.ts';
import { Failure } from '../shell/Failure.tsx';
import type { useSaveVisibility } from '../shell/save-visibility.ts';
import { useAdultAge, WHO_SEES, WHO_SEES_PICKS } from '../shell/who-sees.ts';
import { Button } from '../ui/Button.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Picks } from '../ui/Picks.tsx';
import styles from './Question.module.css';

type QuestionProps = {
  user: User;
  save: ReturnType<typeof useSaveVisibility>;
  onAnswered: () => void;
};

/** Who may see the name, asked of a player who has come of age. */
export function AgeQuestion({ user, save, onAnswered }: QuestionProps) {
  const age = useAdultAge();
  const why = useId();
  const [chosen, setChosen] = useState<Visibility>(user.visibility);

  function answer(visibility: Visibility) {
    if (!save.isPending) save.mutate(visibility, { onSuccess: onAnswered });
  }

  return (
    <Panel title={`You are ${age} now`}>
      <p id={why} className={styles.about}>
        Who may see your name? Until today it was your team and the teams you play. Nothing changes
        unless you change it.
      </p>
      <Picks
        legend={WHO_SEES}
        picks={WHO_SEES_PICKS}
        value={chosen}
        onPick={setChosen}
        describedBy={why}
      />
      {save.isError && (
        <div className={styles.failure}>
          <Failure error={save.error} />
        </div>
      )}
      <div className={styles.buttons}>
        <Button look="quiet" aria-disabled={save.isPending} onClick={() => answer(user.visibility)}>
          Leave it as it is
        </Button>
        <Button look="quiet" aria-disabled={save.isPending} onClick={() => answer(chosen)}>
          Save
        </Button>
      </div>
    </Panel>
  );
}
