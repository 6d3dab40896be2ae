import { BOUNDARY } from "@/lib/core/columns/columns";
import { useCursor } from "../state/cursor";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { type Against, type Side, VIEW_PARSERS } from "../state/url-state";
import { useAddress } from "../state/use-address";
import { useView } from "../state/view";
import { type BaseChoice, baseChoices } from "./difference";

const PARSERS = { against: VIEW_PARSERS.against };

/** One context of the session: the recorded or the simulated one, at a request. */
export interface ContextPlace {
  readonly side: Side;
  readonly request: number;
}

export interface Base {
  readonly against: Against | null;
  readonly setAgainst: (against: Against | null) => void;
  /** What the shown context is compared with, if with anything. */
  readonly base: ContextPlace | undefined;
  readonly choices: readonly BaseChoice[];
}

/** What the composition at the cursor is compared with. */
export function useBase(): Base {
  const { columns, points } = useSession();
  const { simulated } = useReplay();
  const { at } = useCursor();
  const { side } = useView();
  const [{ against }, update] = useAddress(PARSERS);
  const { request, kind } = columns.boundaries;
  const boundaries =
    side === "recorded"
      ? Array.from(request).filter((_, row) => kind[row] !== BOUNDARY.clearing)
      : simulated.compactions.map((compaction) => compaction.request);
  return {
    against,
    setAgainst: (next) => void update({ against: next }),
    base: against === null ? undefined : placeOf(against, { side, request: at }, points),
    choices: baseChoices(at, boundaries),
  };
}

function placeOf(against: Against, { side, request }: ContextPlace, points: number): ContextPlace {
  if (against === "other") return { side: side === "recorded" ? "policy" : "recorded", request };
  return { side, request: Math.min(against, points - 1) };
}
