import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { KindChip } from "@/components/ui/chip";
import type { SessionSummary } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { turnOfRequest } from "@/lib/core/metrics/growth";
import type { BoundaryEntry } from "../shared/boundaries/entries";
import { useBoundaryName } from "../shared/boundaries/use-boundary-name";
import { useSession } from "../shared/state/session-data";
import { usePlaces } from "../shared/state/use-places";

interface BoundaryHeadingProps {
  readonly entry: BoundaryEntry;
  readonly policy: string;
}

/** The boundary's name, whether it was recorded or which policy simulated it, and when it happened as far as that is known. */
export function BoundaryHeading({ entry, policy }: BoundaryHeadingProps) {
  const t = useTranslations("session.boundary");
  const kind = useTranslations("common.kind");
  const nameOf = useBoundaryName();
  const { openRequest } = usePlaces();
  const { request } = entry.compaction;
  const simulated = entry.kind === "simulated";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="text-lg font-semibold">{t("heading", { kind: nameOf(entry), request })}</h2>
      <KindChip kind={simulated ? "estimated" : "measured"} label={simulated ? kind("simulated") : kind("recorded")} />
      <When entry={entry} policy={policy} />
      <Button onClick={() => openRequest(request, "timeline")}>{t("showOnTimeline")}</Button>
    </div>
  );
}

/** The policy, for a simulated boundary; time, turn and duration where known; a remark where the trigger is not known. */
function When({ entry, policy }: BoundaryHeadingProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { columns, summary } = useSession();
  const { at, turn, took } = boundaryWhen(entry, columns, summary.compactions);
  const said = entry.kind === "recorded" ? summary.compactions[entry.ordinal] : undefined;
  const { filesIncluded, parentUuid } = said ?? {};
  const facts = [
    ...(entry.kind === "simulated" ? [t("by", { policy })] : []),
    ...(turn === undefined ? [] : [t("turn", { turn })]),
    ...(took === undefined ? [] : [t("took", { duration: format.duration(took) })]),
    ...(entry.compaction.trigger === "unknown" ? [t("trigger.unknown")] : []),
    ...(filesIncluded == null || filesIncluded.length === 0
      ? []
      : [t("filesIncluded", { files: format.list(filesIncluded) })]),
    ...(parentUuid == null ? [] : [t("parentUuid", { id: parentUuid })]),
  ];
  return (
    <span className="grow text-sm text-t2" data-testid="boundary-when">
      {at !== undefined && (
        <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
          {format.time(at)}
        </time>
      )}
      {at !== undefined && facts.length > 0 && format.list(["", ""])}
      {format.list(facts)}
    </span>
  );
}

/** When a boundary happened, as far as that is known. */
interface BoundaryWhen {
  /** When it happened, in ms; absent for simulated boundaries, which happened at no time. */
  readonly at: number | undefined;
  /** Turn of the request that follows it, counted from 0; absent before a person's first message. */
  readonly turn: number | undefined;
  /** How long it took, in ms, where the file says. */
  readonly took: number | undefined;
}

/**
 * When a boundary happened.
 * @param recorded what the file says of its compactions, in order
 */
export function boundaryWhen(
  { kind, ordinal, compaction }: Pick<BoundaryEntry, "kind" | "ordinal" | "compaction">,
  columns: SessionColumns,
  recorded: SessionSummary["compactions"],
): BoundaryWhen {
  const said = kind === "recorded" ? recorded[ordinal] : undefined;
  const turn = turnOfRequest(columns, compaction.request);
  return {
    at: said?.at == null ? undefined : Date.parse(said.at),
    turn: turn < 0 ? undefined : turn,
    took: said?.durationMs ?? undefined,
  };
}
