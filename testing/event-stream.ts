import type { LiveEvent } from '#contract/rules/live.ts';

export type EventStream = {
  answer: Response;
  /** All events so far; `beat` is a heartbeat. */
  all: (LiveEvent | 'beat')[];
  /** The next event that is not a heartbeat. */
  next(): Promise<LiveEvent>;
  ended: Promise<void>;
  close(): void;
};

/** @throws Error if the status is not 200 */
export async function openEvents(url: string, access: string): Promise<EventStream> {
  const hangUp = new AbortController();
  const answer = await fetch(`${url}/api/users/profile/events/`, {
    headers: { authorization: `Bearer ${access}` },
    signal: hangUp.signal,
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`answered ${answer.status}`);
  const all: EventStream['all'] = [];
  let given = 0;
  let wake = () => {};
  const ended = (async (body) => {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n')) {
        const [first = ''] = text.slice(0, at).split('\n');
        all.push(first === ':' ? 'beat' : (first.replace(/^event: /, '') as LiveEvent));
        text = text.slice(at + 2);
      }
      wake();
    }
  })(answer.body);
  // A rejection after `close` is not an error.
  ended.catch(() => undefined);
  return {
    answer,
    all,
    next: async () => {
      for (;;) {
        const event = all.filter((one) => one !== 'beat')[given];
        if (event !== undefined) {
          given += 1;
          return event;
        }
        await new Promise<void>((done, fail) => {
          wake = done;
          ended.then(() => fail(new Error('the stream ended')), fail);
        });
      }
    },
    ended,
    close: () => hangUp.abort(),
  };
}
