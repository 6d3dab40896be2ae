import type { AgentProfile, Constant } from "../profile";
import {
  CHARS_PER_TOKEN,
  COMPRESS_THRESHOLD,
  EMPTY_HINT_TOKENS,
  MODEL_CONTEXT_LIMIT,
  SYSTEM_PROMPT_RESERVE,
  TOOL_OUTPUT_CHARS,
} from "./constants";
import { miniClaudeCodePlaces } from "./places";
import { miniClaudeCodePolicy } from "./policy/policy";
import { presetFor } from "./presets";

const document = (file: string) => ({ kind: "document", text: `mini-claude-code, docs/${file}` }) as const;
const code = (file: string) => ({ kind: "code", text: `minorcell/mini-claude-code c969aa4, src/${file}` }) as const;

/** The browser-safe half of mini-claude-code. The program writes no sessions: people bring histories themselves. */
export const miniClaudeCode = {
  id: "mini-claude-code",
  label: "mini-claude-code",
  mark: "mC",
  estimator: "mini-claude-code",
  defaultWindow: { value: MODEL_CONTEXT_LIMIT, unit: "tokens", source: document("context.md, MODEL_CONTEXT_LIMIT") },
  places: miniClaudeCodePlaces,
  policy: miniClaudeCodePolicy,
  summaryCall: { sharesPrefix: () => false, source: { kind: "document", text: "README.md, a request of its own" } },
  presetFor,
  constants: {
    threshold: { value: COMPRESS_THRESHOLD, unit: "share", source: document("context.md, COMPRESS_THRESHOLD") },
    charsPerToken: { value: CHARS_PER_TOKEN, unit: "chars", source: document("context.md, CHARS_PER_TOKEN") },
    /** Declared but never used. */
    systemPromptReserve: {
      value: SYSTEM_PROMPT_RESERVE,
      unit: "tokens",
      source: document("context.md, SYSTEM_PROMPT_RESERVE: declared, never used"),
    },
    toolOutputChars: { value: TOOL_OUTPUT_CHARS, unit: "chars", source: document("tools.md, MAX_TOOL_OUTPUT") },
    emptyHintDocumented: {
      value: EMPTY_HINT_TOKENS["as-documented"],
      unit: "tokens",
      source: document("context.md, summaryHint"),
    },
    emptyHintCurrent: {
      value: EMPTY_HINT_TOKENS.current,
      unit: "tokens",
      source: code("agent/context.ts, buildCompressionHint"),
    },
    compressionSteps: { value: 1, unit: "count", source: document("context.md, the summarising call") },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
