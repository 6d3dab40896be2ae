/** ⟂, the sign of a compaction. A word stands beside it, or replaces it for screen readers. */
export function BoundaryMark() {
  return (
    <svg
      aria-hidden="true"
      width="11"
      height="11"
      viewBox="0 0 24 24"
      className="inline-block fill-none stroke-current"
    >
      <path d="M12 3v17M4 20h16" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}
