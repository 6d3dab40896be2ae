import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { BUDGET_SHARE, INTENT_CODE, PROMPT_TOKENS, SUMMARY_CODE } from "./base/presets";
import { copilotChatPolicy } from "./policy/policy";

/** Browser profile of VS Code Copilot Chat: its policy alone, since its sessions are not read. */
export const profile = {
  defaultWindow: constant(128_000, "tokens", {
    kind: "ours",
    text: "the program takes the prompt limit from its service's list of models; 128,000 is that of most",
  }),
  places: { roots: [], files: [] },
  policy: copilotChatPolicy,
  // By default the call has a system prompt of its own.
  summaryCall: { sharesPrefix: () => false, source: SUMMARY_CODE },
  constants: {
    budgetShare: constant(BUDGET_SHARE, "share", INTENT_CODE),
    promptTokens: constant(PROMPT_TOKENS, "tokens", SUMMARY_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
