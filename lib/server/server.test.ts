import { appendFileSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FORMATS } from "@/lib/agents/agents";
import { decodeColumns } from "@/lib/core/columns/codec";
import * as contract from "@/lib/queries/contract/schemas";
import { counters } from "./base/counters";
import { listQuery } from "./list/list-query";
import { getServer } from "./server";
import { assistantLine, put, userLine } from "./testing/files";
import { ask, routeOf } from "./testing/routes";
import { idOf, listedSessions, servedFolder } from "./testing/serving";
import { LocalRunner } from "./threads/local-runner";

const health = routeOf("GET", "/api/health");
const openApi = routeOf("GET", "/api/openapi.json");
const boundary = routeOf("POST", "/api/sessions/{id}/boundary");
const breakdown = routeOf("GET", "/api/sessions/{id}/breakdown");
const columns = routeOf("GET", "/api/sessions/{id}/columns");
const contributors = routeOf("GET", "/api/sessions/{id}/contributors");
const cost = routeOf("GET", "/api/sessions/{id}/cost");
const events = routeOf("GET", "/api/sessions/{id}/events");
const fidelity = routeOf("GET", "/api/sessions/{id}/fidelity");
const items = routeOf("GET", "/api/sessions/{id}/items");
const replay = routeOf("POST", "/api/sessions/{id}/replay");
const session = routeOf("GET", "/api/sessions/{id}");
const sessions = routeOf("GET", "/api/sessions");
const sources = routeOf("GET", "/api/sources");
const removeUpload = routeOf("DELETE", "/api/uploads/{id}");
const upload = routeOf("POST", "/api/uploads");

const { base, mounted } = servedFolder();

beforeAll(() => {
  put(mounted, "a.jsonl", [userLine("One 会话.", "u1"), assistantLine("Two.".repeat(9000), "a1", "u1")].join("\n"));
  put(mounted, "text.jsonl", "not a session\n");
  vi.stubEnv("CONTEXT_REPLAY_MAX_UPLOAD", String(24 << 20));
});

/** Resolves when the background has read all that is listed. */
async function allIndexed(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { indexing } = contract.sessionPage.parse(await (await ask(sessions, "/", {})).json());
      expect(indexing.done).toBe(indexing.total);
    },
    { timeout: 60_000, interval: 100 },
  );
}

const tokensOf = async (response: Response) => decodeColumns(new Uint8Array(await response.arrayBuffer())).tokens;

describe("API answers", () => {
  it("follow the contract", async () => {
    const id = await idOf("a.jsonl");
    contract.health.parse(await (await ask(health, "/api/health", {})).json());
    contract.sourcesAnswer.parse(await (await ask(sources, "/api/sources", {})).json());
    contract.sessionAnswer.parse(await (await ask(session, "/", { id })).json());
    expect((await ask(session, "/?accuracy=nope", { id })).status).toBe(400);
    contract.breakdown.parse(await (await ask(breakdown, "/?at=0", { id })).json());
    contract.contributors.parse(await (await ask(contributors, "/?by=message&policy=custom", { id })).json());
    const priced = contract.cost.parse(await (await ask(cost, "/?ttl=1h&on=gpt-5.5", { id })).json());
    expect([priced.on, priced.withTtl?.ttl, priced.requests > 0]).toEqual(["gpt-5.5", "1h", true]);
    contract.itemsAnswer.parse(await (await ask(items, "/?from=0&to=500", { id })).json());
    contract.fidelityAnswer.parse(await (await ask(fidelity, "/", { id })).json());
    const at = JSON.stringify({ policy: "none", at: 0 });
    expect((await ask(boundary, "/", { id }, { method: "POST", body: at })).status).toBe(400);
    const body = JSON.stringify({ policy: "custom", settings: { triggerShare: 0.5 }, window: 5000 });
    const result = contract.replayResult.parse(await (await ask(replay, "/", { id }, { method: "POST", body })).json());
    expect(result).toMatchObject({ policy: "custom", settings: { triggerShare: 0.5 }, window: { source: "user" } });
  });

  it("are described by the OpenAPI document", async () => {
    const document = await (await ask(openApi, "/api/openapi.json", {})).json();
    expect(document.openapi).toBe("3.1.0");
    for (const ref of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(document.components.schemas)).toContain(ref[1]);
    }
  });

  it("shorten the texts of items, and contain one in full on request", async () => {
    const id = await idOf("a.jsonl");
    const clipped = await (await ask(items, "/?from=1&to=3", { id })).json();
    expect(clipped.items.map((item: { truncated: number }) => item.truncated)).toEqual([0, 16_000]);
    const whole = await (await ask(items, "/?from=2&to=3&full=1", { id })).json();
    expect(whole.items[0].text).toHaveLength(36_000);
  });

  it("list a file's metrics once it was read in the background", async () => {
    await vi.waitFor(
      async () => {
        const page = contract.sessionPage.parse(await (await ask(sessions, "/api/sessions", {})).json());
        expect(page.indexing).toEqual({ done: 2, total: 2 });
        expect(page.sessions.find((row) => row.name === "a.jsonl")?.summary?.requests).toBe(1);
        expect(page.sessions.find((row) => row.name === "text.jsonl")?.error).toContain("is not a transcript");
      },
      { timeout: 60_000, interval: 100 },
    );
  });
});

describe("the server", () => {
  it("computes columns once for any number of requests", async () => {
    const id = await idOf("a.jsonl");
    const path = "/api?tokens=o200k,bytes-4,own&measures=codex";
    const first = await Promise.all([1, 2, 3].map(() => ask(columns, path, { id })));
    expect(Object.keys(await tokensOf(first[0] ?? new Response()))).toEqual(["bytes-4", "o200k", "claude-code"]);
    const body = JSON.stringify({ policy: "codex", estimator: "o200k" });
    const askedAgain = async (): Promise<void> => {
      const before = { ...counters };
      const again = await ask(columns, path, { id });
      const tag = again.headers.get("etag") ?? "";
      const unchanged = await ask(columns, path, { id }, { headers: { "if-none-match": tag } });
      expect([again.status, unchanged.status]).toEqual([200, 304]);
      await ask(columns, "/?tokens=o200k", { id }, { headers: { "accept-encoding": "gzip" } });
      await ask(session, "/", { id });
      await ask(replay, "/", { id }, { method: "POST", body });
      expect(counters).toEqual(before);
    };
    // The background counts too, so one round in which it does nothing has to do.
    await vi.waitFor(askedAgain, { timeout: 60_000, interval: 100 });
  });

  it("makes a page of the list once while the list is unchanged", async () => {
    const query = listQuery.parse({});
    await allIndexed();
    const first = await getServer().listing.list(query);
    expect(await getServer().listing.list(query)).toBe(first);
    put(mounted, "another.jsonl", `${userLine("One.", "u1")}\n`);
    const asked = { timeout: 60_000, interval: 300 };
    await vi.waitFor(async () => expect(await getServer().listing.list(query)).not.toEqual(first), asked);
  });

  it("parses a file once for many simultaneous callers", async () => {
    const id = await uploaded([userLine("Several.", "u1"), assistantLine("At once.", "a1", "u1")].join("\n"));
    // The background reads it for the list, which is another reading.
    await allIndexed();
    const before = counters.filesParsed;
    await Promise.all([1, 2, 3, 4].map(() => ask(columns, "/", { id })));
    await ask(items, "/?from=0&to=2", { id });
    expect(counters.filesParsed - before).toBe(1);
  });

  it("computes columns again when the file has grown", async () => {
    put(mounted, "growing.jsonl", `${userLine("One.", "u1")}\n`);
    await vi.waitFor(async () => expect(await idOf("growing.jsonl")).not.toBe(""), { timeout: 60_000, interval: 300 });
    const id = await idOf("growing.jsonl");
    const first = await ask(columns, "/", { id });
    appendFileSync(join(mounted, "growing.jsonl"), `${assistantLine("Two.", "a1", "u1")}\n`);
    const second = await ask(columns, "/", { id }, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect(second.status).toBe(200);
    expect(decodeColumns(new Uint8Array(await second.arrayBuffer())).requests.length).toBe(1);
  });
});

describe("a file of unknown format", () => {
  const lines = [{ kind: "head" }, { role: "user", content: "One." }, { role: "assistant", content: "Two." }];
  const content = lines.map((line) => JSON.stringify(line)).join("\n");

  it("is refused with its beginning and the formats to try, the most likely first", async () => {
    const id = await uploaded(content);
    const response = await ask(session, "/", { id });
    const problem = contract.httpProblem.parse(await response.json());
    expect(response.status).toBe(422);
    expect(problem.detail).toContain("3 JSON records seen, first keys: kind, role, content.");
    expect(problem.formats?.[0]).toEqual({ format: "chat", messages: 2 });
    expect(problem.formats).toHaveLength(FORMATS.length);
  });

  it("is read in the selected format by every query", async () => {
    const id = `${await uploaded(content)}~chat`;
    const { summary } = contract.sessionAnswer.parse(await (await ask(session, "/", { id })).json());
    expect(summary).toMatchObject({ format: "chat", agent: null, messages: { user: 1, assistant: 1 } });
    expect(summary.records.unknown).toEqual({ "(no role)": 1 });
    expect(Object.keys(await tokensOf(await ask(columns, "/?tokens=o200k", { id })))).toEqual(["o200k"]);
    expect(Object.keys(await tokensOf(await ask(columns, "/?tokens=own", { id })))).toEqual(["bytes-4"]);
    const shown = await (await ask(items, "/?from=0&to=9", { id })).json();
    expect(shown.items.map((item: { text: string }) => item.text)).toEqual(["", "One.", "Two."]);
    expect((await ask(session, "/", { id: id.replace("chat", "nobodys") })).status).toBe(404);
  });

  it("gets no suggested formats if it holds no record", async () => {
    const response = await ask(session, "/", { id: await uploaded("not JSON\n") });
    expect(contract.httpProblem.parse(await response.json()).formats).toBeUndefined();
  });
});

describe("a file with several sessions", () => {
  const content = readFileSync("lib/agents/codex/fixtures/two-sessions.jsonl");

  it("is shown as a whole with its sessions, each of which can be requested", async () => {
    const id = await uploaded(content);
    const whole = contract.sessionAnswer.parse(await (await ask(session, "/", { id })).json());
    expect(whole.summary).toMatchObject({ requests: 2, fileSessions: { total: 2, chosen: null } });
    const chosen = `${id}~~0c-second`;
    const { id: own, summary } = contract.sessionAnswer.parse(await (await ask(session, "/", { id: chosen })).json());
    expect(own).toBe(chosen);
    expect(summary).toMatchObject({ requests: 1, sessionId: "0c-second", fileSessions: { chosen: "0c-second" } });
    const tokens = await tokensOf(await ask(columns, "/?tokens=o200k", { id: chosen }));
    expect(Object.keys(tokens)).toEqual(["o200k"]);
    const shown = await (await ask(items, "/?from=0&to=9", { id: `${id}~codex~0c-second` })).json();
    const texts = shown.items.map((item: { text: string }) => item.text);
    expect(texts).toEqual(["", "Copied from the origin.", "Rename the module.", "Renamed."]);
    const missing = await ask(session, "/", { id: `${id}~~elsewhere` });
    expect(missing.status).toBe(404);
    expect(contract.httpProblem.parse(await missing.json()).detail).toContain("it holds 0b-first, 0c-second.");
  });
});

describe("one session of a file with several", () => {
  const relatedTo = async (id: string) =>
    contract.sessionAnswer.parse(await (await ask(session, "/", { id })).json()).related;

  it("has its own relations to other files", async () => {
    const changed = (line: string, minute: string, of: string) =>
      line.replace('"s-1"', `"${of}"`).replace("09:00", minute);
    const first = [
      changed(userLine("One.", "p1"), "11:01", "s-8"),
      changed(assistantLine("Two.", "p2", "p1"), "11:02", "s-8"),
    ];
    const second = [
      changed(userLine("One.", "q1"), "11:03", "s-9"),
      changed(assistantLine("Two.", "q2", "q1"), "11:04", "s-9"),
    ];
    const more = changed(assistantLine("Three.", "q3", "q2"), "11:05", "s-9");
    put(mounted, "both.jsonl", [...first, ...second, more].join("\n"));
    put(mounted, "copy.jsonl", second.join("\n"));
    await vi.waitUntil(async () => {
      const page = contract.sessionPage.parse(await (await ask(sessions, "/api/sessions", {})).json());
      return page.sessions.some(({ name, summary }) => name === "copy.jsonl" && summary !== null);
    }, 60_000);
    const both = await idOf("both.jsonl");
    expect(await relatedTo(`${both}~~s-9`)).toMatchObject([{ kind: "has-copy", id: await idOf("copy.jsonl") }]);
    expect(await relatedTo(`${both}~~s-8`)).toEqual([]);
  });

  it("has its own relations to the other sessions of its file", async () => {
    const content = readFileSync("lib/agents/codex/fixtures/two-sessions.jsonl", "utf8");
    const id = await uploaded(content.replaceAll(/0b-first|0c-origin/g, "0d-first").replaceAll("2026-", "2025-"));
    const [first, second] = [`${id}~~0d-first`, `${id}~~0c-second`];
    expect(await relatedTo(second)).toMatchObject([{ kind: "fork-of", id: first, title: "Which test is slow?" }]);
    expect(await relatedTo(first)).toMatchObject([{ kind: "has-fork", id: second, title: "Copied from the origin." }]);
  });
});

describe("refused requests", () => {
  it.each([
    ["a wrong host", { host: "evil.example:3000" }, 421],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["another site's page", { "sec-fetch-site": "cross-site" }, 403],
  ])("%s", async (_what, headers, status) => {
    const response = await ask(sessions, "/api/sessions", {}, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    contract.httpProblem.parse(await response.json());
  });

  it.each([
    ["no such session", "/", "nowhere", session, 404],
    ["a path", "/", "../../etc/passwd", session, 404],
    ["too many items", "/?from=0&to=501", undefined, items, 400],
    ["items backwards", "/?from=5&to=2", undefined, items, 400],
    ["no such request", "/?at=9", undefined, breakdown, 400],
    ["no such model", "/?on=nobody-1", undefined, cost, 400],
    ["no such grouping", "/?by=colour", undefined, contributors, 400],
    ["no such policy", "/?policy=nope", undefined, contributors, 400],
    ["no such estimator", "/?tokens=nope", undefined, columns, 400],
  ])("%s", async (_what, path, id, route, status) => {
    const response = await ask(route, path, { id: id ?? (await idOf("a.jsonl")) });
    expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
    contract.httpProblem.parse(await response.json());
  });

  it.each([
    ["{", 400],
    ['{"policy":"nope"}', 400],
    ['{"policy":"custom","settings":{"nope":1}}', 400],
    ['{"policy":"custom","window":-1}', 400],
    [`"${"x".repeat(300_000)}"`, 413],
  ])("a replay of %.40s", async (body, status) => {
    const response = await ask(replay, "/", { id: await idOf("a.jsonl") }, { method: "POST", body });
    expect(response.status).toBe(status);
  });

  it("state the reason without the folder if the file is not a session", async () => {
    const response = await ask(session, "/", { id: await idOf("text.jsonl") });
    const text = await response.text();
    expect(response.status).toBe(422);
    expect(text).toContain("its one line is not a JSON object");
    expect(text).not.toContain(base);
  });
});

async function uploaded(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await ask(upload, "/api/uploads", {}, { method: "POST", body: content, headers });
  expect(response.status).toBe(201);
  return contract.uploadAnswer.parse(await response.json()).id;
}

describe("uploads", () => {
  it("are decompressed according to their content", async () => {
    const plain = [userLine("Packed.", "u1"), assistantLine("Read.", "a1", "u1")].join("\n");
    const id = await uploaded(gzipSync(plain), { "x-file-name": "session.jsonl.gz" });
    const { name, summary } = contract.sessionAnswer.parse(await (await ask(session, "/", { id })).json());
    expect([name, summary.requests, summary.title]).toEqual(["session.jsonl.gz", 1, "Packed."]);
    const shown = await (await ask(items, "/?from=1&to=3", { id })).json();
    expect(shown.items.map((item: { text: string }) => item.text)).toEqual(["Packed.", "Read."]);
  });

  it.each([
    ["cut off", "cut.jsonl.gz", gzipSync("{}\n").subarray(0, 12)],
    ["of another program", "notes.jsonl.gz", gzipSync("not a session\n")],
    ["an unknown database", "x.db", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4096)])],
  ])("appear under their file names in errors: %s", async (_, name, content) => {
    const id = await uploaded(new Uint8Array(content), { "x-file-name": name });
    const { detail } = contract.httpProblem.parse(await (await ask(session, "/", { id })).json());
    expect(detail).toMatch(new RegExp(`^${name} `));
    expect((await ask(removeUpload, "/", { id }, { method: "DELETE" })).status).toBe(204);
  });

  const leftovers = () => readdirSync(join(base, "data", "uploads")).filter((name) => name.startsWith(".tmp"));
  const send = (body: string, headers: Record<string, string>) =>
    ask(upload, "/api/uploads", {}, { method: "POST", body, headers });

  it("are listed, opened and removed", async () => {
    const content = [userLine("Uploaded.", "u1"), assistantLine("Yes.", "a1", "u1")].join("\n");
    const id = await uploaded(content, { "x-file-name": encodeURIComponent("我的.jsonl") });
    expect(await idOf("我的.jsonl")).toBe(id);
    expect(await (await ask(session, "/", { id })).json()).toMatchObject({
      upload: true,
      summary: { file: "我的.jsonl" },
    });
    expect((await ask(removeUpload, "/", { id }, { method: "DELETE" })).status).toBe(204);
    expect((await ask(session, "/", { id })).status).toBe(404);
  });

  it("stay unlisted after a removal during reading, until they are sent again", async () => {
    const lines = [userLine("Removed.", "u1"), assistantLine("Yes.", "a1", "u1")].join("\n");
    const id = await uploaded(lines, { "x-file-name": "removed.jsonl" });
    const { catalog, listing } = getServer();
    const entry = await catalog.get(id);
    const { path, name } = entry;
    const read = await new LocalRunner().ingest({ path, name, indexed: "prompts" });
    const readResult = async () => {
      listing.addResult(entry, read);
      await delay(200);
      return (await listedSessions()).find((row) => row.id === id)?.summary?.requests;
    };
    expect((await ask(removeUpload, "/", { id }, { method: "DELETE" })).status).toBe(204);
    expect(await readResult()).toBeUndefined();
    expect((await listedSessions()).map((row) => row.id)).not.toContain(id);
    expect(await uploaded(lines, { "x-file-name": "removed.jsonl" })).toBe(id);
    expect(await readResult()).toBe(1);
  });

  it("are read for the list soon, even without being opened", async () => {
    const content = [userLine("Listed.", "u1"), assistantLine("Yes.", "a1", "u1")].join("\n");
    const id = await uploaded(content);
    // All folders are scanned once a minute: a file read earlier was not found by a scan.
    await vi.waitFor(
      async () => {
        const page = contract.sessionPage.parse(await (await ask(sessions, "/?limit=50", {})).json());
        expect(page.sessions.find((row) => row.id === id)?.summary?.title).toBe("Listed.");
      },
      { timeout: 30_000, interval: 50 },
    );
  });

  it("of 20 MB arrive complete", async () => {
    const line = `${assistantLine("y".repeat(1 << 20), "a1", "u1")}\n`;
    const content = `${userLine("Long.", "u1")}\n${line.repeat(20)}`;
    const id = await uploaded(content, { "content-length": String(content.length) });
    const row = contract.sessionAnswer.parse(await (await ask(session, "/", { id })).json());
    expect(row.bytes).toBe(content.length);
  });

  it.each([
    ["cut off", "abc", { "content-length": "10" }, 400],
    ["above the limit", "abc", { "content-length": String(25 << 20) }, 413],
    ["with a wrong length", "abc", { "content-length": "x" }, 400],
  ])("leave no file if refused: %s", async (_what, body, headers, status) => {
    const response = await send(body, headers);
    expect(response.status).toBe(status);
    if (status === 413) expect(await response.text()).toContain("24 MiB");
    expect(leftovers()).toEqual([]);
  });

  it("are the only files that can be removed", async () => {
    const response = await ask(removeUpload, "/", { id: await idOf("a.jsonl") }, { method: "DELETE" });
    expect(response.status).toBe(403);
    expect(await idOf("a.jsonl")).not.toBe("");
  });
});

describe("session events", () => {
  let abort = new AbortController();
  afterEach(() => {
    abort.abort();
    abort = new AbortController();
  });

  it("report that the file has grown", async () => {
    const id = await idOf("a.jsonl");
    const response = await ask(events, "/", { id }, { signal: abort.signal });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    appendFileSync(join(mounted, "a.jsonl"), `\n${userLine("Three.", "u2", "a1")}\n`);
    expect(await eventOf(response, "changed")).toMatchObject({ type: "changed" });
  });

  it("report a file as being written if it changed recently, and never an upload", async () => {
    const liveOf = async (id: string) => eventOf(await ask(events, "/", { id }, { signal: abort.signal }), "live");
    expect(await liveOf(await idOf("a.jsonl"))).toEqual({ type: "live", live: true });
    const longAgo = Date.now() / 1000 - 120;
    utimesSync(join(mounted, "a.jsonl"), longAgo, longAgo);
    expect(await liveOf(await idOf("a.jsonl"))).toEqual({ type: "live", live: false });
    expect(await liveOf(await uploaded(`${userLine("Whole.", "u1")}\n`))).toEqual({ type: "live", live: false });
  });

  /** The first event of a type. */
  async function eventOf(response: Response, type: string): Promise<unknown> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes(`event: ${type}`)) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    const data = new RegExp(`event: ${type}\ndata: (.*)\n\n`).exec(text)?.[1] ?? "";
    return contract.sessionEvent.parse(JSON.parse(data));
  }
});
