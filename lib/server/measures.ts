import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";

/** What an agent's policy asks for beyond tokens: by name, one number a block of a message. */
export type MessageMeasures = (
  message: Message,
  contents: readonly BlockContent[],
  format: string,
) => Readonly<Record<string, readonly number[]>>;

/** Agents whose policy asks for more than tokens. Adding one is one line. */
const LOADERS = {
  codex: async () => (await import("@/lib/agents/codex/estimator")).codexMeasures,
  clawdcode: async () => (await import("@/lib/agents/clawdcode/estimator")).clawdcodeMeasures,
  "gemini-cli": async () => (await import("@/lib/agents/gemini-cli/estimator")).geminiMeasures,
  openclaw: async () => (await import("@/lib/agents/openclaw/estimator")).openClawMeasures,
  opencode: async () => (await import("@/lib/agents/opencode/estimator")).opencodeMeasures,
  pi: async () => (await import("@/lib/agents/pi/estimator")).piMeasures,
  "qwen-code": async () => (await import("@/lib/agents/qwen-code/estimator")).qwenCodeMeasures,
} as const satisfies Record<string, () => Promise<MessageMeasures>>;

/** Whether the policy of that id has measures of its own. */
export function hasMeasures(policy: string): policy is keyof typeof LOADERS {
  return Object.hasOwn(LOADERS, policy);
}

/** The measures of a policy that has some. */
export function measuresOf(policy: keyof typeof LOADERS): Promise<MessageMeasures> {
  return LOADERS[policy]();
}
