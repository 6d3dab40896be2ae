import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { summaryPreviewAnswer } from "@/lib/queries/contract/schemas";
import { MASK } from "@/lib/server/secrets/mask-secrets";
import {
  answersChat,
  answersMessages,
  chatPiece,
  startEndpoint,
  startStream,
  type TestEndpoint,
} from "@/lib/server/testing/endpoint";
import { put } from "@/lib/server/testing/files";
import { commandLine } from "../testing/program";

const { run, folder } = commandLine();
const SAMPLE = join("public", "samples", "claude-code-duplicate-shipments.jsonl");
const SECRET = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`;
const SUMMARY = "The fix is in src/shipments/shipment-service.ts; createShipment and never_used_name matter.";

let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startEndpoint(answersChat([SUMMARY]));
});
afterEach(() => endpoint.behave(answersChat([SUMMARY])));
afterAll(() => endpoint.close());

const env = { CONTEXT_REPLAY_DATA: join(folder, "data"), CONTEXT_REPLAY_SUMMARIZER_KEY: "key-of-nobody" };
const simulated = ["--policy", "mini-claude-code", "--window", "128000", "--counting", "estimate", "--boundary", "46"];

function summarize(file: string, ...more: readonly string[]) {
  const to = ["--summarizer", `${endpoint.origin}/v1`, "--model", "gpt-5"];
  return run(["summarize", file, ...to, ...more], "", env);
}

async function answerOf(...more: readonly string[]) {
  const { out, code, err } = await summarize(SAMPLE, ...simulated, "--json", ...more);
  return { code, err, answer: summaryPreviewAnswer.parse(JSON.parse(out)) };
}

describe("summarize", () => {
  it("shows the whole request, and sends nothing without --yes", async () => {
    const before = endpoint.seen.length;
    const { code, out } = await summarize(SAMPLE, ...simulated);
    expect(code).toBe(0);
    expect(out).toContain(
      `to ${endpoint.host}: ${endpoint.origin}/v1/chat/completions, not encrypted, model gpt-5, with a key\n`,
    );
    expect(out).toMatch(/\n386,\d{3} bytes, 89,\d{3} tokens by claude-code; \$0\.11\d+ for it and/);
    expect(out).toMatch(/\n--- user ---\n\[user\]\nSince the weekend/);
    expect(out).toMatch(/\nNothing was sent\. With --yes this is sent, and nothing else\.\n$/);
    expect(out).not.toContain("key-of-nobody");
    expect(endpoint.seen.length).toBe(before);
  });

  it("computes the price from the user's own price list", async () => {
    const rows = [{ model: "gpt-5", input: 1000, output: 10_000 }];
    const { answer } = await answerOf("--prices", put(folder, "own-prices.json", JSON.stringify({ rows })));
    expect(answer.preview?.usd?.prompt).toBeCloseTo((answer.preview?.tokens ?? 0) / 1000, 6);
    expect(answer.preview?.usd?.answer).toBeCloseTo(answer.summaryTokens / 100, 6);
    const broken = put(folder, "broken-prices.json", '{"rows": []}');
    const { code, err } = await summarize(SAMPLE, ...simulated, "--prices", broken);
    expect([code, err]).toEqual([2, expect.stringContaining("broken-prices.json")]);
  });

  it("with --yes sends the shown request, stores the answers, and compares them with re-fetched content", async () => {
    const { answer: shown } = await answerOf();
    const before = endpoint.seen.length;
    const { code, answer } = await answerOf("--yes", "--samples", "3");
    expect([code, endpoint.seen.length - before, answer.made.length]).toEqual([0, 3, 3]);
    const sent = endpoint.seen.at(-1);
    expect(Buffer.byteLength(sent?.body ?? "")).toBe(shown.preview?.bytes);
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({
      model: "gpt-5",
      messages: [{ role: "system", content: shown.preview?.system }, ...(shown.preview?.messages ?? [])],
    });
    const [made] = answer.made;
    expect(made).toMatchObject({ text: SUMMARY, isCut: false, usage: { input: 1200, output: 34 } });
    // The summary enters the context with a title and a note around it.
    expect(made?.tokens).toBeGreaterThan(made?.textTokens ?? 0);
    expect(made?.score?.paths).toMatchObject({ named: 1, namedUsed: 1 });
    expect(made?.score?.names).toMatchObject({ named: 2 });
    const again = await answerOf();
    expect(again.answer.made).toEqual(answer.made);
  });

  it("stores answers without prompt and key, readable only by the owner", async () => {
    await answerOf("--yes");
    const kept = join(env.CONTEXT_REPLAY_DATA, "summaries");
    const files = readdirSync(kept, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(statSync(join(kept, file)).mode & 0o077).toBe(0);
      expect(readFileSync(join(kept, file), "utf8")).not.toMatch(/key-of-nobody|Since the weekend/);
    }
  });

  it("uses the Messages protocol if the address or an option selects it", async () => {
    endpoint.behave(answersMessages(["By Messages."]));
    const { answer } = await answerOf("--protocol", "messages", "--yes");
    expect(answer.made.at(-1)?.text).toBe("By Messages.");
    expect(endpoint.seen.at(-1)?.path).toBe("/v1/messages");
    expect(answer.summarizer.protocol).toBe("messages");
  });

  it("masks likely secrets before sending", async () => {
    const text = readFileSync(SAMPLE, "utf8").replace("Since the weekend", `My token is ${SECRET}. Since the weekend`);
    const { out } = await summarize(put(folder, "secret.jsonl", text), ...simulated, "--yes");
    expect(out).toContain("masked: 1 likely secret (github 1)");
    expect(out).toContain(`My token is ${MASK}. Since`);
    expect(out).not.toContain(SECRET);
    expect(endpoint.seen.at(-1)?.body).toContain(`My token is ${MASK}. Since`);
    expect(endpoint.seen.at(-1)?.body).not.toContain(SECRET);
  });

  it.each([
    [SAMPLE, "47", "The prompt that this agent sends for a summary is not known"],
    [join("public", "samples", "codex-sliding-window.jsonl"), "32", "The provider compacts on its server"],
  ])("rejects a compaction whose prompt is unknown: %s", async (file, boundary, sentence) => {
    const before = endpoint.seen.length;
    const { code, out } = await summarize(file, "--boundary", boundary, "--yes");
    expect(code).toBe(1);
    expect(out).toContain(sentence);
    expect(endpoint.seen.length).toBe(before);
  });

  it("takes the prompt of a recorded compaction from the recording's agent", async () => {
    const local = join("lib", "agents", "codex", "fixtures", "compacted-locally.jsonl");
    const { err } = await summarize(local, "--boundary", "999");
    const [boundary = ""] = /known: (\d+)/.exec(err)?.slice(1) ?? [];
    const { out, code } = await summarize(local, "--boundary", boundary);
    expect(code).toBe(0);
    expect(out).toMatch(/^codex@/);
    expect(out).toContain("You are performing a CONTEXT CHECKPOINT COMPACTION.");
  });

  it("reports a failure in one sentence, and keeps earlier summaries", async () => {
    const { answer: before } = await answerOf();
    let calls = 0;
    endpoint.behave((response, request) => {
      calls += 1;
      if (calls === 1) return answersChat(["The first."])(response, request);
      response.writeHead(429, { "retry-after": "30" });
      response.end();
    });
    const { code, err, answer } = await answerOf("--yes", "--samples", "3");
    expect([code, calls]).toEqual([1, 2]);
    expect(err).toContain(
      `context-replay: ${endpoint.host} takes no more requests for now (429); it asks to wait 30 s.\n`,
    );
    expect(answer.made.map(({ text }) => text)).toEqual([...before.made.map(({ text }) => text), "The first."]);
  });

  it("stops after the timeout that the user gives", async () => {
    endpoint.behave((response) => {
      startStream(response);
      response.write(chatPiece("Half"));
    });
    const to = ["--summarizer", endpoint.origin, "--model", "gpt-5", "--yes"];
    const slow = { ...env, CONTEXT_REPLAY_SUMMARIZER_TIMEOUT: "0.3" };
    const { code, err } = await run(["summarize", SAMPLE, ...simulated, ...to], "", slow);
    expect([code, err]).toEqual([
      1,
      `context-replay: ${endpoint.host} took longer than 0 s, so the connection was closed.\n`,
    ]);
  });

  it("rejects an address that contains a key, and too many samples", async () => {
    const address = ["--summarizer", "https://me:hidden@x.example/v1", "--model", "m"];
    const wrong = await run(["summarize", SAMPLE, ...simulated, ...address], "", env);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("may not hold a key")]);
    expect(wrong.err).not.toContain("hidden");
    expect((await summarize(SAMPLE, ...simulated, "--samples", "6")).code).toBe(2);
    expect((await run(["serve", "--model", "m"], "", env)).code).toBe(2);
  });
});
