import { useCursorActions } from "../state/cursor";
import { useSession } from "../state/session-data";
import { useRange } from "../state/view";
import { revealing } from "../state/zoom";

/** Points at a request, and moves the visible range to include it. */
export function useReveal(): (request: number) => void {
  const { points } = useSession();
  const actions = useCursorActions();
  const [range, setRange] = useRange();
  return (request) => {
    actions.pin(request);
    setRange(revealing(range, points, request));
  };
}
