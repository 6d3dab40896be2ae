import type { Frame } from "@/components/charts/frame";
import { stepPath } from "@/components/charts/step-path";
import { useReplay } from "../state/replay-data";

/** What every request would have sent: a line over the columns, on the same scale. */
export function SimulatedSent({ frame }: { readonly frame: Frame }) {
  const { simulated } = useReplay();
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0"
      width={frame.width}
      height={frame.bottom}
      data-testid="simulated-sent"
    >
      <path
        d={stepPath(simulated.context, frame.x, frame.y, frame)}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.75"
      />
    </svg>
  );
}
