import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LocalRunner } from "../threads/local-runner";

/** The layout of OpenClaw's folder, made for each test. */
const root = mkdtempSync(join(tmpdir(), "openclaw-layout-"));
afterAll(() => rmSync(root, { recursive: true }));

const runner = new LocalRunner();
let made = 0;

interface Layout {
  readonly models?: unknown;
  readonly sessions?: unknown;
  readonly config?: unknown;
  /** Model and input tokens of each response. */
  readonly responses: readonly (readonly [model: string, input: number])[];
  /** The provider's answer to one more prompt. */
  readonly error?: string;
  readonly ended?: string;
}

function entry(id: number, ended: string, more: object) {
  return { id: `e${id}`, parentId: id === 1 ? null : `e${id - 1}`, timestamp: ended, ...more };
}

async function windowOf({ models, sessions, config, responses, error, ended = "2026-06-10T09:00:00.000Z" }: Layout) {
  const home = join(root, `home${made++}`);
  const agent = join(home, "agents", "main");
  mkdirSync(join(agent, "agent"), { recursive: true });
  mkdirSync(join(agent, "sessions"));
  const texts = responses.map(([model, input]) => ({
    message: { role: "assistant", model, content: [{ type: "text", text: "Pears." }], usage: { input, output: 5 } },
  }));
  const failed = error === undefined ? [] : [{ message: { role: "assistant", content: [], errorMessage: error } }];
  const records = [
    { type: "session", version: 3, id: "s", timestamp: ended, cwd: "/home/mia" },
    entry(1, ended, { type: "custom", customType: "model-snapshot", data: {} }),
    ...[...texts, ...failed].map((message, at) => entry(at + 2, ended, { type: "message", ...message })),
  ];
  const path = join(agent, "sessions", "s.jsonl");
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
  if (models !== undefined) writeFileSync(join(agent, "agent", "models.json"), JSON.stringify(models));
  if (sessions !== undefined) writeFileSync(join(agent, "sessions", "sessions.json"), JSON.stringify(sessions));
  if (config !== undefined) writeFileSync(join(home, "openclaw.json"), JSON.stringify(config));
  return (await runner.ingest({ path, summaryOnly: true })).summary.contextWindow;
}

const models = {
  providers: {
    ollama: { models: [{ id: "llama3", contextWindow: 8192 }] },
    deepseek: {
      models: [
        { id: "deepseek-chat", contextWindow: 128_000 },
        { id: "__proto__", contextWindow: "odd" },
      ],
    },
  },
};
const sessions = { "agent:main:main": { sessionId: "s", contextTokens: 64_000, model: "gemma" } };
const error = "400 This model's maximum context length is 131072 tokens. However, you requested 140210 tokens";

describe("the window of an OpenClaw session", () => {
  it("is that of its model in agent/models.json", async () => {
    const expected = { tokens: 8192, source: "settings", from: "models.json" };
    expect(await windowOf({ models, sessions, error, responses: [["llama3", 3000]] })).toEqual(expected);
    expect(await windowOf({ models, responses: [["ollama/llama3", 3000]] })).toEqual(expected);
  });

  it("is that of sessions.json for the model that it names", async () => {
    const expected = { tokens: 64_000, source: "settings", from: "sessions.json" };
    expect(await windowOf({ models, sessions, error, responses: [["gemma", 3000]] })).toEqual(expected);
    expect(await windowOf({ sessions, responses: [["other", 3000]] })).toEqual({ tokens: 200_000, source: "default" });
  });

  it("comes from an overflow error if there is no file", async () => {
    const expected = { tokens: 131_072, source: "recorded", from: "error" };
    expect(await windowOf({ models, error, responses: [["other", 3000]] })).toEqual(expected);
  });

  it.each([
    ["400 This model's maximum context length is 131072 tokens. However, you requested 140210 tokens", 131_072],
    ["Requested token count exceeds the model's maximum context length of 131,072 tokens", 131_072],
    ["prompt is too long: 212345 tokens > 200000 maximum", 200_000],
    ["input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length", 200_000],
    ["The input token count (1200345) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
    ["Prompt contains 40123 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32_768],
    ["the request exceeds the available context size (4096 tokens), try increasing it", 4096],
    ["prompt token count of 140123 exceeds the limit of 128000", 128_000],
  ])("comes from a provider's overflow error: %s", async (text, tokens) => {
    expect(await windowOf({ error: text, responses: [["other", 3000]] })).toEqual({
      tokens,
      source: "recorded",
      from: "error",
    });
  });

  it("changes with the model of each request", async () => {
    expect(
      await windowOf({
        models,
        responses: [
          ["llama3", 3000],
          ["llama3", 3100],
          ["deepseek-chat", 3200],
        ],
      }),
    ).toEqual({
      tokens: 128_000,
      source: "settings",
      from: "models.json",
      changes: [
        { request: 0, tokens: 8192 },
        { request: 2, tokens: 128_000 },
      ],
    });
  });

  it("is capped by the agents' limit in the configuration until version 2026.8", async () => {
    const config = { agents: { defaults: { contextTokens: 90_000 } } };
    const responses = [["deepseek-chat", 3000]] as const;
    expect(await windowOf({ models, config, responses })).toEqual({
      tokens: 90_000,
      source: "settings",
      from: "openclaw.json",
      byPreset: [{ preset: "current", tokens: 128_000, source: "settings", from: "models.json" }],
    });
    expect(await windowOf({ models, config, responses, ended: "2026-10-01T09:00:00.000Z" })).toMatchObject({
      tokens: 128_000,
    });
  });

  it("comes from the configuration rather than from agent/models.json", async () => {
    const config = { models: { providers: { ollama: { models: [{ id: "llama3", contextWindow: 16_384 }] } } } };
    const expected = { tokens: 16_384, source: "settings", from: "openclaw.json" };
    expect(await windowOf({ models, config, responses: [["llama3", 3000]] })).toEqual(expected);
  });

  it("is the default if the files hold anything else", async () => {
    const odd = { models: ["x"], sessions: 5, config: null, responses: [["llama3", 3000]] as const };
    expect(await windowOf(odd)).toEqual({ tokens: 200_000, source: "default" });
  });
});
