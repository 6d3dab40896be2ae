import { z } from "zod";
import { calibration, contextWindow, tokens } from "./basics";
import { basis, countingMode } from "./replay";

/** What filled the context. */

export const contributorKind = z.enum(["tool", "server", "file", "message", "turn", "category", "unattributed"]);

/** How much of the context one tool, server, file, message or turn took; `category` groups what the grouping has no group for. */
export const contributor = z.object({
  kind: contributorKind,
  /** Tool, server, file or category id; `null` for messages, turns, the agent's own tools taken together, and the rest. */
  name: z.string().nullable(),
  /** Message or turn, counted from 0; −1 is what came before the first turn. `null` for what has a name. */
  number: z.int().nullable(),
  /** Its tokens in the context at the request. Those of all rows sum to the context. */
  tokens,
  /** Share of the context. */
  share: z.number(),
  /** Tokens × requests in which they were sent, up to the request. Those of all rows sum to `sent`. */
  residency: z.number(),
  /** The cost of its tokens in these requests, by list prices. Those of all rows sum to `inputUsd`; `null` where that is. */
  usd: z.number().nullable(),
  items: z.int(),
  present: z.int(),
  calls: z.int(),
  /** The item with the largest residency. */
  item: z.int().nullable(),
});

export const repeatedContent = z.object({
  items: z.array(z.int()),
  tool: z.string().nullable(),
  file: z.string().nullable(),
  each: tokens,
  present: z.int(),
  tokens,
  residency: z.number(),
});

export const contributors = z.object({
  request: z.int(),
  by: z.enum(["tool", "server", "file", "message", "turn"]),
  /** Whose context: a policy's id, or `recorded`. */
  policy: z.string(),
  estimator: z.string(),
  /** How the context was counted, and what its size rests on. The calibration divides it among the items, also for a recording. */
  counting: countingMode,
  basis,
  calibration: calibration.nullable(),
  window: contextWindow,
  context: tokens,
  /** Sum of the context over the requests up to this one. */
  sent: tokens,
  /** What the input of these requests cost; `null` where one request of the session has no price, or nothing says what one reads from a cache. */
  inputUsd: z.number().nullable(),
  /** Largest residency first, as many as asked for; only all of them together sum to `context` and `sent`. */
  contributors: z.array(contributor),
  total: z.int(),
  /** Content that was sent more than once at the same time: largest residency first, as many as asked for. */
  repeated: z.array(repeatedContent),
  /** How many rows of the two lists are left out because fewer were asked for. */
  leftOut: z.object({ contributors: z.int(), repeated: z.int() }),
  /** Tools that were declared but never called; `null` where the recording declares no tools. */
  unusedTools: z.array(z.object({ tool: z.string(), tokens, residency: z.number() })).nullable(),
  growth: z.array(z.object({ turn: z.int(), firstRequest: z.int(), lastRequest: z.int(), growth: tokens })),
  /** The first request at which the window was this full, and its turn. */
  full: z.array(z.object({ share: z.number(), request: z.int().nullable(), turn: z.int().nullable() })),
});

export type Contributors = z.infer<typeof contributors>;
