import { z } from "zod";
import { calibration, tokens } from "./basics";
import { basis, countingMode, replayRequest, simulatedCompaction } from "./replay";

/** One compaction in full. */

/** An item of the context at a compaction; `index` is a row of the columns, or a later index for items that the compaction added. */
export const boundaryItem = z.object({
  index: z.int(),
  /** `entered`: it followed a recorded compaction, before its request. */
  state: z.enum(["kept", "truncated", "cleared", "dropped", "added", "entered"]),
  before: tokens,
  after: tokens,
  role: z.enum(["system", "user", "assistant"]).nullable(),
  kind: z.enum(["overhead", "text", "thinking", "tool_call", "tool_result", "image"]).nullable(),
  category: z.string(),
  /** The label of an item that a simulated compaction added; null for items of the recording. */
  label: z.string().nullable(),
  /** The key of the wording of an added item; null for items of the recording. */
  name: z.string().nullable(),
  /** Number in its wording, if there is one. */
  count: z.int().nullable(),
  tool: z.string().nullable(),
  file: z.string().nullable(),
  /** Files whose content an added item carries. */
  files: z.array(z.string()),
  line: z.int().nullable(),
});
const stateSum = z.object({ items: z.int(), tokens });

/** The effect of one compaction on each item of the context. */
export const boundaryDetails = simulatedCompaction.extend({
  kind: z.enum(["recorded", "simulated"]),
  policy: z.string(),
  preset: z.string(),
  /** This and the next three fields belong to the whole replay. */
  counting: countingMode,
  basis,
  calibration: calibration.nullable(),
  thresholdTokens: tokens.nullable(),
  /** Position of added items: before the kept items, or after them. */
  addedAt: z.enum(["front", "back"]),
  /** Number of newest kept items that enter only after the compaction, and so follow the added items: the next user message. */
  entering: z.int(),
  /** Numbers that the policy computed on its way. */
  figures: z.record(z.string(), z.number()),
  /** System prompt, tools and other content that no compaction removes. */
  overheadTokens: tokens,
  /** Dropped items count with their size before, all others with their size after. */
  states: z.object({
    kept: stateSum,
    truncated: stateSum,
    cleared: stateSum,
    dropped: stateSum,
    added: stateSum,
    entered: stateSum,
  }),
  items: z.array(boundaryItem),
});

export const contextMessage = z.object({
  role: z.enum(["system", "user", "assistant"]),
  text: z.string(),
  /**
   * `truncated`: shortened like by the agent, or whole if its way of shortening is unknown; `cleared`: replaced by its placeholder; `simulated`:
   * replaces a text that no file holds.
   */
  note: z.enum(["truncated", "cleared", "simulated"]).nullable(),
});

/**
 * Notes on a prompt. Some name parts with unknown wording: its system prompt, or the instructions around or after the history. Others explain the
 * prompt: it uses the session's own system prompt, a split turn has a separate call, the wording is a document's, the provider compacts by itself, or
 * the history is summarised part by part (including the prompts for merging parts and for the beginning of a split turn).
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

/** An agent's request to have its history summarised. */
export const summaryPrompt = z.object({
  /** System prompt of the call; null if it is not known, or is the session's own and not in the file. */
  system: z.string().nullable(),
  /** History sent as messages before the text; empty if the text contains it. */
  messages: z.array(contextMessage),
  /** Empty if none of it is known, or nothing is sent. */
  text: z.string(),
  /** Text that the agent puts before and after the answer in the context. */
  around: z.tuple([z.string(), z.string()]),
  notes: z.array(promptNote),
});
export const boundaryRequest = replayRequest.extend({ at: z.int().nonnegative() });

/** `POST /api/sessions/:id/boundary`: a compaction with its texts. */
export const boundaryAnswer = boundaryDetails.extend({
  /** The agent's own prompt, including the summarised history; null if it is not known, or none would be sent. */
  prompt: summaryPrompt.nullable(),
  /** The agent's own report of a compaction; null for agents without one. */
  report: z.string().nullable(),
  /** The context after the compaction, without the overhead. */
  messages: z.array(contextMessage),
});

export type BoundaryItemWire = z.infer<typeof boundaryItem>;
export type BoundaryDetails = z.infer<typeof boundaryDetails>;
export type ContextMessage = z.infer<typeof contextMessage>;
export type SummaryPrompt = z.infer<typeof summaryPrompt>;
export type BoundaryRequest = z.infer<typeof boundaryRequest>;
export type BoundaryAnswer = z.infer<typeof boundaryAnswer>;
