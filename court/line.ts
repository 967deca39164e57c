export type Call = {
  id: number;
  at: Date;
  method: string;
  path: string;
  sent: string | null;
  /** `pending` before the answer; null if none came. */
  status: number | 'pending' | null;
  came: string | null;
  /** When the machine sends the report again. */
  note: string | null;
};

const SHOWN = 60;

/**
 * The machine's network cable: makes and records calls. Pulling it breaks the running calls, and
 * new ones fail until it is plugged in.
 */
export class Line {
  readonly #onChange: () => void;
  #calls: readonly Call[] = [];
  #made = 0;
  #cut = new AbortController();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Newest first. Each change makes a new array. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  get plugged(): boolean {
    return !this.#cut.signal.aborted;
  }

  plug(plugged: boolean): void {
    if (plugged) this.#cut = new AbortController();
    else this.#cut.abort(new TypeError('The line is cut.'));
    this.#onChange();
  }

  /** Adds a note to the newest report: when the machine will send it again. */
  noteRetry(pauseMs: number): void {
    const newest = this.#calls.find(({ method }) => method === 'POST');
    if (!newest) return;
    const why =
      newest.status === null ? `${this.plugged ? 'No answer.' : 'The line is cut.'} ` : '';
    this.#update(newest.id, {
      note: `${why}Next try in ${Math.max(1, Math.round(pauseMs / 1000))} s.`,
    });
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    this.#made += 1;
    const id = this.#made;
    const call: Call = {
      id,
      at: new Date(),
      method: init.method ?? 'GET',
      path: new URL(String(input)).pathname,
      sent: typeof init.body === 'string' ? init.body : null,
      status: 'pending',
      came: null,
      note: null,
    };
    this.#calls = [call, ...this.#calls].slice(0, SHOWN);
    this.#onChange();
    try {
      const signals = [this.#cut.signal, ...(init.signal ? [init.signal] : [])];
      const signal = AbortSignal.any(signals);
      signal.throwIfAborted();
      const response = await fetch(input, { ...init, signal });
      const came = await response.clone().text();
      this.#update(id, { status: response.status, came });
      return response;
    } catch (error) {
      this.#update(id, { status: null });
      throw error;
    }
  };

  #update(id: number, change: Partial<Call>): void {
    this.#calls = this.#calls.map((call) => (call.id === id ? { ...call, ...change } : call));
    this.#onChange();
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A `curl` command that repeats a call, with the machine key. */
export function asCurl(call: Call, url: string, key: string): string {
  return [
    `curl -X ${call.method} ${quoted(new URL(call.path, url).href)}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    ...(call.sent === null
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(call.sent)}`]),
  ].join(' \\\n  ');
}

/** The path with shortened uuids. */
export function shortPath(path: string): string {
  return path.replace(/([0-9a-f]{4})[0-9a-f-]{28}([0-9a-f]{4})/gi, '$1…$2');
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Request and response, with indented JSON, and the note; null if all are missing. */
export function transcript({ sent, came, note }: Call): string | null {
  const parts = [
    ...(sent === null ? [] : [`→ ${pretty(sent)}`]),
    ...(came === null ? [] : [sent === null ? pretty(came) : `← ${pretty(came)}`]),
    ...(note === null ? [] : [note]),
  ];
  return parts.length === 0 ? null : parts.join('\n');
}
