import { z } from "zod";
import { calibration, tokens } from "./basics";
import { basis, countingMode, replayRequest, simulatedCompaction } from "./replay";

/** One compaction in full. */

/** An item of the context at a compaction; `index` is a row of the columns, or behind them what a compaction added. */
export const boundaryItem = z.object({
  index: z.int(),
  state: z.enum(["kept", "truncated", "cleared", "dropped", "added"]),
  before: tokens,
  after: tokens,
  role: z.enum(["system", "user", "assistant"]).nullable(),
  kind: z.enum(["overhead", "text", "thinking", "tool_call", "tool_result", "image"]).nullable(),
  category: z.string(),
  /** What a simulated compaction added. */
  label: z.string().nullable(),
  /** What was added, by the name of its words; null for items of the recording. */
  name: z.string().nullable(),
  /** How many things it carries, where its words say so. */
  count: z.int().nullable(),
  tool: z.string().nullable(),
  file: z.string().nullable(),
  /** Files whose content an added item carries. */
  files: z.array(z.string()),
  line: z.int().nullable(),
});
const stateSum = z.object({ items: z.int(), tokens });

/** What one compaction did with every item of the context. */
export const boundaryDetails = simulatedCompaction.extend({
  kind: z.enum(["recorded", "simulated"]),
  policy: z.string(),
  preset: z.string(),
  /** Of the whole replay. */
  counting: countingMode,
  basis,
  calibration: calibration.nullable(),
  thresholdTokens: tokens.nullable(),
  /** Where added items stand: in front of what stays or behind it. */
  addedAt: z.enum(["front", "back"]),
  /** How many of the newest items that stay enter only after it, and stand behind what is added: what a person typed next. */
  entering: z.int(),
  /** Numbers that the policy came by on its way. */
  figures: z.record(z.string(), z.number()),
  /** System prompt, tools and what else no compaction removes. */
  overheadTokens: tokens,
  /** Dropped items with their size before, all others with their size after. */
  states: z.object({
    kept: stateSum,
    truncated: stateSum,
    cleared: stateSum,
    dropped: stateSum,
    added: stateSum,
  }),
  items: z.array(boundaryItem),
});

/** A message of a context. */
export const contextMessage = z.object({
  role: z.enum(["system", "user", "assistant"]),
  text: z.string(),
  /** `truncated`: shortened as the agent does, whole where that is not known; `cleared`: its placeholder; `simulated`: it stands for a text that no file holds. */
  note: z.enum(["truncated", "cleared", "simulated"]).nullable(),
});

/**
 * What of a prompt is not known to the letter: its system prompt, the instructions around or behind the history; and why it is
 * as it is: the session's own system prompt, a split turn in a call of its own, the document's wording, a provider that compacts by itself, a history that is summarised part by part (with what is asked when
 * the parts are merged, and of the beginning of a split turn).
 */
export const promptNote = z.enum([
  ...[
    "systemUnknown",
    "instructionsUnknown",
    "systemOwn",
    "splitTurn",
    "wordingOfDocument",
    "onServer",
    "inParts",
    "inPartsAsked",
  ],
] as const);

/** What an agent sends to have its history summarised. */
export const summaryPrompt = z.object({
  /** System prompt of the call; null where it is not known, or is the session's own. */
  system: z.string().nullable(),
  /** History that is sent as messages in front of the text; empty where the text holds it. */
  messages: z.array(contextMessage),
  /** Empty where nothing of it is known, or nothing is sent. */
  text: z.string(),
  notes: z.array(promptNote),
});
export const boundaryRequest = replayRequest.extend({ at: z.int().nonnegative() });

/** `POST /api/sessions/:id/boundary`: a compaction with its texts. */
export const boundaryAnswer = boundaryDetails.extend({
  /** The agent's own prompt, over what was summarised; null where it is not known, or none would be sent. */
  prompt: summaryPrompt.nullable(),
  /** The agent's own report of a compaction; null for agents without one. */
  report: z.string().nullable(),
  /** The context after it, overhead left out. */
  messages: z.array(contextMessage),
});

export type BoundaryItemWire = z.infer<typeof boundaryItem>;
export type BoundaryDetails = z.infer<typeof boundaryDetails>;
export type ContextMessage = z.infer<typeof contextMessage>;
export type SummaryPrompt = z.infer<typeof summaryPrompt>;
export type BoundaryRequest = z.infer<typeof boundaryRequest>;
export type BoundaryAnswer = z.infer<typeof boundaryAnswer>;
