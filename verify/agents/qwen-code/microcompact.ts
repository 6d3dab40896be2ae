import {
  CHARS_PER_TOKEN,
  CLEAR_ABOVE_CHARS,
  CLEAR_IDLE_MINUTES,
  CLEARABLE_TOOLS,
  CLEARED_RESULT,
  IMAGE_TOKENS,
  KEPT_RESULTS,
} from "@/lib/agents/qwen-code/base/constants";
import {
  answerOf,
  type Content,
  mediaOf,
  nestedParts,
  type Part,
  partsOf,
  responseOf,
} from "@/lib/agents/qwen-code/messages/content";
import { isObject, objectOf, textOf } from "@/lib/agents/shared/json";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { printableMime } from "./slimming";
import { ToolIdentities } from "./tool-identity";

/** Micro-compaction of 0.24.4: old results are emptied, and no model is asked. Source: README.md, "Cleared results". */

interface ClearSettings {
  readonly toolResultsThresholdMinutes?: number | undefined;
  readonly toolResultsNumToKeep?: number | undefined;
  readonly toolResultsTotalCharsThreshold?: number | undefined;
}

interface ClearRequest {
  readonly history: readonly Content[];
  readonly settings: ClearSettings;
  /** Minutes since the last response; absent if unknown. */
  readonly gapMinutes?: number | undefined;
  readonly force?: boolean;
  /** Within a turn, only the size rule applies. */
  readonly sizeOnly?: boolean;
  /** Contents that are about to be sent: they count, but are never cleared. */
  readonly pending?: readonly Content[];
  /** A file's read result is kept if this returns true for all of its paths. */
  readonly preserveRead?: ((path: string) => boolean) | undefined;
}

interface ClearMeta {
  readonly triggerReason: "force" | "idle" | "size";
  readonly gapMinutes: number;
  readonly thresholdMinutes: number;
  readonly toolResultCharsBefore?: Chars;
  readonly toolResultCharsAfter?: Chars;
  readonly pendingToolResultChars?: Chars;
  readonly toolResultsTotalCharsThreshold?: Chars;
  readonly toolResultsLowWatermark?: Chars;
  readonly toolsCleared: number;
  readonly mediaCleared: number;
  readonly toolsKept: number;
  readonly mediaKept: number;
  readonly keepRecent: number;
  readonly tokensSaved: Tokens;
  readonly evictedReadPaths: readonly string[];
  readonly unresolvedEvictedReads: number;
}

interface ClearResult {
  readonly history: readonly Content[];
  /** Absent if nothing was cleared. */
  readonly meta?: ClearMeta;
}

/** A part that could be cleared, and its place. */
interface Candidate {
  readonly content: number;
  readonly part: number;
  readonly kind: "tool" | "nested" | "media";
  readonly value: Part;
  readonly chars: Chars;
  /** Counted, but neither cleared nor counted among the newest that are kept. */
  readonly preserved: boolean;
}

interface Plan {
  readonly reason: ClearMeta["triggerReason"];
  readonly clear: readonly Candidate[];
  /** The tool results that were examined, including pending ones. */
  readonly tools: readonly Candidate[];
  readonly kept: ReadonlySet<Candidate>;
  readonly sizes: Partial<ClearMeta>;
  readonly media: number;
}

const CLEARABLE = new Set<string>(CLEARABLE_TOOLS);
const FILE_TOOLS = new Set(["read_file", "edit", "write_file"]);
const MINUTES_BY_DEFAULT = CLEAR_IDLE_MINUTES;

/** Clears old results: after a pause or by force all but the newest; otherwise, above a total size, the oldest. */
export function microcompact(request: ClearRequest): ClearResult {
  const { history, settings } = request;
  const keep = keptCount(settings.toolResultsNumToKeep);
  const all = [...history, ...(request.pending ?? [])];
  const byForce = request.force === true;
  const whole = byForce || (request.sizeOnly !== true && isIdle(request));
  const identities = new ToolIdentities(whole ? history : all);
  const candidates = candidatesOf(whole ? history : all, identities, request.preserveRead);
  const plan = whole ? wholePlan(candidates, keep, byForce) : sizePlan(candidates, keep, history.length, settings);
  if (plan === undefined || (plan.clear.length === 0 && plan.reason !== "size")) return { history };
  return applied(request, plan, keep, identities);
}

function keptCount(setting: number | undefined): number {
  return setting !== undefined && Number.isSafeInteger(setting) ? Math.max(1, setting) : KEPT_RESULTS;
}

function isIdle({ settings, gapMinutes }: ClearRequest): boolean {
  const threshold = settings.toolResultsThresholdMinutes ?? MINUTES_BY_DEFAULT;
  return threshold >= 0 && gapMinutes !== undefined && Number.isFinite(gapMinutes) && gapMinutes >= threshold;
}

function candidatesOf(
  contents: readonly Content[],
  identities: ToolIdentities,
  preserveRead: ClearRequest["preserveRead"],
): readonly Candidate[] {
  return contents.flatMap((content, index) =>
    content.role === "user"
      ? partsOf(content).flatMap((value, part): Candidate[] => {
          const kind = kindOf(value, identities);
          if (kind === undefined) return [];
          const chars = kind === "tool" ? outputChars(value) : 0;
          const preserved = isPreserved(value, identities, preserveRead);
          return [{ content: index, part, kind, value, chars, preserved }];
        })
      : [],
  );
}

function kindOf(part: Part, identities: ToolIdentities): Candidate["kind"] | undefined {
  const tool = identities.ofResult(part)?.name;
  if (tool !== undefined && CLEARABLE.has(tool)) return "tool";
  if (responseOf(part) !== undefined && hasNestedMedia(part)) return "nested";
  return mediaOf(part) === undefined ? undefined : "media";
}

function isPreserved(part: Part, identities: ToolIdentities, preserveRead: ClearRequest["preserveRead"]): boolean {
  if (preserveRead === undefined || identities.ofResult(part)?.name !== "read_file" || isError(part)) return false;
  const paths = identities.paths(textOf(responseOf(part)?.id), (tool) => FILE_TOOLS.has(tool));
  return paths.length > 0 && paths.every(preserveRead);
}

function hasNestedMedia(part: Part): boolean {
  return nestedParts(part).some((inner) => mediaOf(inner) !== undefined);
}

function isError(part: Part): boolean {
  return answerOf(responseOf(part)).error !== undefined;
}

/** Length of an output that can be cleared: 0 for errors, for outputs already cleared, and for outputs that are not text. */
function outputChars(part: Part): Chars {
  const { output } = answerOf(responseOf(part));
  return isError(part) || output === CLEARED_RESULT ? 0 : textOf(output).length;
}

function wholePlan(candidates: readonly Candidate[], keep: number, byForce: boolean): Plan {
  const ofKind = (kind: Candidate["kind"]) =>
    candidates.filter((candidate) => candidate.kind === kind && !candidate.preserved);
  const [tools, media, nested] = [ofKind("tool"), ofKind("media"), ofKind("nested")];
  const filled = tools.filter(({ chars, value }) => chars > 0 || hasNestedMedia(value));
  const kept = new Set([...filled.slice(-keep), ...media.slice(-keep), ...nested.slice(-keep)]);
  const clear = [...filled, ...media, ...nested].filter((candidate) => !kept.has(candidate));
  const shown = Math.min(media.length + nested.length, keep);
  return { reason: byForce ? "force" : "idle", clear, tools, kept, sizes: {}, media: shown };
}

function sizePlan(
  candidates: readonly Candidate[],
  keep: number,
  historyLength: number,
  settings: ClearSettings,
): Plan | undefined {
  const threshold = charsThreshold(settings);
  if (!Number.isFinite(threshold) || threshold < 0) return undefined;
  const counted = candidates.filter(({ kind }) => kind === "tool");
  const total = charsOf(counted);
  const pending = charsOf(counted.filter(({ content }) => content >= historyLength));
  if (total <= threshold) return undefined;
  const tools = counted.filter(({ preserved }) => !preserved);
  const own = tools.filter(({ content, chars }) => content < historyLength && chars > 0);
  const lowWatermark = Math.floor(threshold / 2);
  const kept = new Set(own.slice(-keep));
  const clear: Candidate[] = [];
  let remaining = total;
  for (const candidate of own) {
    if (remaining <= lowWatermark) break;
    if (kept.has(candidate)) continue;
    clear.push(candidate);
    remaining -= candidate.chars;
  }
  const sizes = {
    toolResultCharsBefore: total,
    toolResultCharsAfter: remaining - pending,
    pendingToolResultChars: pending,
    toolResultsTotalCharsThreshold: threshold,
    toolResultsLowWatermark: lowWatermark,
  };
  return { reason: "size", clear, tools, kept, sizes, media: 0 };
}

function charsOf(candidates: readonly Candidate[]): Chars {
  return candidates.reduce((sum, { chars }) => sum + chars, 0);
}

/** A negative number of minutes turns the size rule off too, unless that has a setting of its own. */
function charsThreshold(settings: ClearSettings): number {
  const minutes = settings.toolResultsThresholdMinutes ?? 0;
  return settings.toolResultsTotalCharsThreshold ?? (minutes < 0 ? -1 : CLEAR_ABOVE_CHARS);
}

function applied(request: ClearRequest, plan: Plan, keep: number, identities: ToolIdentities): ClearResult {
  const cleared = plan.clear.filter(({ kind, value }) => kind === "media" || !isUntouchable(value));
  const tokensSaved = cleared.reduce((sum, { value }) => sum + savedTokens(value), 0);
  if (tokensSaved === 0 && plan.reason !== "size") return { history: request.history };
  const toolsCleared = cleared.filter(({ kind }) => kind === "tool");
  const own = plan.tools.filter(({ content }) => content < request.history.length);
  return {
    history: replaced(request.history, cleared),
    meta: {
      triggerReason: plan.reason,
      gapMinutes: plan.reason === "idle" ? Math.round(request.gapMinutes ?? 0) : 0,
      thresholdMinutes: request.settings.toolResultsThresholdMinutes ?? MINUTES_BY_DEFAULT,
      ...plan.sizes,
      toolsCleared: toolsCleared.length,
      mediaCleared: cleared.length - toolsCleared.length,
      toolsKept: own.filter((candidate) => plan.kept.has(candidate)).length,
      mediaKept: plan.media,
      keepRecent: keep,
      tokensSaved,
      ...evictedReads(toolsCleared, plan, identities),
    },
  };
}

function isUntouchable(part: Part): boolean {
  return isError(part) || answerOf(responseOf(part)).output === CLEARED_RESULT;
}

/** Files that the model can no longer see, except those that a kept result of a write shows. */
function evictedReads(
  cleared: readonly Candidate[],
  plan: Plan,
  identities: ToolIdentities,
): Pick<ClearMeta, "evictedReadPaths" | "unresolvedEvictedReads"> {
  const pathsOf = ({ value }: Candidate) =>
    identities.paths(textOf(responseOf(value)?.id), (tool) => FILE_TOOLS.has(tool));
  const toolOf = ({ value }: Candidate) => identities.ofResult(value)?.name ?? "";
  const written = plan.tools
    .filter((one) => plan.kept.has(one) && toolOf(one) === "write_file" && !isUntouchable(one.value))
    .map(pathsOf)
    .flatMap((paths) => (paths.length === 1 ? paths : []));
  const shown = new Set(written);
  const reads = cleared.filter((one) => FILE_TOOLS.has(toolOf(one))).map(pathsOf);
  return {
    evictedReadPaths: [...new Set(reads.flat())].filter((path) => !shown.has(path)),
    unresolvedEvictedReads: reads.filter((paths) => paths.length === 0).length,
  };
}

/** Estimate of what clearing a part saves: its output divided by four plus each of its pictures; 0 if it holds no answer. */
function savedTokens(part: Part): Tokens {
  const response = responseOf(part);
  if (response === undefined) return IMAGE_TOKENS;
  if (!isObject(response.response)) return 0;
  const { output } = answerOf(response);
  const images = nestedParts(part).filter((inner) => mediaOf(inner) !== undefined).length;
  return Math.ceil(textOf(output).length / CHARS_PER_TOKEN) + images * IMAGE_TOKENS;
}

function replaced(history: readonly Content[], cleared: readonly Candidate[]): readonly Content[] {
  const byContent = new Map<number, Candidate[]>();
  for (const candidate of cleared) {
    byContent.set(candidate.content, [...(byContent.get(candidate.content) ?? []), candidate]);
  }
  return history.map((content, index) => {
    const changes = byContent.get(index);
    if (changes === undefined) return content;
    const parts = [...partsOf(content)];
    for (const { part, kind, value } of changes) parts[part] = clearedPart(kind, value);
    return { ...content, parts };
  });
}

function clearedPart(kind: Candidate["kind"], part: Part): Part {
  if (kind === "media") {
    const mime = objectOf(part.inlineData).mimeType ?? objectOf(part.fileData).mimeType;
    return { text: `[Old inline media cleared: ${printableMime(textOf(mime) || "application/octet-stream")}]` };
  }
  const { parts: _media, ...response } = responseOf(part) ?? {};
  return { functionResponse: kind === "tool" ? { ...response, response: { output: CLEARED_RESULT } } : response };
}
