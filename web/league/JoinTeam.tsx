import { type FormEvent, useRef, useState } from 'react';
import { joinAddress } from '#contract/rules/addresses.ts';
import { CODE_LENGTH, isCode, pastedCode } from '#contract/rules/short-code.ts';
import { navigate } from '../router.tsx';
import { useTeamRequest } from '../session/reads.ts';
import { AskedTeam } from '../shell/AskedTeam.tsx';
import { Button } from '../ui/Button.tsx';
import { useComposed } from '../ui/composed.ts';
import { Field } from '../ui/Field.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './JoinTeam.module.css';

function CodeForm() {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [malformed, setMalformed] = useState(false);
  const typing = useComposed(typed, (text) => {
    setTyped(pastedCode(text).slice(0, CODE_LENGTH));
    setMalformed(false);
  });
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isCode(typed)) return navigate(joinAddress(typed));
    setMalformed(true);
    field.current?.focus();
  }
  return (
    <>
      <p className={styles.about}>
        Type the six characters on the poster, or open its code with your camera.
      </p>
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <Field
          ref={field}
          label="Team code"
          name="code"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          error={malformed ? 'A team code has six letters and digits.' : null}
          {...typing}
        />
        <Button type="submit" aria-disabled={!isCode(typed)}>
          Find the team
        </Button>
      </form>
    </>
  );
}

/** The league of a player without a team (HAND-41). */
export function JoinTeam() {
  const asked = useTeamRequest();
  return (
    <>
      <Panel title="Join a team" left>
        {asked.request === null ? <CodeForm /> : <AskedTeam {...asked} />}
      </Panel>
      <Panel title="No code?">
        <ul className={styles.ways}>
          <li>
            <b>Ask a teammate</b>
            <small>They'll find Invite under Team Stats.</small>
          </li>
          <li>
            <b>Ask at the arcade</b>
            <small>Staff can add you.</small>
          </li>
        </ul>
        <p className={styles.about}>
          Without a team every game still counts for you: high score, average, achievements.
        </p>
      </Panel>
    </>
  );
}
