import { useCallback, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { boundariesOf } from "@/lib/core/columns/columns";
import { type BoundaryKind, boundaryKind } from "../boundaries/kinds";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { boundaryMarks, type DrawnBoundary, type Marks } from "./boundary-marks";
import { isNarrow } from "./geometry";

type NameOf = (kind: BoundaryKind, count: number) => string;

/** Names a number of boundaries of a kind, in words. */
export function useRunName(): NameOf {
  const t = useTranslations("session.boundary.run");
  return useCallback((kind, count) => t(kind, { count }), [t]);
}

interface RecordedBoundary extends DrawnBoundary {
  readonly kind: BoundaryKind;
}

/** The recorded boundaries of a frame: compactions, and the clearings that a file records besides. */
export function useRecordedMarks(frame: Frame): Marks {
  const format = useFormat();
  const nameOf = useRunName();
  const { columns } = useSession();
  const { recorded } = useRecorded();
  return useMemo(() => {
    const clearings = boundariesOf(columns, "clearing").map((row): RecordedBoundary => {
      return { request: columns.boundaries.request[row] ?? 0, tokensBefore: 0, tokensAfter: 0, kind: "clearing" };
    });
    const compactions = recorded.compactions.map(({ request, tokensBefore, tokensAfter }): RecordedBoundary => {
      return { request, tokensBefore, tokensAfter, kind: "compaction" };
    });
    return boundaryMarks([...compactions, ...clearings].sort(byRequest), frame, {
      kindOf: ({ kind }) => kind,
      short: format.short,
      nameOf: isNarrow(frame) ? undefined : nameOf,
    });
  }, [columns, recorded, frame, format, nameOf]);
}

/** The simulated boundaries of a frame. The lines of the recorded ones cross their lane. */
export function useSimulatedMarks(frame: Frame): Marks {
  const format = useFormat();
  const nameOf = useRunName();
  const { simulated, choice } = useReplay();
  const recorded = useRecordedMarks(frame);
  return boundaryMarks(simulated.compactions, frame, {
    kindOf: (compaction) => boundaryKind(compaction, choice.policy),
    short: format.short,
    nameOf: isNarrow(frame) ? undefined : nameOf,
    crossing: recorded.lines.map(({ px }) => px),
  });
}

function byRequest(one: DrawnBoundary, other: DrawnBoundary): number {
  return one.request - other.request;
}
