import type { ReactNode } from "react";
import { useSize } from "./use-size";

interface ChartBoxProps {
  /** Text for screen readers, which present the chart as one image. */
  readonly label: string;
  /** In pixels; if absent, the class sets the height. */
  readonly height?: number;
  readonly className?: string;
  readonly testId?: string;
  /** Renders the chart once the size of the box is known. */
  readonly children: (size: { readonly width: number; readonly height: number }) => ReactNode;
}

/** A box around a chart that is drawn to the box's size. */
export function ChartBox({ label, height, className, testId, children }: ChartBoxProps) {
  const [ref, size] = useSize<HTMLDivElement>();
  return (
    <div
      ref={ref}
      role="img"
      aria-label={label}
      className={className}
      data-testid={testId}
      {...(height !== undefined && { style: { height } })}
    >
      {size.width > 0 && children({ width: size.width, height: height ?? size.height })}
    </div>
  );
}

/** Props of an axis drawn by Recharts: size and colour of its labels, colour of its line. */
export const AXIS = { tick: { fill: "var(--t2)", fontSize: 11 }, stroke: "var(--line2)" };

/** Props of a tooltip drawn by Recharts. */
export const TOOLTIP = {
  isAnimationActive: false,
  contentStyle: {
    background: "var(--float)",
    border: "1px solid var(--line2)",
    borderRadius: 6,
    color: "var(--t1)",
    fontSize: 12,
    padding: "4px 8px",
  },
};
