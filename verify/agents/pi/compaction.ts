import { NO_HISTORY, TURN_CONTEXT } from "@/lib/agents/pi/base/constants";
import type { PiPreset } from "@/lib/agents/pi/base/presets";
import { type CompactionEntry, type FileDetails, messageOfEntry, type PiEntry } from "@/lib/agents/pi/messages/entry";
import type { PiMessage } from "@/lib/agents/pi/messages/message";
import { FileTracker } from "@/lib/agents/pi/summary/files";
import type { Tokens } from "@/lib/core/base/units";
import type { CutPoint } from "@/verify/support/entry-tree-cut";
import { cutAmongProjected, findCutPoint } from "./cut-point";
import { estimateProjectedContext, sessionContext } from "./projection";
import { type CompactionSettings, estimateContext } from "./usage";

/** A message, and the entry that it comes from. */
export interface SourcedMessage {
  readonly entry: PiEntry;
  readonly message: PiMessage;
}

/** Everything that a compaction determines before it asks for the summary. */
export interface Preparation {
  readonly firstKeptEntryId: string;
  readonly isSplitTurn: boolean;
  /** The estimate at this moment, which may differ from the real size. */
  readonly tokensBefore: Tokens;
  readonly previousSummary: string | undefined;
  readonly messagesToSummarize: readonly SourcedMessage[];
  /** The beginning of a turn that the cut splits, which is summarised separately; empty if no turn is split. */
  readonly turnPrefix: readonly SourcedMessage[];
  readonly files: FileDetails;
}

/**
 * The plan of a compaction of this path: messages to summarise and to keep; `undefined` if there is nothing to do. Source: README.md,
 * "Range of a compaction".
 * @param path entries from the root to the leaf
 */
export function prepareCompaction(
  path: readonly PiEntry[],
  settings: CompactionSettings,
  preset: PiPreset,
): Preparation | undefined {
  if (path.at(-1)?.type === "compaction") return undefined;
  return preset === "v0.51.0" ? prepareEntries(path, settings) : prepareProjected(path, settings);
}

/**
 * `v0.51.0` considers only entries after the previous compaction. The part that it kept is neither summarised nor kept again, so the second
 * compaction loses it.
 */
function prepareEntries(path: readonly PiEntry[], settings: CompactionSettings): Preparation | undefined {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const start = at + 1;
  const cut = findCutPoint(path, start, path.length, settings.keepRecentTokens, "v0.51.0");
  const firstKeptEntryId = path[cut.firstKept]?.id;
  if (firstKeptEntryId === undefined) return undefined;
  const since = sourced(path.slice(Math.max(0, at)));
  const usage = estimateContext(
    since.map(({ message }) => message),
    "v0.51.0",
  );
  const previous = path[at];
  const ranges = rangesOf(start, cut, (from, to) => sourced(path.slice(from, to)));
  return {
    firstKeptEntryId,
    isSplitTurn: cut.isSplitTurn,
    tokensBefore: usage.tokens,
    previousSummary: previous?.type === "compaction" ? previous.summary : undefined,
    ...ranges,
    files: filesOf(previous, ranges, "v0.51.0"),
  };
}

/** `current` starts after the previous summary, with the part that the compaction kept, and does nothing if nothing would be dropped. */
function prepareProjected(path: readonly PiEntry[], settings: CompactionSettings): Preparation | undefined {
  const projected = sessionContext(path, "current").entries;
  const at = projected.findIndex(({ entry, messages }) => entry.type === "compaction" && messages.length > 0);
  const start = at + 1;
  const cut = cutAmongProjected(projected, start, projected.length, settings.keepRecentTokens);
  const firstKeptEntryId = projected[cut.firstKept]?.entry.id;
  if (firstKeptEntryId === undefined) return undefined;
  const ranges = rangesOf(start, cut, (from, to) =>
    projected.slice(from, to).flatMap(({ entry, messages }) => {
      const seen = entry.type === "compaction" ? [] : messages.filter((message) => message.role !== "system");
      return seen.map((message) => ({ entry, message }));
    }),
  );
  if (ranges.messagesToSummarize.length === 0 && ranges.turnPrefix.length === 0) return undefined;
  const previous = projected[at]?.entry;
  return {
    firstKeptEntryId,
    isSplitTurn: cut.isSplitTurn,
    tokensBefore: estimateProjectedContext(projected, path).tokens,
    previousSummary: previous?.type === "compaction" ? previous.summary : undefined,
    ...ranges,
    files: filesOf(previous, ranges, "current"),
  };
}

type Ranges = Pick<Preparation, "messagesToSummarize" | "turnPrefix">;

/** The ranges to summarise: the history up to the turn that the cut splits, and that turn up to the cut. */
function rangesOf(
  start: number,
  cut: CutPoint,
  messages: (from: number, to: number) => readonly SourcedMessage[],
): Ranges {
  const historyEnd = cut.isSplitTurn ? cut.turnStart : cut.firstKept;
  return {
    messagesToSummarize: messages(start, historyEnd),
    turnPrefix: cut.isSplitTurn ? messages(cut.turnStart, cut.firstKept) : [],
  };
}

function sourced(entries: readonly PiEntry[]): readonly SourcedMessage[] {
  return entries.flatMap((entry) => {
    const message = messageOfEntry(entry);
    return message === undefined ? [] : [{ entry, message }];
  });
}

function filesOf(
  previous: PiEntry | undefined,
  { messagesToSummarize, turnPrefix }: Ranges,
  preset: PiPreset,
): FileDetails {
  const files = new FileTracker(preset);
  if (previous?.type === "compaction") files.details(previous.files);
  for (const { message } of [...messagesToSummarize, ...turnPrefix]) files.message(message);
  return files.lists();
}

/** The answers of the summarising model: one about the history, one about the beginning of a split turn. */
interface SummaryAnswers {
  readonly history?: string;
  readonly turnPrefix?: string;
}

/** True if the model is asked to summarise the history, and true if it is asked to summarise the beginning of a split turn. */
export function summaryCalls(preparation: Preparation): { readonly history: boolean; readonly turnPrefix: boolean } {
  const turnPrefix = preparation.isSplitTurn && preparation.turnPrefix.length > 0;
  return { history: !turnPrefix || preparation.messagesToSummarize.length > 0, turnPrefix };
}

/**
 * The text of the summary, followed by the lists of files. If only a turn's beginning was summarised, `current` puts the previous summary
 * before it, and `v0.51.0` loses that summary. Source: README.md, "Summary text".
 */
export function summaryText(preparation: Preparation, answers: SummaryAnswers, preset: PiPreset): string {
  const calls = summaryCalls(preparation);
  const carried = preset === "current" ? preparation.previousSummary : undefined;
  const history = calls.history ? (answers.history ?? "") : (carried ?? NO_HISTORY);
  const turn = `${TURN_CONTEXT}${answers.turnPrefix ?? ""}`;
  return `${history}${calls.turnPrefix ? turn : ""}${formatFiles(preparation.files)}`;
}

/** The entry that the compaction appends. */
export function compactionEntry(
  preparation: Preparation,
  summary: string,
  ids: { readonly id: string; readonly parentId: string | undefined },
): CompactionEntry {
  return {
    ...ids,
    type: "compaction",
    summary,
    tokensBefore: preparation.tokensBefore,
    firstKeptEntryId: preparation.firstKeptEntryId,
    files: preparation.files,
    systemMessage: undefined,
  };
}

/** The lists at the end of a summary. Source: README.md, "Summary text". */
function formatFiles({ readFiles, modifiedFiles }: FileDetails): string {
  const sections = [
    ...(readFiles.length === 0 ? [] : [`<read-files>\n${readFiles.join("\n")}\n</read-files>`]),
    ...(modifiedFiles.length === 0 ? [] : [`<modified-files>\n${modifiedFiles.join("\n")}\n</modified-files>`]),
  ];
  return sections.map((section) => `\n\n${section}`).join("");
}
