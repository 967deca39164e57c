import type { ReactNode } from 'react';
import { needsHand } from '#contract/rules/machines.ts';
import type { MachineStateWord } from '#contract/wire/machines.ts';

/** The drawings' shapes differ, so nobody depends on colour. */
function Drawing({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg className="i" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      {children}
    </svg>
  );
}
const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2.2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const cut = { ...line, stroke: 'var(--surface)', strokeWidth: 2.6 } as const;

export const PlayingIcon = () => (
  <Drawing>
    <circle cx="12" cy="12" r="10" fill="currentColor" />
    <path d="M9.5 7.5v9l7-4.5z" fill="var(--surface)" />
  </Drawing>
);
export const IdleIcon = () => (
  <Drawing>
    <circle cx="12" cy="12" r="8.5" {...line} />
  </Drawing>
);
export const SilentIcon = () => (
  <Drawing>
    <circle cx="12" cy="12" r="10" fill="currentColor" />
    <path d="M12 6.6v6.2M12 16.9v.2" {...cut} />
  </Drawing>
);
export const RefusedIcon = () => (
  <Drawing>
    <rect x="2.5" y="2.5" width="19" height="19" rx="5" fill="currentColor" />
    <path d="m8.3 8.3 7.4 7.4M15.7 8.3l-7.4 7.4" {...cut} />
  </Drawing>
);
export const ClockIcon = () => (
  <Drawing>
    <circle cx="12" cy="12" r="8.8" {...line} />
    <path d="M12 7v5.2l3.4 2" {...line} />
  </Drawing>
);
export const RepairIcon = () => (
  <Drawing>
    <path
      d="M20 7.2a5 5 0 0 1-6.6 6L7.2 19.4a2 2 0 0 1-2.8-2.8l6.2-6.2a5 5 0 0 1 6-6.6L13.7 6.7l3.6 3.6z"
      {...line}
    />
  </Drawing>
);
export const HeldIcon = () => (
  <Drawing>
    <circle cx="12" cy="12" r="10" fill="currentColor" />
    <path d="M9.5 8.5v7M14.5 8.5v7" {...cut} />
  </Drawing>
);
export const ReportIcon = () => (
  <Drawing>
    <path
      d="M5 3.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-6l-4.5 4v-4H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z"
      fill="currentColor"
    />
    <path d="M12 6.6v4M12 13.4v.1" {...cut} />
  </Drawing>
);
export const WellDrawing = ({ size = 20 }: { size?: number }) => (
  <Drawing size={size}>
    <circle cx="12" cy="12" r="10" fill="currentColor" />
    <path d="m7.5 12.3 3.1 3.1 5.9-6.3" {...cut} />
  </Drawing>
);

const ICONS: Record<MachineStateWord, () => ReactNode> = {
  playing: PlayingIcon,
  idle: IdleIcon,
  closed: IdleIcon,
  silent: SilentIcon,
  refused: RefusedIcon,
  clock: ClockIcon,
  repair: RepairIcon,
};

export const StateIcon = ({ state }: { state: MachineStateWord }) => ICONS[state]();

export function State({ state, words }: { state: MachineStateWord; words: string }) {
  const bad = needsHand({ state, revoked: false });
  const look = bad ? ' st--bad' : state === 'playing' ? '' : ' st--off';
  return (
    <span className={`st${look}`}>
      <StateIcon state={state} />
      {words}
    </span>
  );
}
