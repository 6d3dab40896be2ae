import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import type { Frame } from "./frame";

interface LayerProps extends ComponentProps<"svg"> {
  readonly frame: Frame;
}

/** A drawing over a chart, in the chart's own pixels. The pointer goes through it. */
export function Layer({ frame, className, ...props }: LayerProps) {
  return (
    <svg
      aria-hidden="true"
      className={cn("pointer-events-none absolute inset-0", className)}
      width={frame.width}
      height={frame.height}
      {...props}
    />
  );
}

/** A layer that covers the plot only, and clips what exceeds it. */
export function PlotLayer({ frame, className, ...props }: LayerProps) {
  return (
    <Layer
      frame={frame}
      className={cn("inset-auto overflow-hidden", className)}
      style={{ left: frame.left, top: frame.top }}
      width={frame.plotWidth}
      height={frame.plotHeight}
      viewBox={`${frame.left} ${frame.top} ${frame.plotWidth} ${frame.plotHeight}`}
      {...props}
    />
  );
}
