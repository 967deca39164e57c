import { PNG } from 'pngjs';
import { expect } from './fixtures.ts';
import type { Network } from './phone-network.ts';
import { readCode } from './profile-page.ts';

const [WIDTH, HEIGHT] = [390, 844];

/** The commands that WebDriver and WebDriver BiDi share. */
export type Tab = {
  goto(url: string): Promise<unknown>;
  /** Runs a function, given as source, with arguments as JSON. */
  run(code: string, args: unknown[]): Promise<unknown>;
  /** Performs actions of W3C WebDriver. */
  act(actions: unknown[]): Promise<unknown>;
  screenshot(): Promise<Buffer>;
  resize(width: number, height: number): Promise<unknown>;
};

export type PhoneBrowser = {
  tab: Tab;
  newTab(): Promise<Tab>;
  close(): Promise<void>;
};

const ROLES = {
  button: 'button',
  link: 'a[href]',
  textbox: 'input:not([type="checkbox"], [type="radio"])',
  checkbox: 'input[type="checkbox"]:not([role])',
  radio: 'input[type="radio"]',
  switch: '[role="switch"]',
  heading: 'h1, h2',
  menuitem: '[role="menuitem"]',
  image: '[role="img"]',
  alert: '[role="alert"]',
};
type Role = keyof typeof ROLES;
type Found = {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Whether a tap on the middle of the element reaches it. */
  reached: boolean;
  /** Whether no animation moves the element. */
  still: boolean;
  /** How many earlier calls of `find` were followed by an animation frame. */
  frames: number;
};

const OFTEN = [20, 50, 100, 200];

/** Runs in the page: scrolls to the element with this role and name, and returns its box. */
function find(selector: string, name: string): Found | null {
  const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const nameOf = (element: Element) => {
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : null;
    const text = element.getAttribute('aria-label') ?? (label ?? element).textContent;
    return text?.replace(/\s+/g, ' ').trim();
  };
  const element = [...scope.querySelectorAll(selector)].find(
    (one) => one.checkVisibility() && nameOf(one) === name,
  );
  if (!element) return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  const reached =
    hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element) === true);
  const still = !document.getAnimations().some(({ effect, playState }) => {
    const moved = effect instanceof KeyframeEffect && effect.target?.contains(element);
    return moved && playState === 'running' && effect.getComputedTiming().endTime !== Infinity;
  });
  const page = window as { framesAfterLooks?: number };
  const frames = page.framesAfterLooks ?? 0;
  requestAnimationFrame(() => {
    page.framesAfterLooks = frames + 1;
  });
  return { x, y, width, height, reached, still, frames };
}

/** Finds elements by role and name, as a player does, and waits for them. */
export class Phone {
  readonly #tab: Tab;
  readonly #network: Network;

  private constructor(tab: Tab, network: Network) {
    this.#tab = tab;
    this.#network = network;
  }

  static async open(tab: Tab, network: Network): Promise<Phone> {
    await tab.resize(WIDTH, HEIGHT);
    return new Phone(tab, network);
  }

  goto(path: string): Promise<unknown> {
    return this.#tab.goto(this.#network.url + path);
  }

  run<A extends unknown[], R>(code: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return this.#tab.run(String(code), args) as Promise<Awaited<R>>;
  }

  #poll(look: () => Promise<unknown>, message: string) {
    return expect.poll(look, { message, intervals: OFTEN });
  }

  /**
   * Waits until no request is pending, because an answer could move the element. Then waits until
   * two calls of `find` in a row return the same place. There is a frame between the calls, because
   * WebKit may otherwise return the old box of a finished animation.
   */
  async #still(role: Role, name: string): Promise<Found> {
    let found: Found | null = null;
    const stands = async () => {
      const before = found;
      found = await this.run(find, ROLES[role], name);
      // A tap cannot reach the code's image, because a button covers it.
      const same = found?.still && found.y === before?.y && found.frames !== before.frames;
      return same && this.#network.pending() === 0 && (found?.reached || role === 'image');
    };
    await this.#poll(stands, `${role} “${name}”`).toBe(true);
    return found as unknown as Found;
  }

  async tap(role: Role, name: string): Promise<void> {
    const { x, y, width, height } = await this.#still(role, name);
    const at = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    await this.#tab.act([
      {
        type: 'pointer',
        id: 'finger',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', duration: 0, ...at },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#tab.act([{ type: 'key', id: 'keys', actions }]);
  }

  async fill(label: string, text: string): Promise<void> {
    await this.tap('textbox', label);
    const focused = () => this.run(() => document.activeElement?.tagName);
    await this.#poll(focused, `the focus is in “${label}”`).toBe('INPUT');
    // The keys for “select all” depend on the system.
    await this.run(() => (document.activeElement as HTMLInputElement).select());
    await this.type(text);
  }

  /** Chooses an option of a select, as the phone's own picker does. */
  async choose(name: string, option: string): Promise<void> {
    await this.run(
      (select, text) => {
        const element = document.querySelector<HTMLSelectElement>(`select[name="${select}"]`);
        const chosen = [...(element?.options ?? [])].find((one) => one.text === text);
        if (!(element && chosen)) throw new Error(`There is no option ${text} in ${select}.`);
        element.value = chosen.value;
        element.dispatchEvent(new Event('change', { bubbles: true }));
      },
      name,
      option,
    );
  }

  async see(role: Role, name: string): Promise<void> {
    const look = () => this.run(find, ROLES[role], name);
    await this.#poll(look, `${role} “${name}”`).not.toBeNull();
  }

  /** Waits until a visible element's text matches. */
  async read(pattern: RegExp): Promise<void> {
    await this.#poll(() => this.#reads(pattern), `${pattern}`).toBe(true);
  }

  async readNot(pattern: RegExp): Promise<void> {
    await this.#poll(() => this.#reads(pattern), `no ${pattern}`).toBe(false);
  }

  #reads({ source, flags }: RegExp): Promise<boolean> {
    const reads = (from: string, having: string) => {
      const pattern = new RegExp(from, having);
      return [...document.querySelectorAll('body *')].some(
        (element) => pattern.test(element.textContent.trim()) && element.checkVisibility(),
      );
    };
    return this.run(reads, source, flags);
  }

  async expectCode(text: string, ink: string): Promise<void> {
    const scan = async () => {
      const { x, y, width, height } = await this.#still('image', 'Player QR code');
      const picture = PNG.sync.read(await this.#tab.screenshot());
      const scale = picture.width / (await this.run(() => window.innerWidth));
      const [left, top, wide, high] = [x, y, width, height].map((side) => Math.round(side * scale));
      const code = new PNG({ width: wide ?? 0, height: high ?? 0 });
      PNG.bitblt(picture, code, left, top, wide, high);
      return readCode(code);
    };
    await this.#poll(scan, 'the code').toEqual({ text, ink });
  }

  path(): Promise<string> {
    return this.run(() => window.location.pathname);
  }

  /** What WATCH noted in this tab (phone-network.ts). */
  async noise(): Promise<string[]> {
    return (await this.run(() => sessionStorage.getItem('noise') ?? ''))
      .split('\n')
      .filter(Boolean);
  }
}
