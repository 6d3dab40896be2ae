import { useCallback, useDeferredValue, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { boundariesOf } from "@/lib/core/columns/columns";
import type { Replay } from "@/lib/core/compaction/replay";
import { type SummaryBand, summaryBand } from "@/lib/queries/boundaries/summary-band";
import { type BoundaryKind, boundaryKind, sizeAfter } from "../boundaries/entries";
import type { ReplayState } from "../state/replay";
import { useReplay, useSession } from "../state/stores";
import { boundaryMarks, type DrawnBoundary, type Marks } from "./boundary-marks";
import { isNarrow } from "./geometry";

type NameOf = (kind: BoundaryKind, count: number) => string;

/** Names a number of boundaries of a kind, in words. */
export function useRunName(): NameOf {
  const t = useTranslations("session.boundary.run");
  return useCallback((kind, count) => t(kind, { count }), [t]);
}

/** Writes the context's size at a boundary, which is unknown after the last request. */
export function useShortSize(): (tokens: number | null) => string {
  const t = useTranslations("common.value");
  const format = useFormat();
  return useCallback((tokens) => (tokens === null ? t("na") : format.short(tokens)), [t, format]);
}

interface RecordedBoundary extends DrawnBoundary {
  readonly kind: BoundaryKind;
}

/** The recorded boundaries of a frame: compactions, and the clearings that a file records as well. */
export function useRecordedMarks(frame: Frame): Marks {
  const short = useShortSize();
  const nameOf = useRunName();
  const { columns, recorded } = useSession("columns", "recorded");
  return useMemo(() => {
    const clearings = boundariesOf(columns, "clearing").map((row): RecordedBoundary => {
      return { request: columns.boundaries.request[row] ?? 0, tokensBefore: 0, tokensAfter: 0, kind: "clearing" };
    });
    const compactions = recorded.compactions.map((compaction): RecordedBoundary => {
      const { request, tokensBefore } = compaction;
      return { request, tokensBefore, tokensAfter: sizeAfter(compaction, columns), kind: "compaction" };
    });
    return boundaryMarks([...compactions, ...clearings].sort(byRequest), frame, {
      kindOf: ({ kind }) => kind,
      short,
      nameOf: isNarrow(frame) ? undefined : nameOf,
    });
  }, [columns, recorded, frame, short, nameOf]);
}

/** The simulated boundaries of a frame. The lines of the recorded ones cross their lane. */
export function useSimulatedMarks(frame: Frame): Marks {
  const short = useShortSize();
  const nameOf = useRunName();
  const { simulated, choice } = useReplay("simulated", "choice");
  const recorded = useRecordedMarks(frame);
  return boundaryMarks(simulated.compactions, frame, {
    kindOf: (compaction) => boundaryKind(compaction, choice.policy),
    short,
    nameOf: isNarrow(frame) ? undefined : nameOf,
    crossing: recorded.lines.map(({ px }) => px),
  });
}

function byRequest(one: DrawnBoundary, other: DrawnBoundary): number {
  return one.request - other.request;
}

/** Range of the simulated context for different summary sizes; absent if unknown. Two more replays, so it may lag behind a slider. */
export function useSummaryBand(): SummaryBand | undefined {
  return bandOf(useDeferredValue(useReplay("choice", "simulated", "over")));
}

/** One band per replay, shared by all readers. */
const bands = new WeakMap<Replay, SummaryBand | "none">();

function bandOf({
  choice,
  simulated,
  over,
}: Pick<ReplayState, "choice" | "simulated" | "over">): SummaryBand | undefined {
  const band = bands.get(simulated) ?? summaryBand(choice, simulated, choice.counting, over) ?? "none";
  bands.set(simulated, band);
  return band === "none" ? undefined : band;
}
