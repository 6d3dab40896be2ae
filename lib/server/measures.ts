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
  pi: async () => (await import("@/lib/agents/pi/estimator")).piMeasures,
} as const satisfies Record<string, () => Promise<MessageMeasures>>;

/** Whether the policy of that id has measures of its own. */
export function hasMeasures(policy: string): policy is keyof typeof LOADERS {
  return Object.hasOwn(LOADERS, policy);
}

/** The measures of a policy that has some. */
export function measuresOf(policy: keyof typeof LOADERS): Promise<MessageMeasures> {
  return LOADERS[policy]();
}
