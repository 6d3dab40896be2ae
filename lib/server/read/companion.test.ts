import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/files";
import { GrowingTranscript, readTranscript } from "./read-transcript";
import { SourceFile } from "./source-file";

const root = temporaryFolder();
let tasks = 0;

const ENVIRONMENT = { type: "text", text: "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>" };
const MODE = { type: "text", text: "<environment_details>\n# Current Mode\n<slug>code</slug>\n</environment_details>" };

const BEGIN = Date.UTC(2026, 0, 1);

/** Messages of a task: prompts and responses, one pair every ten seconds. */
function history(responses: number, state: object) {
  return Array.from({ length: responses }, (_, turn) => [
    { role: "user", content: [{ type: "text", text: `Step ${turn}` }, state], ts: BEGIN + 10_000 * turn + 2000 },
    { role: "assistant", content: [{ type: "text", text: `Done ${turn}` }], ts: BEGIN + 10_000 * turn + 9000 },
  ]).flat();
}

const request = (ts: number, usage: object, more: object = {}) => ({
  ...{ ts: BEGIN + ts, type: "say", say: "api_req_started", text: JSON.stringify(usage) },
  ...more,
});

/** Writes a task's two files and reads it. */
function read(messages: object, screen: unknown, name = "api_conversation_history.json") {
  const folder = join(root, `task${tasks++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, name), JSON.stringify(messages));
  if (screen !== undefined)
    writeFileSync(join(folder, "ui_messages.json"), typeof screen === "string" ? screen : JSON.stringify(screen));
  const { transcript } = readTranscript(join(folder, name));
  return { ...transcript, usages: transcript.requests.map(({ usage }) => usage) };
}

describe("Roo Code", () => {
  it("takes each response's usage from the last request that began before it; the input includes the cached part", () => {
    const { format, usages } = read(history(3, MODE), [
      { ts: 500, type: "say", say: "text", text: "Step 0" },
      request(1000, {
        apiProtocol: "anthropic",
        tokensIn: 900,
        tokensOut: 30,
        cacheWrites: 800,
        cacheReads: 0,
        cost: 0.5,
      }),
      // A failed attempt, and its repetition.
      request(11_000, { apiProtocol: "anthropic" }),
      request(12_000, { apiProtocol: "anthropic", tokensIn: 1000, tokensOut: 40, cacheWrites: 150, cacheReads: 800 }),
      request(21_000, { apiProtocol: "anthropic", tokensIn: 0, tokensOut: 0, cacheWrites: 0, cacheReads: 0, cost: 0 }),
    ]);
    expect(format).toBe("roo-code");
    expect(usages).toEqual([
      { input: 100, cacheRead: 0, cacheWrite: 800, output: 30, ownCost: 0.5 },
      { input: 50, cacheRead: 800, cacheWrite: 150, output: 40, ownCost: undefined },
      undefined,
    ]);
  });

  it("reads a release whose input excludes the cached part, as one request with less input than that shows", () => {
    const { usages } = read(history(2, MODE), [
      request(1000, { apiProtocol: "anthropic", tokensIn: 900, tokensOut: 30, cacheWrites: 800, cacheReads: 0 }),
      request(11_000, { apiProtocol: "anthropic", tokensIn: 4, tokensOut: 40, cacheWrites: 150, cacheReads: 800 }),
    ]);
    expect(usages.map((usage) => [usage?.input, usage?.cacheRead, usage?.cacheWrite])).toEqual([
      [900, 0, 800],
      [4, 800, 150],
    ]);
  });

  it("gives a summary and a truncation their sizes", () => {
    const [first, answer, ...later] = history(3, MODE);
    const condensed = [
      { ...first, condenseParent: "k" },
      { ...answer, condenseParent: "k" },
      { role: "user", content: "## Conversation Summary\nDone.", ts: BEGIN + 9500, isSummary: true, condenseId: "k" },
      ...later,
    ];
    const contextCondense = {
      condenseId: "k",
      prevContextTokens: 950,
      newContextTokens: 120,
      cost: 0.1,
      summary: "Done.",
    };
    const { boundaries } = read(condensed, [{ ts: 9600, type: "say", say: "condense_context", contextCondense }]);
    expect(boundaries).toMatchObject([{ tokensBefore: 950, tokensAfter: 120 }]);

    const [start, ...rest] = history(4, MODE);
    const hidden = rest.map((message, at) => (at < 2 ? { ...message, truncationParent: "t" } : message));
    const marker = {
      role: "user",
      content: "[hidden]",
      ts: BEGIN + 30_000,
      isTruncationMarker: true,
      truncationId: "t",
    };
    const contextTruncation = { truncationId: "t", messagesRemoved: 2, prevContextTokens: 970, newContextTokens: 400 };
    const truncated = read(
      [start, ...hidden.slice(0, 2), marker, ...hidden.slice(2)],
      [{ ts: 30_100, type: "say", say: "sliding_window_truncation", contextTruncation }],
    );
    expect(truncated.boundaries).toMatchObject([{ tokensBefore: 970, tokensAfter: 400 }]);
  });
});

describe("Cline", () => {
  const shown = (index: number, range?: readonly number[]) => ({
    conversationHistoryIndex: index,
    ...(range === undefined ? {} : { conversationHistoryDeletedRange: range }),
  });
  const usage = (tokensIn: number) => ({ request: "…", tokensIn, tokensOut: 10, cacheWrites: 20, cacheReads: 700 });
  const untimed = history(4, ENVIRONMENT).map(({ ts: _, ...message }) => message);

  it("finds a response's usage by its place in the list; the input excludes the cached part", () => {
    const { format, usages } = read(untimed, [
      request(1000, usage(1000), shown(-1)),
      request(2000, usage(1100), shown(1)),
      request(3000, usage(1200), shown(5)),
    ]);
    expect(format).toBe("cline");
    expect(usages.map((one) => [one?.input, one?.cacheRead])).toEqual([
      [1000, 700],
      [1100, 700],
      [undefined, undefined],
      [1200, 700],
    ]);
  });

  it("keeps the usage of a response whose request the screen does not show", () => {
    const metrics = { tokens: { prompt: 800, completion: 5, cached: 0 } };
    const messages = untimed.map((message) => (message.role === "assistant" ? { ...message, metrics } : message));
    expect(read(messages, []).usages[0]).toMatchObject({ input: 800, output: 5 });
  });

  it("places a truncation before the request whose messages first have a larger deleted range", () => {
    const text = (index: number, range?: readonly number[]) => ({
      ts: 1,
      type: "say",
      say: "text",
      ...shown(index, range),
    });
    const { boundaries, requests } = read(untimed, [
      ...[request(1000, usage(1000), shown(-1)), text(0)],
      ...[request(2000, usage(1100), shown(1)), text(2)],
      ...[request(3000, usage(1200), shown(3)), text(4, [2, 3])],
      ...[request(4000, usage(1300), shown(5, [2, 3])), text(6, [2, 3])],
    ]);
    // Messages 0 to 4 precede the third response, and their parts are two messages for each of the user's.
    expect(boundaries).toMatchObject([{ kind: "compaction", message: requests[2]?.message, trigger: "unknown" }]);
    expect(boundaries[0]?.kept).toEqual([0, 1, 2, 6, 7]);
  });
});

describe("Mistral Vibe", () => {
  const MESSAGE = `${JSON.stringify({ role: "user", content: "Fix it.", injected: false, message_id: "m" })}\n`;
  const META = {
    ...{ session_id: "s2", parent_session_id: "s1", git_branch: "fix", title: "Fix it", title_source: "auto" },
    environment: { working_directory: "/work/shop" },
    stats: { session_prompt_tokens: 5000, session_completion_tokens: 40 },
  };
  const folder = (name: string, meta: object) => {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "messages.jsonl"), MESSAGE);
    writeFileSync(join(root, name, "meta.json"), JSON.stringify(meta));
    return join(root, name, "messages.jsonl");
  };

  it("takes id, project, branch and the session before it from its metadata, and no usage from their sums", () => {
    const path = folder("vibe", META);
    const growing = SourceFile.use(path, (file) => new GrowingTranscript({ path }).read(file));
    for (const { transcript } of [readTranscript(path), growing]) {
      expect(transcript).toMatchObject({ sessionId: "s2", project: "/work/shop", branch: "fix" });
      expect(transcript.links.parents).toEqual([{ session: "s1", kind: "fork" }]);
      expect(transcript.requests).toEqual([]);
    }
  });

  it("takes a title that the user gave, and ignores odd values", () => {
    expect(
      readTranscript(folder("vibe-title", { ...META, title: "Port", title_source: "manual" })).transcript.title,
    ).toBe("Port");
    const { transcript } = readTranscript(folder("vibe-odd", { session_id: 7, environment: [], git_branch: {} }));
    expect([transcript.sessionId, transcript.project, transcript.branch]).toEqual([undefined, undefined, undefined]);
  });
});

describe("a task is read alone", () => {
  const screen = [request(1000, { tokensIn: 900, tokensOut: 30 })];

  it.each([
    ["without the other file", undefined],
    ["beside a damaged file", "[{"],
    ["beside another kind of file", { ts: 1 }],
    [
      "beside odd entries",
      [null, 7, { ts: "x", say: "api_req_started", text: "{" }, request(Number.NaN, { tokensIn: "9" })],
    ],
  ])("%s", (_, beside) => {
    expect(read(history(1, MODE), beside).usages).toEqual([undefined]);
  });

  it("under another name", () => {
    expect(read(history(1, MODE), screen, "copy.json").usages).toEqual([undefined]);
    expect(read(history(1, MODE), screen).usages).toHaveLength(1);
    expect(read(history(1, MODE), screen).usages[0]).toBeDefined();
  });

  it("beside a link", () => {
    const folder = join(root, "linked");
    mkdirSync(folder);
    writeFileSync(join(folder, "api_conversation_history.json"), JSON.stringify(history(1, MODE)));
    writeFileSync(join(root, "elsewhere.json"), JSON.stringify(screen));
    symlinkSync(join(root, "elsewhere.json"), join(folder, "ui_messages.json"));
    const { transcript } = readTranscript(join(folder, "api_conversation_history.json"));
    expect(transcript.requests.map(({ usage }) => usage)).toEqual([undefined]);
  });
});
