import { type FormEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Jersey } from '../web/avatar/Jersey.tsx';
import { PlayerCode } from '../web/ui/PlayerCode.tsx';
import { Camera } from './Camera.tsx';
import type { CourtPlayer } from './here.ts';

function Choice({
  player,
  chosen,
  onChoose,
}: {
  player: CourtPlayer;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label>
      <input type="radio" name="who" checked={chosen} onChange={onChoose} />
      <span aria-hidden="true">
        <Jersey
          className="jersey"
          small
          username={player.username}
          color={player.avatar_color}
          number={player.jersey_number}
        />
      </span>
      <span>
        <b>{player.username}</b>
        <small>
          {player.here ? 'You, signed in in this browser' : player.team?.name}
          {player.demo_account && ', demo account'}
        </small>
      </span>
      <svg className="tick" viewBox="0 0 24 24" aria-hidden="true">
        <path d="m5 12.5 4.5 4.5L19 7.5" />
      </svg>
    </label>
  );
}

function Phone({ uuid, again, onHoldUp }: { uuid: string; again: boolean; onHoldUp: () => void }) {
  const [moved, setMoved] = useState({ x: 0, y: 0 });
  const from = useRef<{ x: number; y: number } | null>(null);
  const release = (event: PointerEvent) => {
    from.current = null;
    setMoved({ x: 0, y: 0 });
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    if (under.some((element) => element.matches('.machine'))) onHoldUp();
  };
  return (
    <div className="phone">
      <div
        className="phone__body"
        style={{ transform: `translate(${moved.x}px, ${moved.y}px)` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={({ clientX, clientY }) => {
          if (from.current) setMoved({ x: clientX - from.current.x, y: clientY - from.current.y });
        }}
        onPointerUp={release}
        onPointerCancel={() => {
          from.current = null;
          setMoved({ x: 0, y: 0 });
        }}
      >
        <PlayerCode uuid={uuid} />
      </div>
      <div>
        <p>The phone of this player. Drag it to the machine, or:</p>
        <button className="btn btn--primary" type="button" onClick={onHoldUp}>
          {again ? 'Hold it up again' : 'Hold it up'}
        </button>
      </div>
    </div>
  );
}

type CodeFormProps = { error: string | null; onCode: (code: string) => void; onEdit: () => void };

function CodeForm({ error, onCode, onEdit }: CodeFormProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCode(code.trim().toLowerCase());
    field.current?.focus();
  };
  return (
    <form className="paste" noValidate onSubmit={submit}>
      <label htmlFor="code">A player's code</label>
      <input
        ref={field}
        className="input"
        id="code"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : 'code-error'}
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          onEdit();
        }}
      />
      {error !== null && (
        <p className="err" id="code-error">
          <svg viewBox="0 0 20 20" aria-hidden="true" fill="currentColor">
            <path d="M10 1.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm0 4a1.1 1.1 0 0 1 1.1 1.2l-.3 4.4a.8.8 0 0 1-1.6 0l-.3-4.4A1.1 1.1 0 0 1 10 5.5Zm0 7.2a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Z" />
          </svg>
          {error}
        </p>
      )}
      <button className="btn btn--primary" type="submit">
        Hold it up
      </button>
    </form>
  );
}

type Way = 'players' | 'paste' | 'camera';
type WhoPlaysProps = {
  players: CourtPlayer[];
  chosen: string | null;
  onChoose: (uuid: string) => void;
  error: string | null;
  again: boolean;
  onCode: (code: string) => void;
  onEdit: () => void;
};

/** A demo player, or a pasted or scanned code (LOOK-90). */
export function WhoPlays({
  players,
  chosen,
  onChoose,
  error,
  again,
  onCode,
  onEdit,
}: WhoPlaysProps) {
  const [way, setWay] = useState<Way>(players.length > 0 ? 'players' : 'paste');
  const [hasCamera, setHasCamera] = useState(false);
  useEffect(() => {
    void navigator.mediaDevices
      ?.enumerateDevices()
      .then((found) => setHasCamera(found.some(({ kind }) => kind === 'videoinput')))
      .catch(() => undefined);
  }, []);
  const go = (to: Way) => () => {
    setWay(to);
    onEdit();
  };
  const ways: [Way, string, boolean][] = [
    ['players', 'Demo players', players.length > 0],
    ['paste', 'Paste a code', true],
    ['camera', 'Scan with the camera', hasCamera],
  ];
  return (
    <section className="box" aria-labelledby="who">
      <div className="head">
        <h2 className="display" id="who" tabIndex={-1}>
          Who plays?
        </h2>
      </div>
      {way === 'players' && (
        <>
          <fieldset>
            <legend className="sr">Demo player</legend>
            <div className="who-list">
              {players.map((player) => (
                <Choice
                  key={player.uuid}
                  player={player}
                  chosen={player.uuid === chosen}
                  onChoose={() => onChoose(player.uuid)}
                />
              ))}
            </div>
          </fieldset>
          {chosen !== null && <Phone uuid={chosen} again={again} onHoldUp={() => onCode(chosen)} />}
        </>
      )}
      {way === 'paste' && <CodeForm error={error} onCode={onCode} onEdit={onEdit} />}
      {way === 'camera' && <Camera onCode={onCode} />}
      <div className="alt">
        {ways
          .filter(([name, , there]) => there && name !== way)
          .map(([name, words]) => (
            <button key={name} className="toggle" type="button" onClick={go(name)}>
              {words}
            </button>
          ))}
      </div>
    </section>
  );
}
