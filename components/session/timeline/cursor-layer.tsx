import type { Frame } from "@/components/charts/frame";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";

/** The pointed request: a vertical line, a dot on each of the two context lines, and its number on the axis. */
export function CursorLayer({ frame }: { readonly frame: Frame }) {
  const { at, hover, pin } = useCursor();
  const { recorded } = useRecorded();
  const { simulated } = useReplay();
  if ((hover ?? pin) === null || at < frame.from || at >= frame.to) return null;
  const x = Math.round(frame.x.px(at + 0.5)) + 0.5;
  const label = String(at);
  const width = Math.max(28, label.length * 8 + 12);
  const tag = Math.max(frame.left, Math.min(frame.right - width, x - width / 2));
  const dot = (tokens: number | undefined): number => Math.max(frame.top, frame.y.px(tokens ?? 0));
  return (
    <svg
      aria-hidden="true"
      data-testid="cursor"
      className="pointer-events-none absolute inset-0"
      width={frame.width}
      height={frame.height}
    >
      <line x1={x} x2={x} y1={frame.top - 8} y2={frame.bottom} className="stroke-t1" />
      <circle cx={x} cy={dot(simulated.context[at])} r="4" className="fill-bg stroke-accent" strokeWidth="1.75" />
      <circle cx={x} cy={dot(recorded.context[at])} r="4" className="fill-bg stroke-t1" strokeWidth="1.75" />
      <rect x={tag} y={frame.bottom + 4} width={width} height="18" rx="4" className="fill-t1" />
      <text x={tag + width / 2} y={frame.bottom + 17} textAnchor="middle" className="fill-bg text-sm font-semibold">
        {label}
      </text>
    </svg>
  );
}
