import type { BoundaryAnswer, BoundaryDetails, ContextMessage } from "@/lib/api/contract";
import type { OpenedSession } from "./opened-session";

/** The compaction with its texts: the context afterwards as messages, the agent's prompt and its report. Rejects with `InputError`. */
export async function withTexts(
  session: OpenedSession,
  details: BoundaryDetails,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<BoundaryAnswer> {
  const recorded = details.items.filter(({ label }) => label === null);
  const simulated = details.kind === "simulated" && details.summaryCallTokens > 0;
  const { messages, prompt } = await session.contextTexts(recorded, {
    preset: details.preset,
    policy: simulated ? details.policy : undefined,
    settings,
  });
  const added = addedMessages(details);
  return {
    ...details,
    prompt,
    report: simulated ? await reportOf(details) : null,
    messages: details.addedAt === "back" ? [...messages, ...added] : [...added, ...messages],
  };
}

/** What simulated compactions added, which no file has the text of. */
function addedMessages({ items }: BoundaryDetails): ContextMessage[] {
  return items.flatMap(({ label, state, after, files }): ContextMessage[] => {
    if (label === null || state === "dropped") return [];
    const about = [`${label}, ${after} tokens`, ...files].join("; ");
    return [{ role: "user", text: `[${about}]`, note: "simulated" }];
  });
}

/** The agent's own words about the compaction; null where it has none. */
async function reportOf({
  policy,
  preset,
  outcome,
  tokensBefore,
  tokensAfter,
  items,
}: BoundaryDetails): Promise<string | null> {
  if (policy !== "clawdcode") return null;
  const { compactReport } = await import("@/lib/agents/clawdcode/report");
  const { clawdcodePreset } = await import("@/lib/agents/clawdcode/presets");
  const result = {
    success: outcome !== "fallback",
    preTokens: tokensBefore,
    postTokens: tokensAfter,
    filesIncluded: items.filter(({ state }) => state === "added").flatMap(({ files }) => files),
    error: "the summary call failed",
  };
  return compactReport(result, clawdcodePreset(preset));
}
