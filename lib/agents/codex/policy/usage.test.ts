import { expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { policyOf } from "@/lib/core/testing/policies";
import { readTranscript } from "@/verify/support/read";
import { codexReader } from "../read/reader";
import { codexPolicy, currentUsage, releaseUsage } from "./policy";
import { afterResponse } from "./usage";

/** Reasoning whose hidden text has 1,153 bytes: floor(2,404 × 3 / 4) − 650. */
const reasoning = { type: "reasoning", summary: [], content: null, encrypted_content: "x".repeat(2404) };
const message = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const count = (input: number, total: number) => {
  const usage = (tokens: number) => ({
    input_tokens: tokens,
    output_tokens: 0,
    reasoning_output_tokens: 200,
    total_tokens: tokens,
  });
  return { type: "token_count", info: { total_token_usage: usage(total), last_token_usage: usage(input) } };
};
const call = { type: "function_call", name: "exec_command", arguments: "{}", call_id: "call_a" };
const output = { type: "function_call_output", call_id: "call_a", output: "blue" };

const RECORDS: readonly (readonly [type: string, payload: object])[] = [
  ["session_meta", { id: "019c0000-0000-7000-8000-000000000001", cli_version: "0.142.2" }],
  ["response_item", message("user", "Think hard about the pears.")],
  ["response_item", reasoning],
  ["response_item", message("assistant", "They are green.")],
  ["event_msg", count(2000, 2000)],
  ["response_item", message("user", "And the plums?")],
  ["response_item", reasoning],
  ["response_item", call],
  ["response_item", output],
  ["event_msg", count(5000, 7000)],
  ["response_item", message("user", "<environment_context>\n  <cwd>/home/ana</cwd>\n</environment_context>")],
  ["response_item", message("assistant", "They are blue.")],
  ["event_msg", count(5300, 12_300)],
  ["response_item", message("user", "And the figs?")],
  ["response_item", message("assistant", "They are brown.")],
  ["event_msg", count(5400, 17_700)],
];

/** Tokens added to the last response's total at every request, with the original or another encrypted text. */
function addedAt(usageOf: typeof currentUsage, encrypted?: string): readonly number[] {
  const records = RECORDS.map(([type, payload]): (typeof RECORDS)[number] =>
    payload === reasoning && encrypted !== undefined
      ? [type, { ...payload, encrypted_content: encrypted }]
      : [type, payload],
  );
  const lines = records.map(([type, payload], index) =>
    JSON.stringify({ timestamp: `2026-03-02T09:00:${String(index).padStart(2, "0")}.000Z`, type, payload }),
  );
  const columns = columnsFromTranscript(readTranscript(new TextEncoder().encode(lines.join("\n")), codexReader));
  const added: number[] = [];
  const policy = policyOf((view) => {
    added.push(usageOf(view) - view.lastInput - (view.recordedOutput ?? 0));
    return undefined;
  });
  const given = { entryTruncation: false };
  const settings = resolveSettings(codexPolicy.settings("current", { window: 272_000, agent: "codex" }), given);
  replay(countedBySize(columns, "bytes-4"), policy, settings, { window: 272_000, counting: "anchored" });
  return added;
}

it("the current preset counts reasoning before the newest turn, rounded per item", () => {
  expect(addedAt(currentUsage)).toEqual([0, 0, 289, 289]);
});

it("release-2026-01 counts reasoning before the last user message of any kind, rounded once", () => {
  // Before request 2 the environment message follows both: ceil(2 × 1,153 / 4).
  expect(addedAt(releaseUsage)).toEqual([0, 0, 577, 577]);
});

it("masked reasoning counts by the length that its mask states, else by its recorded tokens", () => {
  expect(addedAt(currentUsage, "[REDACTED len=2404]")).toEqual(addedAt(currentUsage));
  expect(addedAt(currentUsage, "REDACTED")).toEqual([0, 0, 238, 238]);
  expect(addedAt(releaseUsage, "REDACTED")).toEqual([0, 0, 476, 476]);
});

it("items after the response are counted by the program's rule, not by calibration", () => {
  const grows = Array.from({ length: 9 }, (_, index) => `u10 a10 @${100 + 60 * index}`).join(" ");
  const columns = drawColumns(`${grows} u10 c5 @640 r100 a1`);
  const after: number[] = [];
  const policy = policyOf((view) => {
    after.push(afterResponse(view, true));
    return undefined;
  });
  const settings = resolveSettings(codexPolicy.settings("current", { window: 272_000, agent: "codex" }), {});
  const options = { window: 272_000, counting: "anchored", own: true } as const;
  const { calibration } = replay(countedBySize(columns, "bytes-4"), policy, settings, options);
  expect(calibration?.factor).toBe(3);
  expect(after.at(-1)).toBe(100);
});
