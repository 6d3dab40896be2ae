import { BANDS, type Band, type BandId } from "./bands";

/** The SVG fill of a band: its colour, or its pattern, which `BandDefs` defines once per page. */
export function bandPaint(band: Band): string {
  return band.fill === "solid" ? band.colour : `url(#band-${band.id})`;
}

/** The colour of text on a band. Text on a pattern has a plate in the background's colour. */
export function bandInk(band: Band | undefined): string {
  return band?.fill === "solid" ? band.colour.replace("--c-", "--i-") : "var(--t1)";
}

/** The hatched bands are the least certain ones, so they have the lightest ink: thin lines on a pale ground. */
const GROUND: Partial<Readonly<Record<BandId, string>>> = { inferred: "var(--sunk)", unattributed: "var(--bg)" };

/** The patterns of the bands, and the hatch of the autocompact buffer. Rendered once, anywhere on the page. */
export function BandDefs() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        {BANDS.filter(({ fill }) => fill !== "solid").map((band) => (
          <pattern key={band.id} id={`band-${band.id}`} width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" fill={GROUND[band.id] ?? band.colour} />
            <PatternMark band={band} />
          </pattern>
        ))}
        <pattern id="buffer-hatch" width="6" height="6" patternUnits="userSpaceOnUse">
          <path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="var(--hatch)" strokeWidth="1" />
        </pattern>
      </defs>
    </svg>
  );
}

function PatternMark({ band }: { readonly band: Band }) {
  if (band.fill === "dotted") return <path d="M1 2h2M5 6h2" stroke="var(--bg)" strokeWidth="1.2" />;
  // The two hatched bands lean in opposite directions.
  const lines = band.id === "inferred" ? "M-1 7l2 2M0 0l8 8M7 -1l2 2" : "M-1 1l2-2M0 8l8-8M7 9l2-2";
  return <path d={lines} stroke="var(--hatch)" strokeWidth="1" strokeOpacity="0.7" />;
}

interface SwatchProps {
  readonly band: Band;
  readonly className?: string;
}

/** The square that represents a band in legends and tables. */
export function Swatch({ band, className = "size-2" }: SwatchProps) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 8" className={`shrink-0 ${className}`}>
      <rect width="8" height="8" rx="1.5" fill={bandPaint(band)} />
    </svg>
  );
}
