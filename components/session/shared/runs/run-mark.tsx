import { runStyle } from "./run-style";

export function RunLetter({ index }: { readonly index: number }) {
  const { letter, colour } = runStyle(index);
  return (
    <span
      className="inline-flex size-4.5 shrink-0 items-center justify-center rounded-sm text-sm font-semibold text-bg"
      style={{ backgroundColor: colour }}
    >
      {letter}
    </span>
  );
}

/** A short piece of a run's line. */
export function RunLine({ index }: { readonly index: number }) {
  const { colour, dash } = runStyle(index);
  return (
    <svg aria-hidden="true" width="20" height="4" className="shrink-0">
      <line x2="20" y1="2" y2="2" stroke={colour} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  );
}
