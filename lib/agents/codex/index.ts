import type { AgentProfile, Constant } from "../profile";
import { BASELINE_TOKENS } from "./limits";
import { codexPolicy } from "./policy";
import { presetFor } from "./presets";

const DOCUMENT = { kind: "document", text: "Codex context management, §5 (limit and effective window)" } as const;
const CODE = { kind: "code", text: "openai/codex 31d1e4934" } as const;

/** Share of the raw window that Codex shows and records. Source: systems/codex.md §5, effective_context_window_percent. */
export const EFFECTIVE_WINDOW_SHARE = 0.95;

export const codex = {
  id: "codex",
  label: "Codex",
  mark: "Cx",
  estimator: "codex",
  defaultWindow: { value: 272_000, unit: "tokens", source: DOCUMENT },
  policyWindow: (recorded) => Math.round(recorded / EFFECTIVE_WINDOW_SHARE),
  folders: [".codex/sessions/**/rollout-*.jsonl", ".codex/archived_sessions/rollout-*.jsonl"],
  policy: codexPolicy,
  presetFor,
  constants: {
    effectiveWindowShare: { value: EFFECTIVE_WINDOW_SHARE, unit: "share", source: DOCUMENT },
    autoCompactShare: { value: 0.9, unit: "share", source: DOCUMENT },
    bytesPerToken: { value: 4, unit: "bytes", source: { ...CODE, text: `${CODE.text}, core/src/truncate.rs` } },
    baselineTokens: {
      value: BASELINE_TOKENS,
      unit: "tokens",
      source: { ...CODE, text: `${CODE.text}, percent of context left` },
    },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
