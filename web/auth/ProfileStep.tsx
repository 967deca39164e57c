import { useRef, useState } from 'react';
import { DEFAULT_AVATAR_COLOR, DEFAULT_JERSEY_NUMBER } from '#contract/rules/jersey.ts';
import { PASSWORD_HINT, passwordProblem } from '#contract/rules/password.ts';
import type { User } from '#contract/wire/profile.ts';
import { fieldMessage, messageFor } from '../api/message.ts';
import { checkUsername, loadProfanity, usePassedName } from '../api/username.ts';
import { AvatarPicker } from '../avatar/AvatarPicker.tsx';
import { UsernameField } from '../avatar/UsernameField.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { onStage } from '../ui/Stage.tsx';
import { Celebration } from './Celebration.tsx';
import { useFlow, useSubmit } from './flow.ts';
import { StepBody, StepError, StepForm, StepHeading } from './Step.tsx';

interface Problems {
  username?: string | null;
  password?: string | null;
}

/** Plays the Let's Play! animation over the profile, except with reduced motion (LOOK-35). */
function celebrate({ username, avatar_color, jersey_number }: User) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  onStage(
    <Celebration
      username={username}
      color={avatar_color}
      number={jersey_number}
      onDone={() => onStage(null)}
    />,
  );
}

/** Profile setup. Ends with Let's Play! (PROD-16). */
export function ProfileStep() {
  const { user, updateProfile } = useAuth();
  const { report } = useFlow();
  const submit = useSubmit();
  const [username, setUsername] = useState('');
  const passed = usePassedName(username);
  const [password, setPassword] = useState('');
  const [avatar, setAvatar] = useState({
    color: DEFAULT_AVATAR_COLOR,
    number: DEFAULT_JERSEY_NUMBER,
  });
  const [problems, setProblems] = useState<Problems>({});
  const [error, setError] = useState<string | null>(null);
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const asksPassword = !user?.has_set_password;
  // A player who can sign in with a provider needs no password (ACC-06).
  const optional = user?.sign_in_methods?.some((method) => method !== 'password') ?? false;

  function show(found: Problems) {
    setProblems(found);
    if (found.username) usernameField.current?.focus();
    else if (found.password) passwordField.current?.focus();
  }

  async function problemsOf(): Promise<Problems> {
    const skipped = !asksPassword || (optional && password === '');
    return {
      username: await checkUsername(username),
      password: skipped ? null : passwordProblem(password),
    };
  }

  async function save() {
    try {
      const found = await problemsOf();
      if (found.username || found.password) return show(found);
      const player = await updateProfile({
        username,
        ...(password !== '' && { password }),
        avatar_color: avatar.color,
        jersey_number: avatar.number,
        profile_setup_complete: true,
        // The server ignores this field and checks the password itself (ACC-04).
        has_set_password: true,
      });
      celebrate(player);
      report({ user: player });
    } catch (failure) {
      const refused = {
        username: fieldMessage('username', failure),
        password: fieldMessage('password', failure),
      };
      if (refused.username || refused.password) return show(refused);
      setError(messageFor('profileSetup', failure));
    }
  }

  return (
    <StepBody>
      <StepHeading>Profile setup</StepHeading>
      <StepError message={error} />
      <StepForm
        onSubmit={() => {
          setError(null);
          setProblems({});
          void submit(save);
        }}
      >
        <UsernameField
          ref={usernameField}
          name="username"
          required
          value={username}
          error={problems.username}
          onFocus={() => void loadProfanity()}
          onText={(typed) => {
            setUsername(typed);
            setProblems(({ password: kept = null }) => ({ password: kept }));
            setError(null);
          }}
        />
        {/* Password managers read the account name from this field. */}
        <input hidden type="email" autoComplete="username" value={user?.email ?? ''} readOnly />
        {asksPassword && (
          <PasswordField
            ref={passwordField}
            label="Password"
            autoComplete="new-password"
            hint={PASSWORD_HINT}
            optional={optional}
            required={!optional}
            value={password}
            error={problems.password}
            onChange={(event) => {
              setPassword(event.target.value);
              setProblems(({ username: kept = null }) => ({ username: kept }));
              setError(null);
            }}
          />
        )}
        <AvatarPicker username={passed} {...avatar} onChange={setAvatar} />
        <Button look="play" type="submit">
          Let's Play!
        </Button>
      </StepForm>
    </StepBody>
  );
}
