import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import {
  avatarColor,
  DEFAULT_AVATAR_COLOR,
  DEFAULT_JERSEY_NUMBER,
  jerseyNumber,
} from '#contract/rules/jersey.ts';
import { PASSWORD_HINT, PASSWORD_MIN, passwordProblem } from '#contract/rules/password.ts';
import type { User } from '#contract/wire/profile.ts';
import { fieldMessage } from '../api/message.ts';
import { checkUsername, usePassedName } from '../api/username.ts';
import { AvatarPicker } from '../avatar/AvatarPicker.tsx';
import { UsernameField } from '../avatar/UsernameField.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import styles from './EditProfile.module.css';

type Problems = {
  username?: string | null;
  password?: string | null;
  form?: ReactNode;
};

/** Where the message of a failed save appears (PROD-61). */
function problemsOf(error: unknown): Problems {
  const username = fieldMessage('username', error);
  const password = fieldMessage('password', error);
  if (username !== null || password !== null) return { username, password };
  return { form: <Failure error={error} action="editProfile" /> };
}

type EditProfileProps = {
  user: User;
  onClose: () => void;
  onSaved: () => void;
};

export function EditProfile({ user, onClose, onSaved }: EditProfileProps) {
  const { updateProfile } = useAuth();
  // Another device may change the profile meanwhile; what this form leaves as it was is not sent.
  const [opened] = useState(user);
  const [username, setUsername] = useState(user.username);
  const passed = usePassedName(username);
  const [password, setPassword] = useState('');
  const [worn] = useState({
    color: avatarColor(user.avatar_color) ?? DEFAULT_AVATAR_COLOR,
    number: jerseyNumber(user.jersey_number) ?? DEFAULT_JERSEY_NUMBER,
  });
  const [avatar, setAvatar] = useState(worn);
  const [problems, setProblems] = useState<Problems>({});
  const [saving, setSaving] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  function show(found: Problems) {
    setProblems(found);
    if (found.username) usernameInput.current?.focus();
    else if (found.password) passwordInput.current?.focus();
  }

  async function save() {
    const renamed = username !== opened.username;
    const found = {
      // The server accepts the player's name even if a newer rule would not (ACC-09).
      username: renamed && username !== user.username ? await checkUsername(username) : null,
      password: password === '' ? null : passwordProblem(password),
    };
    if (found.username || found.password) return show(found);
    await updateProfile({
      ...(renamed && { username }),
      ...(avatar.color !== worn.color && { avatar_color: avatar.color }),
      ...(avatar.number !== worn.number && { jersey_number: avatar.number }),
      ...(password !== '' && { password }),
    });
    onSaved();
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (saving) return;
    setSaving(true);
    setProblems({});
    await save().catch((error: unknown) => show(problemsOf(error)));
    setSaving(false);
  }

  // What is being saved can no longer be cancelled.
  const close = () => {
    if (!saving) onClose();
  };

  return (
    <Modal title="Edit Profile" onClose={close}>
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <UsernameField
          ref={usernameInput}
          value={username}
          error={problems.username}
          onText={(typed) => {
            setUsername(typed);
            setProblems({ password: problems.password ?? null });
          }}
        />
        <PasswordField
          ref={passwordInput}
          label="New Password"
          placeholder="Choose a password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
          minLength={PASSWORD_MIN}
          value={password}
          error={problems.password}
          onChange={(event) => {
            setPassword(event.target.value);
            setProblems({ username: problems.username ?? null });
          }}
        />
        <AvatarPicker username={passed} {...avatar} onChange={setAvatar} />
        {problems.form}
        <ModalButtons>
          <Button look="quiet" aria-disabled={saving} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={saving}>
            Save
          </Button>
        </ModalButtons>
      </form>
    </Modal>
  );
}
