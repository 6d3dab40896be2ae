import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { stepPath } from "@/components/charts/step-path";
import { useReplay } from "../state/replay-data";

/** What every request would have sent: a line over the columns, on the same scale. */
export function SimulatedSent({ frame }: { readonly frame: Frame }) {
  const { simulated } = useReplay();
  return (
    <Layer frame={frame} height={frame.bottom} data-testid="simulated-sent">
      <path
        d={stepPath(simulated.context, frame.x, frame.y, frame)}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.75"
      />
    </Layer>
  );
}
