import { agentName } from "@/lib/agents/agents";
import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import type { Finding } from "@/lib/queries/contract/schemas";
import { printable } from "./printable";

/** Findings over sessions, one line each: the statement with its number, the confidence with its reason, and the session to look at first. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map((one) => {
    const first = one.largest[0];
    const where =
      first === undefined || one.id === "threshold" ? "" : `; largest in ${first.id} ${printable(first.title)}`;
    return `${statement(one)} (${confidence(one)})${where}`;
  });
}

function statement(one: Finding): string {
  const { id, count, outOf, affected, sessions, names, next } = one;
  const listed = names.map(({ name }) => printable(name)).join(", ");
  switch (id) {
    case "idle-misses":
      return `${countedText(count, "pause")} longer than the cache TTL cost ${cost(one)} in ${affected} of ${countedText(sessions, "session")}`;
    case "fetched-files":
      return `${countText(count)} fetches of ${countedText(names.length, "file")} cost ${cost(one)}: ${listed}`;
    case "fetched-commands":
      return `At least ${countedText(count, "large output")} of ${countedText(names.length, "command")} cost ${cost(one)}: ${listed}`;
    case "unused-tools":
      return `${countText(count)} of ${countedText(outOf, "declared tool")} were never used and cost ${cost(one)}: ${listed}`;
    case "unpaid-compactions":
      return `${countText(count)} of ${countedText(outOf, "compaction")} never paid for themselves; ${cost(one)} was not earned back`;
    case "read-again":
      return `${countText(count)} files read again, unchanged and still in the context, cost ${cost(one)} in ${affected} of ${countedText(sessions, "session")}`;
    case "unused-outputs":
      return `${countedText(count, "large output")} of tests, builds or installations, of which only the outcome was used, cost ${cost(one)} in ${affected} of ${countedText(sessions, "session")}`;
    case "instructions":
      return `Instructions files sent with every request cost ${cost(one)} in ${affected} of ${countedText(sessions, "session")}`;
    case "images":
      return `${countedText(count, "image")} kept after their turn cost ${cost(one)} in ${affected} of ${countedText(sessions, "session")}`;
    case "near-limit":
      return `${countText(count)} of ${countedText(outOf, "session")} filled 85 % of the window or more`;
    case "threshold":
      return `No evidence for another trigger yet: ${countText(count)} of ${countedText(sessions, "session")} of ${agentName(next.policy)?.label ?? next.policy} are large enough to try one`;
  }
}

/** Dollars, or without a price the tokens that were sent. */
function cost({ amount, isLeast, tokens }: Finding): string {
  if (amount === null) return `${countText(tokens)} tokens sent, price n/a`;
  return `${isLeast ? "≥ " : ""}${usdText(amount)}`;
}

const REASONS: Readonly<Record<Finding["because"], string>> = {
  recorded: "recorded by the provider",
  estimated: "sizes are estimated, bytes / 4",
  terms: "a use that names nothing in the output is not seen",
  unpriced: "a part has no price",
  "unknown-window": "some windows are unknown",
  few: "small sample",
  "few-large": "at least 8 are needed",
  untested: "sizes alone say nothing of the cost: run recommend",
};

function confidence({ confidence: word, because }: Finding): string {
  if (because === "few-large") return `too few sessions: ${REASONS[because]}`;
  return word === "none" ? `no evidence: ${REASONS[because]}` : `${word} confidence: ${REASONS[because]}`;
}
