import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import {
  CHARS_PER_TOKEN,
  COMPRESS_THRESHOLD,
  EMPTY_HINT_TOKENS,
  MODEL_CONTEXT_LIMIT,
  SYSTEM_PROMPT_RESERVE,
  TOOL_OUTPUT_CHARS,
} from "./base/constants";
import { presetFor } from "./base/presets";
import { miniClaudeCodePolicy } from "./policy/policy";

/** The program writes no sessions: the embedding program keeps the history. Source: README.md, "Where sessions are stored". */
const miniClaudeCodePlaces: AgentPlaces = { roots: [], files: [] };

const document = (file: string) => ({ kind: "document", text: `mini-claude-code, docs/${file}` }) as const;
const code = (file: string) => ({ kind: "code", text: `minorcell/mini-claude-code c969aa4, src/${file}` }) as const;

/** Browser profile of mini-claude-code. The program writes no sessions: users open exported histories. */
export const profile = {
  defaultWindow: constant(MODEL_CONTEXT_LIMIT, "tokens", document("context.md, MODEL_CONTEXT_LIMIT")),
  places: miniClaudeCodePlaces,
  policy: miniClaudeCodePolicy,
  summaryCall: { sharesPrefix: () => false, source: { kind: "document", text: "README.md, a request of its own" } },
  presetFor,
  constants: {
    threshold: constant(COMPRESS_THRESHOLD, "share", document("context.md, COMPRESS_THRESHOLD")),
    charsPerToken: constant(CHARS_PER_TOKEN, "chars", document("context.md, CHARS_PER_TOKEN")),
    /** Declared but never used. */
    systemPromptReserve: constant(
      SYSTEM_PROMPT_RESERVE,
      "tokens",
      document("context.md, SYSTEM_PROMPT_RESERVE: declared, never used"),
    ),
    toolOutputChars: constant(TOOL_OUTPUT_CHARS, "chars", document("tools.md, MAX_TOOL_OUTPUT")),
    emptyHintDocumented: constant(EMPTY_HINT_TOKENS["as-documented"], "tokens", document("context.md, summaryHint")),
    emptyHintCurrent: constant(EMPTY_HINT_TOKENS.current, "tokens", code("agent/context.ts, buildCompressionHint")),
    compressionSteps: constant(1, "count", document("context.md, the summarising call")),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
