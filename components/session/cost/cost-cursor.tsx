import type { Frame } from "@/components/charts/frame";
import { useCursor } from "../state/cursor";

/** The pointed request: a line, and its number on the axis. */
export function CostCursor({ frame }: { readonly frame: Frame }) {
  const { at, hover, pin } = useCursor();
  if ((hover ?? pin) === null || at < frame.from || at >= frame.to) return null;
  const x = Math.round(frame.x.px(at + 0.5)) + 0.5;
  const width = Math.max(28, String(at).length * 8 + 12);
  const tag = Math.max(frame.left, Math.min(frame.right - width, x - width / 2));
  return (
    <svg
      aria-hidden="true"
      data-testid="cost-cursor"
      data-request={at}
      className="pointer-events-none absolute inset-0"
      width={frame.width}
      height={frame.height}
    >
      <line x1={x} x2={x} y1={frame.top - 8} y2={frame.bottom} className="stroke-t1" />
      <rect x={tag} y={frame.bottom + 4} width={width} height="18" rx="4" className="fill-t1" />
      <text x={tag + width / 2} y={frame.bottom + 17} textAnchor="middle" className="fill-bg text-sm font-semibold">
        {at}
      </text>
    </svg>
  );
}
