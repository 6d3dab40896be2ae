import { writtenForAnHour } from "@/lib/agents/shared/cache-writes";
import { idOf } from "@/lib/agents/shared/ids";
import type { LineNumber, Milliseconds, Tokens } from "@/lib/core/base/units";
import { textField } from "@/lib/core/records/fields";
import type { BlockRange } from "@/lib/core/transcript/builder";
import type { Block, CompactionTrigger, RequestTerms, Usage } from "@/lib/core/transcript/model";
import type { RecordNumbers } from "@/lib/core/transcript/record-numbers";
import type { UserOrigin } from "./origin";
import { type ApiUsage, compactMetadataOf, type Envelope, microcompactMetadataOf } from "./schema";

/**
 * Data kept of a record until the file ends: its place in the tree, and its measured content. Ids are numbers of `NodeList.ids`, −1 for none; blocks
 * are rows of `NodeList.blocks`.
 */
export interface Node {
  readonly index: number;
  readonly line: LineNumber;
  readonly uuid: number;
  readonly parent: number;
  readonly logicalParent: number;
  readonly sidechain: boolean;
  readonly at?: Milliseconds | undefined;
  readonly content: NodeContent;
}

export type NodeContent =
  | UserContent
  | ResponseContent
  | BoundaryContent
  | ClearingContent
  | { readonly kind: "other" };

/** A message that the model reads: a user record, an attachment, a local command's record. */
export interface UserContent extends BlockRange {
  readonly kind: "user";
  /** True for a user record, which takes part in the conversation; attachments and system records only follow such a record. */
  readonly conversation: boolean;
  readonly origin: UserOrigin;
}

/** One line of a response. */
export interface ResponseContent extends BlockRange {
  readonly kind: "response";
  readonly id: number;
  readonly requestId: number;
  /** A hash of the message id. */
  readonly response?: number | undefined;
  /** True if the record says that another session made it. */
  readonly inherited?: boolean;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  /** Passes of the response beyond the one with this usage. */
  readonly passes?: readonly Pass[] | undefined;
  readonly terms?: RequestTerms | undefined;
  /** True if the response has ended: the output of this line is final. */
  readonly isSettled: boolean;
  /** True if the program itself used the first count of the output, as one release did. */
  readonly usesFirstCount: boolean;
}

/** A further pass within a response: an earlier one of the same model, or another model's. */
export interface Pass {
  readonly model?: string | undefined;
  readonly usage: Usage;
}

export interface BoundaryContent {
  readonly kind: "boundary";
  readonly trigger: CompactionTrigger;
  readonly tokensBefore?: Tokens | undefined;
  readonly tokensAfter?: Tokens | undefined;
  readonly took?: Milliseconds | undefined;
  readonly preserved: Preserved;
}

/** Earlier records that a compaction kept: a list, or all between two. */
interface Preserved {
  readonly uuids: readonly string[];
  readonly head?: string | undefined;
  readonly tail?: string | undefined;
}

export interface ClearingContent {
  readonly kind: "clearing";
  readonly trigger: CompactionTrigger;
  readonly tokensBefore?: Tokens | undefined;
  readonly clearedCalls: readonly string[];
}

/** A node to be added, with its ids as texts. */
export interface NewNode extends Omit<Node, "index" | "uuid" | "parent" | "logicalParent" | "content"> {
  readonly uuid: string | undefined;
  readonly parent: string | undefined;
  readonly logicalParent: string | undefined;
  readonly content: NewContent;
}

/** A node's content before its blocks are stored. */
export type NewContent =
  | {
      readonly kind: "user";
      readonly conversation: boolean;
      readonly origin: UserOrigin;
      readonly blocks: readonly Block[];
    }
  | {
      readonly kind: "response";
      readonly id: string | undefined;
      readonly requestId: string | undefined;
      readonly model: string | undefined;
      readonly usage: Usage | undefined;
      readonly passes?: readonly Pass[];
      readonly terms: { readonly [Key in keyof RequestTerms]: RequestTerms[Key] | undefined };
      readonly isSettled: boolean;
      readonly usesFirstCount?: boolean;
      readonly blocks: readonly Block[];
    }
  | BoundaryContent
  | ClearingContent
  | { readonly kind: "other" };

/** Content of a `compact_boundary` record. */
export function boundaryContent(envelope: Envelope, numbers: RecordNumbers): BoundaryContent {
  const metadata = compactMetadataOf(envelope, numbers);
  return {
    kind: "boundary",
    trigger: isIdleText(envelope.record.content) ? "idle" : triggerOf(metadata.trigger),
    tokensBefore: metadata.preTokens,
    tokensAfter: metadata.postTokens,
    took: metadata.durationMs,
    preserved: {
      uuids: metadata.preservedUuids.filter((uuid) => idOf(uuid) !== undefined),
      head: idOf(metadata.headUuid),
      tail: idOf(metadata.tailUuid),
    },
  };
}

/** Content of a `microcompact_boundary` record. Its `preTokens` is not the size of the context (README.md), but the record's own count. */
export function clearingContent(envelope: Envelope, numbers: RecordNumbers): ClearingContent {
  const metadata = microcompactMetadataOf(envelope, numbers);
  return {
    kind: "clearing",
    trigger: triggerOf(metadata.trigger),
    tokensBefore: metadata.preTokens,
    clearedCalls: metadata.compactedToolIds.filter((call) => idOf(call) !== undefined),
  };
}

function triggerOf(trigger: string | undefined): CompactionTrigger {
  return trigger === "auto" || trigger === "manual" || trigger === "idle" ? trigger : "unknown";
}

/** True for the boundary text of a compaction during a pause. Source: README.md, "Compaction". */
function isIdleText(content: unknown): boolean {
  return textField(content)?.startsWith("Compacted while idle") === true;
}

/** Usage as recorded; `undefined` if the record says nothing about the input. */
export function usageOf(usage: ApiUsage | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const { input_tokens: input, cache_read_input_tokens: cacheRead, output_tokens: output } = usage;
  const { cache_creation: written, web_searches: webSearches } = usage;
  const divided = written === undefined ? undefined : (written.short ?? 0) + (written.long ?? 0);
  const cacheWrite = usage.cache_creation_input_tokens ?? divided;
  const cacheWrite1h = writtenForAnHour(cacheWrite, written?.short, written?.long);
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined;
  return { input: input ?? 0, cacheRead, cacheWrite, cacheWrite1h, output, webSearches };
}

/**
 * A response's usage by its passes: the last main pass, which alone filled the context, and the further ones. A usage that lists at most one pass is
 * that pass. Any part of the usage missing from its main passes is one more pass. A refused attempt without output costs nothing. Source: README.md,
 * "Traps".
 */
export function passesOf(
  usage: ApiUsage | undefined,
  model: string | undefined,
): { readonly usage: Usage | undefined; readonly passes?: readonly Pass[]; readonly isIncomplete?: boolean } {
  const whole = usageOf(usage);
  const iterations = usage?.iterations ?? [];
  const answered = iterations.findLastIndex(({ isFallback }) => isFallback);
  const listed = iterations.flatMap((iteration, index): readonly ListedPass[] => {
    const own = usageOf(iteration.usage);
    if (own === undefined || (sentTokens(own) === 0 && !own.output)) return [];
    if (iteration.isMain && index < answered && !own.output) return [];
    return [{ isMain: iteration.isMain, usage: own, model: iteration.model ?? model }];
  });
  // A gateway's name for the response's model may differ from the name in the passes.
  const sent = listed.filter((one) => one.isMain && sentTokens(one.usage) > 0);
  const main = sent.findLast((one) => one.model === model) ?? sent.at(-1);
  const summed = listed.filter((one) => one.isMain).map((one) => one.usage);
  const rest = main === undefined ? undefined : beyond(whole, summed);
  const isIncomplete = rest === undefined ? {} : { isIncomplete: true };
  if (listed.length < 2 && (main !== undefined || listed.length === 0)) return { usage: whole, ...isIncomplete };
  const further = listed.filter((one) => one !== main).map((one) => passOf(one.usage, one.model));
  if (rest !== undefined) further.push(passOf(rest, model));
  const searches = whole?.webSearches === undefined ? {} : { webSearches: whole.webSearches };
  return { usage: main === undefined ? whole : { ...main.usage, ...searches }, passes: further, ...isIncomplete };
}

interface ListedPass {
  readonly isMain: boolean;
  readonly model: string | undefined;
  readonly usage: Usage;
}

function passOf(usage: Usage, model: string | undefined): Pass {
  return model === undefined ? { usage } : { model, usage };
}

/** The part of a usage that is missing from its passes; `undefined` if they cover all of it. */
export function beyond(whole: Usage | undefined, passes: readonly Usage[]): Usage | undefined {
  const left = (key: "input" | "cacheRead" | "cacheWrite" | "cacheWrite1h" | "output") =>
    Math.max(0, (whole?.[key] ?? 0) - passes.reduce((sum, pass) => sum + (pass[key] ?? 0), 0));
  const [input, cacheRead, cacheWrite, output] = [left("input"), left("cacheRead"), left("cacheWrite"), left("output")];
  if (input + cacheRead + cacheWrite + output === 0) return undefined;
  const hour = whole?.cacheWrite1h === undefined ? {} : { cacheWrite1h: Math.min(cacheWrite, left("cacheWrite1h")) };
  return { input, cacheRead, cacheWrite, ...hour, output };
}

/** All tokens sent with a request; 0 if nothing is recorded. */
export function sentTokens(usage: Usage | undefined): Tokens {
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}
