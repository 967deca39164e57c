import { useState } from 'react';
import { copyText } from '../web/ui/copy.ts';
import { asCurl, type Call, shortPath, transcript } from './line.ts';

function status({ status: code }: Call): { words: string; bad: boolean } {
  if (code === 'pending') return { words: '…', bad: false };
  return { words: code === null ? 'no answer' : String(code), bad: code === null || code >= 400 };
}

/** Whether this call is unfolded at the top of the list, as reports and failed calls are. */
const isTelling = (call: Call): boolean => call.path.endsWith('/games/') || status(call).bad;

function Entry({ call, open }: { call: Call; open: boolean }) {
  const { words, bad } = status(call);
  const name = `${call.method} ${shortPath(call.path)}`;
  return (
    <li>
      <details open={open} data-call={call.id}>
        <summary>
          <time dateTime={call.at.toISOString()}>{call.at.toLocaleTimeString('en-GB')}</time>
          <code>{name}</code>
          <span className={`st ${bad ? 'st--bad' : ''}`}>{words}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <section className="transcript" tabIndex={0} aria-label={name}>
          <pre>{transcript(call) ?? 'Nothing came.'}</pre>
        </section>
      </details>
    </li>
  );
}

type WireProps = { calls: readonly Call[]; url: string; machineKey: string };

/** The machine's calls, newest first (LOOK-93). */
export function Wire({ calls, url, machineKey }: WireProps) {
  const [said, setSaid] = useState('');
  const [newest] = calls;
  const copy = async () => {
    if (!newest) return;
    // Copy the topmost unfolded call, otherwise the newest.
    const shown = document.querySelector<HTMLElement>('.wire details[open]')?.dataset.call;
    const call = calls.find(({ id }) => String(id) === shown) ?? newest;
    const copied = await copyText(asCurl(call, url, machineKey), document.querySelector('.wire'));
    setSaid(copied ? 'Copied' : 'The browser does not allow copying');
  };
  return (
    <section className="box" aria-labelledby="wire">
      <div className="head">
        <h2 className="display" id="wire">
          The wire
        </h2>
        <span>
          <span className="said" role="status">
            {said}
          </span>{' '}
          <button className="toggle" type="button" onClick={copy}>
            Copy as curl
          </button>
        </span>
      </div>
      <ol className="wire">
        {calls.map((call) => (
          <Entry key={call.id} call={call} open={call.id === newest?.id && isTelling(call)} />
        ))}
      </ol>
    </section>
  );
}
