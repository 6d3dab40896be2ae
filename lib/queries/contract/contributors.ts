import { z } from "zod";
import { calibration, contextWindow, tokens } from "./basics";
import { basis, countingMode } from "./replay";

/** Contents of the context. */

export const contributorKind = z.enum(["tool", "server", "file", "message", "turn", "category", "unattributed"]);

/** Share of one tool, server, file, message or turn in the context; `category` groups items that the grouping has no group for. */
export const contributor = z.object({
  kind: contributorKind,
  /** Tool, server, file or category id; `null` for messages, turns, the agent's own tools together, and the rest. */
  name: z.string().nullable(),
  /** Message or turn, counted from 0; −1 is content before the first turn. `null` for named contributors. */
  number: z.int().nullable(),
  /** Its tokens in the context at the request. Those of all rows sum to the context. */
  tokens,
  /** Share of the context. */
  share: z.number(),
  /** Tokens × requests in which they were sent, up to the request. All rows sum to `sent`. */
  residency: z.number(),
  /** The cost of its tokens in these requests, at list prices. All rows sum to `inputUsd`; `null` if `inputUsd` is. */
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
  /** Owner of the context: a policy's id, or `recorded`. */
  policy: z.string(),
  estimator: z.string(),
  /** Counting of the context and basis of its size. The calibration divides it among the items, also for a recording. */
  counting: countingMode,
  basis,
  calibration: calibration.nullable(),
  window: contextWindow,
  context: tokens,
  /** Sum of the context over the requests up to this one. */
  sent: tokens,
  /** Input cost of these requests; `null` if one request of the session has no price, or its cache reads are unknown. */
  inputUsd: z.number().nullable(),
  /** Largest residency first, up to the limit; only all of them together sum to `context` and `sent`. */
  contributors: z.array(contributor),
  total: z.int(),
  /** Content that was sent more than once at the same time: largest residency first, up to the limit. */
  repeated: z.array(repeatedContent),
  /** Number of rows that the limit omits from the two lists. */
  leftOut: z.object({ contributors: z.int(), repeated: z.int() }),
  /** Tools that were declared but never called; `null` if the recording declares no tools. */
  unusedTools: z.array(z.object({ tool: z.string(), tokens, residency: z.number() })).nullable(),
  growth: z.array(z.object({ turn: z.int(), firstRequest: z.int(), lastRequest: z.int(), growth: tokens })),
  /** The first request with the window this full, and its turn. */
  full: z.array(z.object({ share: z.number(), request: z.int().nullable(), turn: z.int().nullable() })),
});

export type Contributors = z.infer<typeof contributors>;
