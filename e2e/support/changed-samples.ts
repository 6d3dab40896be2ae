import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGLISH, ROLLOUT, sampleLines, samplePath } from "./files";

/** A session that was compacted twice, into summaries of different sizes. */
export const COMPACTED_TWICE = "compacted-twice.jsonl";
/** A session whose only compaction a user asked for. */
export const ASKED_FOR = "asked-for.jsonl";
/** A rollout of a model whose effective window is 95 % of 272,000 tokens. */
export const MODEL_WINDOW = "codex-model-window.jsonl";
/** A session of a model without a price. */
export const NO_PRICE = "no-price.jsonl";
/** A rollout with an impossible token count. */
export const ODD_USAGE = "odd-usage.jsonl";

/** Writes samples with a change each. */
export function writeChangedSamples(folder: string): void {
  const write = (name: string, sample: string, from: string | RegExp, to: string) =>
    writeFileSync(join(folder, name), readFileSync(samplePath(sample), "utf8").replaceAll(from, to));
  write(ASKED_FOR, ENGLISH, '"trigger":"auto"', '"trigger":"manual"');
  write(NO_PRICE, ENGLISH, "claude-opus-4-6", "claude-nobody-knows");
  write(MODEL_WINDOW, ROLLOUT, '"model_context_window":121600', '"model_context_window":258400');
  const rollout = readFileSync(samplePath(ROLLOUT), "utf8");
  writeFileSync(join(folder, ODD_USAGE), rollout.replace(/"output_tokens":\d+/, '"output_tokens":-5'));
  writeCompactedTwice(folder);
}

/** Writes the sample, then its boundary again with a shorter summary, then its last response again. */
function writeCompactedTwice(folder: string): void {
  // One line of the sample is damaged on purpose.
  const records = sampleLines(ENGLISH)
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line));
  const boundary = records.find(({ subtype }) => subtype === "compact_boundary");
  const summary = records.find(({ isCompactSummary }) => isCompactSummary === true);
  const response = records.findLast(({ type }) => type === "assistant");
  const again = [
    { ...boundary, uuid: "again-1", logicalParentUuid: response.uuid },
    {
      ...summary,
      uuid: "again-2",
      parentUuid: "again-1",
      message: { role: "user", content: "All is done but a test." },
    },
    {
      ...response,
      uuid: "again-3",
      parentUuid: "again-2",
      requestId: "req_again",
      message: { ...response.message, id: "msg_again" },
    },
  ];
  const after = again.map((record, second) => ({ ...record, timestamp: `2026-02-10T09:00:0${second}.000Z` }));
  const lines = [...records, ...after].map((record) => JSON.stringify(record));
  writeFileSync(join(folder, COMPACTED_TWICE), `${lines.join("\n")}\n`);
}
