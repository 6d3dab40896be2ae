/** The logo: two climbs with a boundary between them. */
export function Logo() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" className="shrink-0">
      <path d="M1 16V13L9 5V16Z" className="fill-t1" />
      <path d="M10 16V12L17 7V16Z" className="fill-t1 opacity-45" />
      <path d="M9.5 1V17" className="fill-none stroke-accent" strokeWidth="1.5" />
    </svg>
  );
}
