import { Axes, tokenTicks } from "@/components/charts/axes";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { timeMarks } from "./time-marks";
import { handleY } from "./trigger-handle";

/** Half the height of a label, half the height of the handle, and the air between them. */
const CLEAR_PX = 18;

/** The axes. A label that the handle would partly cover is left out. */
export function TimelineAxes({ frame }: { readonly frame: Frame }) {
  const format = useFormat();
  const { threshold } = useReplay();
  const { columns } = useSession();
  const marks = frame.places === undefined ? undefined : timeMarks(frame, columns.requests.at, format.time);
  const covered = tokenTicks(frame).find(
    (tick) => threshold !== undefined && Math.abs(frame.y.px(tick) - handleY(frame, threshold)) < CLEAR_PX,
  );
  return <Axes frame={frame} compact={format.short} covered={covered} marks={marks} />;
}
