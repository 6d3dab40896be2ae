import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { KindChip } from "@/components/ui/chip";
import { turnOfRequest } from "@/lib/core/analysis/growth";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { SyntheticItem } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec, Settings } from "@/lib/core/compaction/policy/settings";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { thresholdRuleAt } from "@/lib/core/compaction/threshold-rule";
import type { SessionSummary } from "@/lib/queries/contract/types";
import { chosenOf } from "@/lib/queries/session/session-context";
import type { BoundaryEntry } from "../shared/boundaries/entries";
import { boundaryFlags, useBoundaryName } from "../shared/boundaries/flags";
import { useReplay, useSession, useViewActions } from "../shared/state/stores";
import { useAddedLabel } from "./items/item-table";

interface BoundaryHeadingProps {
  readonly entry: BoundaryEntry;
  readonly policy: string;
}

/** The boundary's name, its origin (recorded, or the policy that simulated it), and its time if known. */
export function BoundaryHeading({ entry, policy }: BoundaryHeadingProps) {
  const t = useTranslations("session.boundary");
  const kind = useTranslations("common.kind");
  const nameOf = useBoundaryName();
  const { openRequest } = useViewActions();
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

/** The policy, for a simulated boundary; time, turn and duration if known; a remark if the trigger is unknown. */
function When({ entry, policy }: BoundaryHeadingProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { columns, summary } = useSession("columns", "summary");
  const { at, turn, took } = boundaryWhen(entry, columns, summary.compactions);
  const recorded = entry.kind === "recorded" ? summary.compactions[entry.ordinal] : undefined;
  const { filesIncluded, parentUuid, inferredTrigger } = recorded ?? {};
  const facts = [
    ...(entry.kind === "simulated" ? [t("by", { policy })] : []),
    ...(turn === undefined ? [] : [t("turn", { turn })]),
    ...(took === undefined ? [] : [t("took", { duration: format.duration(took) })]),
    ...(entry.compaction.trigger === "unknown" ? [t("trigger.unknown")] : []),
    ...(inferredTrigger == null ? [] : [t("triggerInferred")]),
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

/** Time and turn of a boundary, as far as known. */
interface BoundaryWhen {
  /** Time in ms; absent for simulated boundaries. */
  readonly at: number | undefined;
  /** Turn of the request that follows, counted from 0; absent before the first user message. */
  readonly turn: number | undefined;
  /** Duration in ms, if the file states it. */
  readonly took: number | undefined;
}

/**
 * The time, turn and duration of a boundary.
 * @param recorded the file's compactions, in order
 */
export function boundaryWhen(
  { kind, ordinal, compaction }: Pick<BoundaryEntry, "kind" | "ordinal" | "compaction">,
  columns: SessionColumns,
  recorded: SessionSummary["compactions"],
): BoundaryWhen {
  const ofFile = kind === "recorded" ? recorded[ordinal] : undefined;
  const turn = turnOfRequest(columns, compaction.request);
  return {
    at: ofFile?.at == null ? undefined : Date.parse(ofFile.at),
    turn: turn < 0 ? undefined : turn,
    took: ofFile?.durationMs ?? undefined,
  };
}

/** A simulated boundary's effect, in words. */
export function BoundaryFacts({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { compaction } = entry;
  const labelOf = useAddedLabel();
  const summarised = useSummaryWords(compaction);
  const threshold = useThresholdWords(entry);
  // A flush is not a compaction, but an additional turn before one.
  const isTurn = entry.what === "flush";
  // The sentence about the summary already states its size.
  const isNews = ({ tokens, category }: SyntheticItem) =>
    !(compaction.outcome === "summary" && category === "summaries" && tokens === compaction.summaryTokens);
  const facts = [
    ...threshold,
    isTurn ? t("turnOnly") : compaction.outcome === "summary" ? summarised : t(`outcome.${compaction.outcome}`),
    ...compaction.added
      .filter(isNews)
      .map((item) => t("added", { label: labelOf(item), tokens: format.count(item.tokens) })),
    ...(compaction.summaryCallTokens > 0
      ? [t(isTurn ? "turnCall" : "summaryCall", { tokens: format.count(compaction.summaryCallTokens) })]
      : []),
    ...(compaction.entering === undefined || compaction.entering === 0
      ? []
      : [t("entering", { count: compaction.entering })]),
    ...(compaction.transient === true ? [t("transient")] : []),
    ...boundaryFlags(entry.what, compaction).map((flag) => t(flag)),
  ];
  return (
    <ul className="mt-4 list-disc pl-4 text-t2">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** The size that a policy compared, and why it compacted above or below its trigger. Nothing if the context had just reached the trigger. */
function useThresholdWords({ kind, compaction }: BoundaryEntry): readonly string[] {
  const t = useTranslations("session.boundary");
  const ruleWords = useTranslations("replay.thresholdRule");
  const words = usePolicyWords();
  const format = useFormat();
  const { choice, simulated } = useReplay("choice", "simulated");
  if (kind !== "simulated") return [];
  const rule = thresholdRuleAt(compaction, choice.policy, chosenOf(choice), simulated);
  if (rule === undefined) return [];
  const compared = compaction.figures?.compared;
  return [
    ruleWords(rule, { policy: words.policy(choice.policy) }),
    ...(compared === undefined
      ? []
      : [t("compared", { tokens: format.count(compared), before: format.count(compaction.tokensBefore) })]),
  ];
}

/** States that a summary replaces the dropped items, and the source of its size. */
function useSummaryWords(compaction: SimulatedCompaction): string {
  const t = useTranslations("session.boundary.summaryOf");
  const format = useFormat();
  const { choice } = useReplay("choice");
  const { recorded } = useSession("recorded");
  // The recorded summaries behind the mean, if the size is their mean.
  const count = recorded.compactions.filter(({ summaryTokens }) => summaryTokens > 0).length;
  return t(summarySizeOf(compaction, choice), { tokens: format.count(compaction.summaryTokens), count });
}

/**
 * Source of a simulated summary's size: the user's setting, the mean of the session's recorded summaries, the agent's
 * documentation, or an assumption if there is neither. `own`: the policy made a summary of another size, an empty or an automatic
 * one.
 */
type SummarySize = "chosen" | "recordedMean" | "documented" | "assumed" | "own";

interface InForce {
  readonly specs: readonly SettingSpec[];
  readonly settings: Settings;
  /** Keys of the settings that differ from their default. */
  readonly changed: ReadonlySet<string>;
}

/**
 * The source of the size of a compaction's summary.
 * @param inForce the settings that it was simulated with
 */
export function summarySizeOf(
  { summaryTokens }: Pick<SimulatedCompaction, "summaryTokens">,
  { specs, settings, changed }: InForce,
): SummarySize {
  const spec = specs.find(({ key }) => key === "summaryTokens");
  if (spec === undefined || settings[spec.key] !== summaryTokens) return "own";
  if (changed.has(spec.key)) return "chosen";
  if (spec.source.notes?.includes("recordedMean") === true) return "recordedMean";
  return spec.source.kind === "ours" ? "assumed" : "documented";
}
