import { useMemo } from "react";
import type { Sparkline as SparklineData } from "@/lib/api/types";
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPaths } from "./sparkline-path";

interface SparklineProps {
  readonly data: SparklineData;
  readonly requests: number;
  /** What it shows, in words. */
  readonly label: string;
}

/** Context over the session, as a share of the window. The dotted line is 100 %, ⟂ a recorded compaction. */
export function Sparkline({ data, requests, label }: SparklineProps) {
  const { line, area, ticks, ceiling, floor } = useMemo(() => sparkPaths(data, requests), [data, requests]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-6 w-full fill-none [&_path]:[vector-effect:non-scaling-stroke]"
    >
      <path d={`M0 ${ceiling + 0.5}H${SPARK_WIDTH}`} className="stroke-line2" strokeDasharray="1 3" />
      <path d={area} className="fill-c-results" />
      <path d={line} className="stroke-c-assistant" />
      <path d={`M0 ${floor + 0.5}H${SPARK_WIDTH}`} className="stroke-line" />
      <path d={ticks} className="stroke-t1" strokeWidth="1.25" />
    </svg>
  );
}
