import type { Frame } from "@/components/charts/frame";
import { CursorLine, usePointed } from "../cursor-parts";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";

/** The pointed request, with a dot on each of the two context lines. */
export function CursorLayer({ frame }: { readonly frame: Frame }) {
  const at = usePointed(frame);
  const { recorded } = useRecorded();
  const { simulated } = useReplay();
  if (at === null) return null;
  const dot = (tokens: number | undefined): number => Math.max(frame.top, frame.y.px(tokens ?? 0));
  return (
    <CursorLine frame={frame} at={at} testId="cursor">
      {(x) => (
        <>
          <circle cx={x} cy={dot(simulated.context[at])} r="4" className="fill-bg stroke-accent" strokeWidth="1.75" />
          <circle cx={x} cy={dot(recorded.context[at])} r="4" className="fill-bg stroke-t1" strokeWidth="1.75" />
        </>
      )}
    </CursorLine>
  );
}
