import type { ReactNode } from "react";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { cn } from "@/components/ui/cn";
import { useView } from "../state/stores";
import { pointedRequest } from "../state/view";

/** The current request; `null` if there is none, or the chart does not show it. */
export function usePointed({ from, to }: Pick<Frame, "from" | "to">): number | null {
  const at = useView(pointedRequest);
  const { hover, pin } = useView("hover", "pin");
  return (hover ?? pin) === null || at < from || at >= to ? null : at;
}

interface CursorLineProps {
  readonly frame: Frame;
  readonly at: number;
  readonly testId?: string;
  /** Renders further parts of the cursor at the line's position. */
  readonly children?: (x: number) => ReactNode;
}

/** A line at the current request, and its number on the axis. */
export function CursorLine({ frame, at, testId, children }: CursorLineProps) {
  const x = Math.round(frame.x.px(at + 0.5)) + 0.5;
  const width = Math.max(28, String(at).length * 8 + 12);
  const tag = Math.max(frame.left, Math.min(frame.right - width, x - width / 2));
  return (
    <Layer frame={frame} data-testid={testId} data-request={at}>
      <line x1={x} x2={x} y1={frame.top - 8} y2={frame.bottom} className="stroke-t1" />
      {children?.(x)}
      <rect x={tag} y={frame.bottom + 4} width={width} height="18" rx="4" className="fill-t1" />
      <text x={tag + width / 2} y={frame.bottom + 17} textAnchor="middle" className="fill-bg text-sm font-semibold">
        {at}
      </text>
    </Layer>
  );
}

const GAP = 12;

interface CursorCardProps {
  readonly frame: Frame;
  readonly at: number;
  readonly width: number;
  readonly testId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A card next to the current request. It flips at the edge. */
export function CursorCard({ frame, at, width, testId, className, children }: CursorCardProps) {
  const x = frame.x.px(at + 0.5);
  const left = x + GAP + width <= frame.width ? x + GAP : Math.max(0, x - GAP - width);
  return (
    <div
      data-testid={testId}
      className={cn("floating pointer-events-none absolute top-1 z-20 p-3 text-sm", className)}
      style={{ left, width }}
    >
      {children}
    </div>
  );
}
