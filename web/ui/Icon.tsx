/** The small drawn signs beside messages. All decorative: the words carry the meaning. */

export function AlertIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill="currentColor" />
      <path
        d="M10 5.2v5.6M10 13.6v1.2"
        stroke="var(--surface)"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
}

export function DoneIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill="currentColor" />
      <path
        d="m6 10.3 2.7 2.7L14 7.6"
        fill="none"
        stroke="var(--on-navy)"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function NoSignalIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
    >
      <path d="M3 3l18 18M5.5 12.5a9.5 9.5 0 0 1 4.5-2.5M2 9a14.5 14.5 0 0 1 5-3.2M11.5 5A14.5 14.5 0 0 1 22 9M15 10.6a9.5 9.5 0 0 1 3.5 1.9M9 16a4.5 4.5 0 0 1 5.5-.5" />
      <circle cx="12" cy="19.2" r=".6" fill="currentColor" />
    </svg>
  );
}
