import { profileOf } from "@/lib/agents/registry";
import type { Tokens } from "@/lib/core/base/units";
import { NEVER } from "@/lib/core/columns/membership";
import { fileLabel } from "@/lib/core/compaction/policy/policy";
import type {
  BoundaryAnswer,
  BoundaryDetails,
  BoundaryItemWire,
  ContextMessage,
  SummaryPrompt,
} from "@/lib/queries/contract/schemas";
import type { RanReplay } from "@/lib/queries/replays/replay-result";
import type { WantedItem } from "@/lib/server/read/texts/context-messages";
import type { SentState } from "@/lib/server/read/texts/sent-texts";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";

/** The compaction with its texts: the context after it as messages, the agent's prompt and its report. Rejects with `InputError`. */
export async function withTexts(
  session: OpenedSession,
  unnamed: BoundaryDetails,
  answered: AnsweredReplay,
): Promise<BoundaryAnswer> {
  const details = await withPaths(session, unnamed, answered.replay);
  const isSimulated = details.kind === "simulated";
  const simulated = isSimulated && details.summaryCallTokens > 0;
  const { messages, entering, prompt } = await session.contextTexts(wantedItems(details, answered), {
    preset: details.preset,
    policy: isSimulated ? details.policy : undefined,
    settings: answered.prepared.settings,
    asks: simulated,
  });
  return {
    ...details,
    prompt,
    report: isSimulated ? reportOf(details) : null,
    messages: messages.toSpliced(
      details.addedAt === "front" ? 0 : messages.length - entering,
      0,
      ...addedMessages(details, prompt?.around),
    ),
  };
}

/** The details with every file by its path: in the columns some paths are only positions in a text. */
async function withPaths(
  session: OpenedSession,
  details: BoundaryDetails,
  { compactions }: Pick<AnsweredReplay, "replay">["replay"],
): Promise<BoundaryDetails> {
  const { added } = compactions.find(({ request }) => request === details.request) ?? { added: [] };
  const paths = new Map<string, string>();
  for (const file of added.flatMap(({ files = [] }) => files)) {
    if (typeof file === "string") continue;
    const [item] = await session.texts({ from: file.item, to: file.item + 1 });
    const path = item?.text.slice(file.from, file.to);
    if (path !== undefined && path !== "") paths.set(fileLabel(file), path);
  }
  if (paths.size === 0) return details;
  const named = (files: readonly string[]) => files.map((file) => paths.get(file) ?? file);
  return {
    ...details,
    files: named(details.files),
    items: details.items.map((item) => ({ ...item, files: named(item.files) })),
  };
}

/** Items of the recording at a compaction, with their state after it. Items that entered afterwards are left out. */
export function wantedItems(
  { items, entering, request, kind }: BoundaryDetails,
  { replay, sizes }: Pick<AnsweredReplay, "replay" | "sizes">,
): readonly WantedItem[] {
  const ofRecording = items.filter(({ label, state }) => label === null && state !== "entered");
  const last = ofRecording.length - entering;
  const unsent = new Set(replay.compactions.find((one) => one.request === request)?.unsent);
  const limits = limitsUntil(replay.compactions, request);
  return ofRecording.map((item, at) => ({
    index: item.index,
    state: item.state,
    entering: at >= last,
    unsent: unsent.has(item.index),
    limits: limits(item.index),
    // The parts of a recorded context are scaled, but their texts are whole.
    ...sentStateOf(
      item,
      kind === "recorded" ? item.after : (sizes[item.index] ?? 0),
      (replay.cleared[item.index] ?? NEVER) <= request,
    ),
  }));
}

/** The limits to which compactions truncate an item's text, up to the compaction before a request. */
function limitsUntil(
  compactions: AnsweredReplay["replay"]["compactions"],
  until: number,
): (item: number) => WantedItem["limits"] {
  const before = new Map<number, Tokens[]>();
  const now = new Map<number, Tokens>();
  for (const { request, limits = [] } of compactions) {
    for (const [item, limit] of request > until ? [] : limits) {
      if (request === until) now.set(item, limit);
      else {
        const earlier = before.get(item);
        if (earlier === undefined) before.set(item, [limit]);
        else earlier.push(limit);
      }
    }
  }
  return (item) => {
    const limit = now.get(item);
    const earlier = before.get(item) ?? [];
    return { before: earlier, after: limit === undefined ? earlier : [...earlier, limit] };
  };
}

/** The replay with the described compaction. */
interface AnsweredReplay extends Pick<RanReplay, "prepared" | "replay"> {
  /** Every row's size on entry. */
  readonly sizes: Int32Array;
}

/** The state of an item after a compaction; this compaction, an earlier one or an input rule may have caused it. */
function sentStateOf({ state, after }: BoundaryItemWire, entered: Tokens, isCleared: boolean): SentState {
  const left = entered > 0 ? after / entered : 1;
  if (state === "cleared" || isCleared) return { sentAs: "cleared", left };
  return { sentAs: state === "truncated" || after < entered ? "truncated" : "whole", left };
}

/**
 * Items that simulated compactions added. No file holds their text: only the agent's wording around a summary is known. An item of size 0 is not
 * sent.
 */
function addedMessages(
  { items }: BoundaryDetails,
  [front, back]: SummaryPrompt["around"] = ["", ""],
): ContextMessage[] {
  return items.flatMap(({ label, role, state, after, files }): ContextMessage[] => {
    if (label === null || state === "dropped" || after === 0) return [];
    const about = [`${label}, ${after} tokens`, ...files].join("; ");
    const text = label === "summary" ? `${front}[${about}]${back}` : `[${about}]`;
    return [{ role: role === "assistant" || role === "system" ? role : "user", text, note: "simulated" }];
  });
}

/** The agent's own report on the compaction; null if it has none. */
function reportOf({ policy, preset, outcome, tokensBefore, tokensAfter, items }: BoundaryDetails): string | null {
  const files = items.filter(({ state }) => state === "added").flatMap(({ files }) => files);
  return profileOf(policy)?.compactionReport?.({ preset, outcome, tokensBefore, tokensAfter, files }) ?? null;
}
