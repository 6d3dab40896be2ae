import type { Share, Tokens } from "@/lib/core/base/units";
import { computeThresholds, type Thresholds } from "../base/constants";
import type { DocumentedSizes } from "./context-shares";
import type { ConversationSizes } from "./conversation-sizes";

/** The arithmetic of `/context` of 0.24.4 over sizes. Browser-safe. Source: README.md, "Context report, current". */

/** Sizes of the overhead and of the parts of the conversation. */
export interface CurrentSizes extends DocumentedSizes, ConversationSizes {}

type Tier = "safe" | "warn" | "auto" | "hard";

interface CurrentParts {
  readonly systemPrompt: Tokens;
  readonly builtinTools: Tokens;
  readonly mcpTools: Tokens;
  readonly memoryFiles: Tokens;
  readonly skills: Tokens;
  readonly startupContext: Tokens;
  readonly messages: Tokens;
  readonly unattributed: Tokens;
}

export interface CurrentShares extends CurrentParts {
  readonly unknown: Tokens;
  readonly freeSpace: Tokens;
  readonly autocompactBuffer: Tokens;
  readonly thresholds: Thresholds;
  readonly currentTier: Tier;
  readonly scale: number;
}

interface CurrentInput {
  readonly window: Tokens;
  readonly threshold?: Share | undefined;
  readonly api: Tokens;
  /** False if the window is only a lower bound: then nothing is reserved for a compaction. Default: true. */
  readonly isLimited?: boolean;
}

/** Everything except the conversation. */
function rawOverhead(sizes: CurrentSizes): Tokens {
  const { system, tools, memory, listing, bodies, startup, unknown = 0 } = sizes;
  return system + tools + memory + listing + bodies + startup + unknown;
}

/** The categories, the thresholds and the tier that the size has reached. */
export function currentShares(sizes: CurrentSizes, input: CurrentInput): CurrentShares {
  const { window, threshold, api, isLimited = true } = input;
  const thresholds = computeThresholds(window, { share: threshold });
  const buffer = isLimited ? Math.max(0, Math.round(window - thresholds.auto)) : 0;
  const raw = rawOverhead(sizes);
  const used = api > 0 ? api : raw + sizes.conversation;
  const scale = api > 0 && raw > api ? api / raw : 1;
  return {
    ...(api > 0 ? reportedParts(sizes, api, scale) : estimatedParts(sizes)),
    freeSpace: Math.max(0, window - used - buffer),
    autocompactBuffer: buffer,
    thresholds,
    currentTier: tierOf(used, thresholds),
    scale,
  };
}

/** The highest threshold that the size has reached. */
function tierOf(tokens: Tokens, { hard, auto, warn }: Thresholds): Tier {
  if (tokens >= hard) return "hard";
  if (tokens >= auto) return "auto";
  return tokens >= warn ? "warn" : "safe";
}

type Parts = CurrentParts & { readonly unknown: Tokens };

function estimatedParts(sizes: CurrentSizes): Parts {
  return {
    systemPrompt: sizes.system,
    builtinTools: Math.max(0, sizes.tools - sizes.skills - sizes.mcp),
    mcpTools: sizes.mcp,
    memoryFiles: sizes.memory,
    skills: sizes.skills + sizes.listing + sizes.bodies,
    startupContext: sizes.startup,
    unknown: sizes.unknown ?? 0,
    messages: 0,
    unattributed: 0,
  };
}

/** Rounded down, so that the parts never exceed the reported size; the unexplained rest is a part of its own. */
function reportedParts(sizes: CurrentSizes, api: Tokens, scale: number): Parts {
  const scaled = (tokens: Tokens) => Math.floor(tokens * scale);
  const deficit = Math.max(0, sizes.skills + sizes.mcp - sizes.tools);
  const mcp = Math.max(0, sizes.mcp - deficit);
  const skills = sizes.skills + sizes.listing + sizes.bodies - Math.max(0, deficit - sizes.mcp);
  const parts = {
    systemPrompt: scaled(sizes.system),
    builtinTools: scaled(Math.max(0, sizes.tools - sizes.skills - mcp)),
    mcpTools: scaled(mcp),
    memoryFiles: scaled(sizes.memory),
    skills: scaled(skills),
    startupContext: scaled(sizes.startup),
    unknown: scaled(sizes.unknown ?? 0),
  };
  const left = Math.max(0, api - Object.values(parts).reduce((total, tokens) => total + tokens, 0));
  const messages = scale < 1 ? left : Math.min(sizes.conversation, left);
  return { ...parts, messages, unattributed: left - messages };
}
