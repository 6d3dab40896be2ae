import type { Share, Tokens } from "@/lib/core/base/units";
import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec, Source } from "@/lib/core/compaction/policy/settings";

/** The only rule set. Source: README.md, "Rules". */
export const COPILOT_CHAT_PRESETS = ["v0.42.0"] as const;

/** Names a place in the program as a source. */
const code = (file: string): Source => ({
  kind: "code",
  text: `microsoft/vscode-copilot-chat 0.42.0, src/extension/${file}`,
});

export const INTENT_CODE = code("intents/node/agentIntent.ts");
export const SUMMARY_CODE = code("prompts/node/agent/summarizedConversationHistory.tsx");

/** Share of the prompt limit, less the tools, that a request may fill. */
export const BUDGET_SHARE: Share = 0.85;
/** Tokens of the summary call's own prompt: a quarter of its characters. */
export const PROMPT_TOKENS: Tokens = 1650;

/** Settings of the policy, with their defaults and the defaults' sources. */
export function copilotChatSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const { window } = context;
  return [
    {
      ...numberSpec("maxTokens", "Trigger", "tokens", [0, window, 1000], window, {
        ...INTENT_CODE,
        notes: ["mostTheWindow"],
      }),
      decidesWhen: true,
      inAgent: {
        text: '"github.copilot.chat.summarizeAgentConversationHistoryThreshold": <value>',
        file: "settings.json",
        source: INTENT_CODE,
      },
    },
    {
      ...numberSpec("toolTokens", "Tool declarations", "tokens", [0, Math.max(50_000, window), 500], 0, INTENT_CODE),
      decidesWhen: true,
      inAgent: null,
    },
    // The program's tools cut their own output, so nothing is cut on entry.
    ...summarySettings(context, false),
  ];
}
