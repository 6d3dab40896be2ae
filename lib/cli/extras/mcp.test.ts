import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { assert } from "@/lib/core/base/assert";
import { presetOfVersion } from "@/lib/queries/session/session-context";
import { readSession } from "@/lib/queries/testing/sessions";
import { commandLine, jsonLines } from "../testing/program";

const { run, root, bad } = commandLine();
const SAMPLE = join(process.cwd(), "public", "samples", "claude-code-duplicate-shipments.jsonl");
const client = new Client({ name: "test", version: "1.0.0" });

beforeAll(async () => {
  const args = [join(root, "dist", "cli.mjs"), "mcp"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
});
afterAll(() => client.close());

interface Answer {
  readonly says: string;
  readonly figures: readonly { name: string; value: number; unit: string; kind: string }[];
}

async function ask(tool: string, args: Record<string, string>) {
  const { content, isError = false } = await client.callTool({ name: tool, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { isError, text };
}

async function answer(tool: string, args: Record<string, string> = {}): Promise<Answer> {
  const { isError, text } = await ask(tool, { file: SAMPLE, ...args });
  expect(isError, text).toBe(false);
  expect(text.length).toBeLessThan(4000);
  return JSON.parse(text);
}

const metricIn = ({ figures: metrics }: Answer, name: string) => metrics.find((one) => one.name === name)?.value;

it("the MCP server offers three read-only tools", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...["what_fills_my_context", "what_would_compacting_now_cost", "what_did_the_last_compaction_lose"],
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

it("the MCP server reports the context breakdown, with the source of each number", async () => {
  const found = await answer("what_fills_my_context");
  const [{ categories }] = jsonLines((await run(["breakdown", SAMPLE, "--json"])).out) as [
    { categories: { id: string; tokens: number }[] },
  ];
  for (const { id, tokens } of categories) expect(metricIn(found, id)).toBe(tokens === 0 ? undefined : tokens);
  expect(found.figures.some(({ name }) => name.startsWith("tool "))).toBe(true);
  for (const { kind } of found.figures) expect(["recorded", "estimated", "inferred"]).toContain(kind);
});

it("the MCP server reports context and cost of a compaction at this moment", async () => {
  const found = await answer("what_would_compacting_now_cost");
  expect(found.says).toContain("claude-code@");
  expect(metricIn(found, "context after")).toBeLessThan(metricIn(found, "context before") ?? 0);
  expect(metricIn(found, "summary call")).toBeGreaterThan(0);
  const custom = await answer("what_would_compacting_now_cost", { policy: "custom" });
  expect(custom.says).toContain("custom@");
  expect((await answer("what_would_compacting_now_cost", { policy: "none" })).figures).toEqual([]);
});

it("the MCP server simulates the session's own policy in the agent's version", async () => {
  const file = join(process.cwd(), "public", "samples", "codex-sliding-window.jsonl");
  const policy = policyById("codex");
  assert(policy !== undefined, "the policy of Codex");
  const preset = presetOfVersion(policy, readSession(file).session);
  expect(preset).not.toBe(policy.presets[0]);
  expect((await answer("what_would_compacting_now_cost", { file })).says).toContain(`codex@${preset}`);
});

it("the MCP server reports the same re-fetches after the last compaction as ledger", async () => {
  const found = await answer("what_did_the_last_compaction_lose");
  const [{ needs: refetches }] = jsonLines((await run(["ledger", SAMPLE, "--json"])).out) as [
    { needs: { neededAgain: number; neededAgainTokens: number }[] },
  ];
  expect(metricIn(found, "re-fetched")).toBe(refetches.at(-1)?.neededAgain);
  expect(metricIn(found, "re-fetched tokens")).toBe(refetches.at(-1)?.neededAgainTokens);
});

it("the MCP server answers an unreadable file or invalid request with a sentence", async () => {
  for (const [args, sentence] of [
    [{ file: bad }, "bad.jsonl"],
    [{ file: SAMPLE, policy: "nobody" }, "unknown policy nobody"],
    [{ file: "-" }, "name the session's file"],
    [{ file: "/dev/stdin" }, "name the session's file"],
  ] as const) {
    const { isError, text } = await ask("what_would_compacting_now_cost", args);
    expect([isError, text]).toEqual([true, expect.stringContaining(sentence)]);
  }
});
