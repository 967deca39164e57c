import type { ReactNode } from 'react';

/** Decorative: the words carry the meaning. */
function Line({ children }: { children: ReactNode }) {
  return (
    <svg
      className="i"
      viewBox="0 0 24 24"
      width="22"
      height="22"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

export const KeyIcon = () => (
  <Line>
    <path d="m11.3 12.2 8.2-8.2m-3.5 3.5 2.8 2.8" />
    <circle cx="8" cy="15.5" r="4.5" />
  </Line>
);

export const AlertIcon = () => (
  <Line>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5v5.2M12 16.2v.1" />
  </Line>
);

export const LockIcon = () => (
  <Line>
    <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" />
  </Line>
);

export const InboxIcon = () => (
  <Line>
    <path d="M3 13.5 6 4.5h12l3 9v5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18.5zM3 13.5h5l1.3 2.5h5.4l1.3-2.5h5" />
  </Line>
);

export const LeaguesIcon = () => (
  <Line>
    <path d="M7 4h10v6a5 5 0 0 1-10 0zM7 6H3.5v1.5A3.5 3.5 0 0 0 7 11M17 6h3.5v1.5A3.5 3.5 0 0 1 17 11M12 15v5M8 20h8" />
  </Line>
);

export const PlayersIcon = () => (
  <Line>
    <path d="M8 3.5 4 6v5l2.5-.5V20.5h11V10.5L20 11V6l-4-2.5c-.6 2.7-1.9 4-4 4s-3.4-1.3-4-4z" />
  </Line>
);

export const MoreIcon = () => (
  <Line>
    <path d="M4 8h16M4 16h10" />
  </Line>
);

export const BackIcon = () => (
  <Line>
    <path d="M15 5l-7 7 7 7" />
  </Line>
);

export const NextIcon = () => (
  <Line>
    <path d="m9 5 7 7-7 7" />
  </Line>
);

export const InfoIcon = () => (
  <Line>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.6v.1" />
  </Line>
);

export const NoSignalIcon = () => (
  <Line>
    <path d="M4 4l16 16M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.4m4.5-.4A10 10 0 0 1 19 12M12 19h.1M2 8.5a15 15 0 0 1 4-2.6m4.3-1.2A15 15 0 0 1 22 8.5" />
  </Line>
);

export const TabletIcon = () => (
  <Line>
    <rect x="4.5" y="2.5" width="15" height="19" rx="2.5" />
    <path d="M11 18.5h2" />
  </Line>
);

export const PhoneIcon = () => (
  <Line>
    <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
    <path d="M11 18.5h2" />
  </Line>
);

export const ComputerIcon = () => (
  <Line>
    <rect x="4.5" y="5" width="15" height="10.5" rx="2" />
    <path d="M2.5 19h19" />
  </Line>
);

export const CrossIcon = () => (
  <Line>
    <path d="m6 6 12 12M18 6 6 18" />
  </Line>
);

export const PlusIcon = () => (
  <Line>
    <path d="M12 5v14M5 12h14" />
  </Line>
);

export const TickIcon = () => (
  <Line>
    <path d="m4.5 12.5 5 5L19.5 7" />
  </Line>
);

export const PrintIcon = () => (
  <Line>
    <path d="M7 8V3.5h10V8M7 17H4.5A1.5 1.5 0 0 1 3 15.5v-6A1.5 1.5 0 0 1 4.5 8h15A1.5 1.5 0 0 1 21 9.5v6a1.5 1.5 0 0 1-1.5 1.5H17M7 14h10v6.5H7z" />
  </Line>
);

export const CopyIcon = () => (
  <Line>
    <rect x="8" y="8" width="12" height="12.5" rx="2.5" />
    <path d="M16 8V5.5A2 2 0 0 0 14 3.5H6a2 2 0 0 0-2 2V14a2 2 0 0 0 2 2h2" />
  </Line>
);

export function TonightIcon() {
  return (
    <svg
      className="i"
      viewBox="0 0 24 24"
      width="22"
      height="22"
      aria-hidden="true"
      fill="currentColor"
    >
      <path d="M21.4 9.6V5.4A3.4 3.4 0 0 0 18 2H5.4A3.4 3.4 0 0 0 2 5.4V18a3.4 3.4 0 0 0 3.4 3.4h4.2A8 8 0 0 1 9.8 18H6.5a.5.5 0 0 1-.5-.5v-11a.5.5 0 0 1 .5-.5h11a.5.5 0 0 1 .5.5v3.3a8 8 0 0 1 3.4-.2z" />
      <circle cx="17.3" cy="17.3" r="4.9" />
    </svg>
  );
}

export function WellIcon() {
  return (
    <svg
      className="i ok"
      viewBox="0 0 24 24"
      width="22"
      height="22"
      aria-hidden="true"
      fill="currentColor"
    >
      <circle cx="12" cy="12" r="10" />
      <path
        d="m7.5 12.3 3.1 3.1 5.9-6.3"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function TroubleIcon() {
  return (
    <svg
      className="i bad"
      viewBox="0 0 24 24"
      width="22"
      height="22"
      aria-hidden="true"
      fill="currentColor"
    >
      <circle cx="12" cy="12" r="10" />
      <path
        d="M12 6.6v6.2M12 16.9v.2"
        stroke="var(--surface)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Shown while the page waits for somebody. */
export const RingIcon = () => (
  <Line>
    <circle cx="12" cy="12" r="8.5" />
  </Line>
);

export const ScreenIcon = () => (
  <Line>
    <rect x="3" y="4.5" width="18" height="12" rx="2" />
    <path d="M8.5 20h7" />
  </Line>
);

export const UpIcon = () => (
  <Line>
    <path d="m6 14.5 6-6 6 6" />
  </Line>
);

export const DownIcon = () => (
  <Line>
    <path d="m6 9.5 6 6 6-6" />
  </Line>
);

/** A screen is on. */
export const OnIcon = () => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <circle cx="12" cy="12" r="10" fill="currentColor" />
    <path d="m10 8 6 4-6 4Z" fill="var(--surface)" />
  </svg>
);

/** A screen is off, or does not call. */
export const OffIcon = () => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" strokeWidth="3" />
  </svg>
);
