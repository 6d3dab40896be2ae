import { mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ServerConfig } from "../../base/config";
import { UploadStore } from "../../store/upload-store";
import { put, temporaryFolder } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import { Catalog } from "./catalog";
import { Databases } from "./databases";
import { isInside, sourcesOf } from "./sources";
import { findStores } from "./stores";

const base = temporaryFolder();
const home = join(base, "home");
const mounted = join(base, "mounted");
const secret = join(base, "secret");

function configured(change: Partial<ServerConfig> = {}): ServerConfig {
  const dataDir = join(base, "data");
  return {
    root: join(base, "program"),
    host: "127.0.0.1",
    packs: false,
    dirs: [mounted],
    dataDir,
    maxUploadBytes: 1000,
    cacheBytes: 0,
    indexText: "prompts",
    home,
    env: {},
    ...change,
  };
}

const runner = new LocalRunner();

function catalog(config = configured()): Catalog {
  const uploads = new UploadStore(join(config.dataDir, "uploads"), config.maxUploadBytes);
  return new Catalog(
    sourcesOf(config),
    uploads,
    () => findStores(config),
    new Databases((path) => runner.database({ path })),
  );
}

const names = async (listed: Catalog) => (await listed.list()).map((entry) => entry.name).sort();

beforeEach(() => {
  for (const folder of [home, mounted, secret, join(base, "program"), join(base, "data")]) {
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync(join(mounted, "deep", "er"), { recursive: true });
  mkdirSync(secret);
  mkdirSync(join(base, "program", "public", "samples"), { recursive: true });
  put(join(base, "program", "public", "samples"), "sample.jsonl", "{}");
});

describe("sources", () => {
  it("are the agents' own folders, which an environment variable may move", async () => {
    const moved = join(base, "moved");
    mkdirSync(join(moved, "sessions", "2026", "01"), { recursive: true });
    mkdirSync(join(home, ".claude", "projects", "p"), { recursive: true });
    put(join(moved, "sessions", "2026", "01"), "rollout-1.jsonl", "{}");
    put(join(moved, "sessions", "2026", "01"), "notes.jsonl", "{}");
    put(join(home, ".claude", "projects", "p"), "s.jsonl", "{}");
    const entries = await catalog(configured({ dirs: [], env: { CODEX_HOME: moved } })).list();
    expect(entries.map((entry) => [entry.name, entry.agent]).sort()).toEqual([
      ["rollout-1.jsonl", "codex"],
      ["s.jsonl", "claude-code"],
    ]);
  });

  it.each([
    ["CLAUDE_CONFIG_DIR", "claude-code", "projects/-p/s.jsonl"],
    ["CODEX_HOME", "codex", "archived_sessions/rollout-1.jsonl.zst"],
    ["QWEN_RUNTIME_DIR", "qwen-code", "projects/p/chats/s.jsonl"],
    ["QWEN_HOME", "qwen-code", "projects/p/subagents/s/agent-a.jsonl"],
    ["OPENCLAW_STATE_DIR", "openclaw", "agents/main/sessions/s.jsonl.deleted.2026-01-01T00-00-00.000Z"],
    ["OPENCLAW_HOME", "openclaw", ".openclaw/agents/main/sessions/s.jsonl.reset.1"],
    ["PI_CODING_AGENT_DIR", "pi", "sessions/--p--/2026-01-01T00-00-00-000Z_s.jsonl"],
    ["PI_CODING_AGENT_SESSION_DIR", "pi", "--p--/2026-01-01T00-00-00-000Z_s.jsonl"],
    ["GEMINI_CLI_HOME", "gemini-cli", ".gemini/tmp/p/chats/session-2026-01-01T00-00-abcdef12.json"],
  ])("are found in the folder that the variable %s names", async (variable, agent, file) => {
    const moved = join(base, "by-variable");
    rmSync(moved, { recursive: true, force: true });
    mkdirSync(join(moved, dirname(file)), { recursive: true });
    put(moved, file, "{}");
    put(join(moved, dirname(file)), "notes.txt", "{}");
    const entries = await catalog(configured({ dirs: [], env: { [variable]: moved } })).list();
    expect(entries.map((entry) => [entry.name, entry.agent])).toEqual([[basename(file), agent]]);
  });

  it.each([
    ["claude-code", ".claude/projects/-p/7b1e.jsonl", undefined],
    ["claude-code", ".config/claude/projects/-p/7b1e/subagents/agent-a1.jsonl", undefined],
    ["codex", ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-0f.jsonl", undefined],
    ["codex", ".codex/archived_sessions/rollout-2026-01-02T03-04-05-0f.jsonl", "archived"],
    ["codex", ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-0f.jsonl.zst", undefined],
    ["dsh", ".dsh/sessions/--work-shop--/d5a0/session.jsonl.zstd", undefined],
    ["qwen-code", ".qwen/projects/-p/chats/9c.jsonl", undefined],
    ["qwen-code", ".qwen/projects/-p/subagents/9c/agent-x.jsonl", undefined],
    ["openclaw", ".openclaw/agents/main/sessions/5d-topic-1.jsonl", undefined],
    ["openclaw", ".openclaw/agents/main/sessions/5d.jsonl.reset.2026-01-01T00-00-00.000Z", "reset"],
    ["openclaw", ".clawdbot/agents/main/sessions/5d.jsonl.deleted.2026-01-01T00-00-00.000Z", "deleted"],
    ["openclaw", ".moltbot/agents/main/sessions/5d.jsonl", undefined],
    ["openclaw", ".moldbot/agents/main/sessions/5d.jsonl", undefined],
    ["clawdcode", ".clawdcode/projects/-home-ada/V1StGX.jsonl", undefined],
    ["pi", ".pi/agent/sessions/--home-ada--/2026-01-02T03-04-05-006Z_ab.jsonl", undefined],
    ["gemini-cli", ".gemini/tmp/p/chats/session-2026-01-02T03-04-0f3a91bc.json", undefined],
    ["gemini-cli", ".gemini/tmp/p/chats/0f3a/sub.jsonl", undefined],
  ])("include the default folder of %s: %s", async (agent, file, variant) => {
    mkdirSync(join(home, dirname(file)), { recursive: true });
    put(home, file, "{}");
    const entries = await catalog(configured({ dirs: [] })).list();
    expect(entries.map(({ name, agent, placed }) => [name, agent, placed.variant])).toEqual([
      [basename(file), agent, variant],
    ]);
  });

  it("may be links, but links out of them are not followed", async () => {
    const real = join(base, "real-home");
    rmSync(real, { recursive: true, force: true });
    mkdirSync(join(real, "projects", "-p"), { recursive: true });
    mkdirSync(home);
    put(join(real, "projects", "-p"), "own.jsonl", "{}");
    put(secret, "other.jsonl", "{}");
    symlinkSync(join(secret, "other.jsonl"), join(real, "projects", "-p", "leads-out.jsonl"));
    symlinkSync(join(real, "projects", "-p", "own.jsonl"), join(real, "projects", "-p", "leads-back.jsonl"));
    symlinkSync(real, join(home, ".claude"));
    const entries = await catalog(configured({ dirs: [] })).list();
    expect(new Set(entries.map(({ path }) => basename(path)))).toEqual(new Set(["own.jsonl"]));
    expect(entries.map(({ agent }) => agent)).toEqual(["claude-code"]);
  });

  it("are several folders if the agent's variable lists several", async () => {
    const [one, two] = [join(base, "one"), join(base, "two")];
    for (const folder of [one, two]) {
      mkdirSync(join(folder, "projects", "p"), { recursive: true });
      put(join(folder, "projects", "p"), `${basename(folder)}.jsonl`, "{}");
    }
    const listed = catalog(configured({ dirs: [], env: { CLAUDE_CONFIG_DIR: `${one}, ${two}` } }));
    expect(await names(listed)).toEqual(["one.jsonl", "two.jsonl"]);
  });

  it("leave out files that are not sessions", async () => {
    for (const folder of ["tmp/p/chats", "tmp/p/logs"]) mkdirSync(join(home, ".gemini", folder), { recursive: true });
    put(join(home, ".gemini", "tmp/p/chats"), "s.jsonl", "{}");
    put(join(home, ".gemini", "tmp/p/logs"), "log.jsonl", "{}");
    expect(await names(catalog(configured({ dirs: [] })))).toEqual(["s.jsonl"]);
  });

  it("take titles and parent sessions from an agent's own session index", async () => {
    const folder = join(home, ".openclaw", "agents", "main", "sessions");
    mkdirSync(folder, { recursive: true });
    for (const name of ["one.jsonl", "two.jsonl"]) put(folder, name, "{}");
    const store = {
      "agent:main:main": { sessionId: "one", updatedAt: 1, label: "The shop" },
      "agent:main:subagent:x": { sessionId: "two", updatedAt: 2, spawnedBy: "agent:main:main" },
    };
    put(folder, "sessions.json", JSON.stringify(store));
    const entries = await catalog(configured({ dirs: [] })).list();
    const facts = entries.map(({ name, title, placed }) => [name, title, placed.parentSession]);
    expect(facts.sort()).toEqual([
      ["one.jsonl", "The shop", undefined],
      ["two.jsonl", undefined, "one"],
    ]);
  });

  it("take a folder's project from the agent's own file about it", async () => {
    const gemini = join(home, ".gemini");
    const folders = ["marked", "listed", "unknown", "odd"];
    for (const folder of folders) {
      mkdirSync(join(gemini, "tmp", folder, "chats", "s1"), { recursive: true });
      put(join(gemini, "tmp", folder, "chats"), `${folder}.jsonl`, "{}");
    }
    put(join(gemini, "tmp", "marked", "chats", "s1"), "sub.jsonl", "{}");
    put(join(gemini, "tmp", "marked"), ".project_root", "/home/ada/shop\n");
    mkdirSync(join(gemini, "tmp", "odd", ".project_root"));
    const projects = { "/home/ada/elsewhere": "marked", "/home/ada/garden": "listed", "/home/ada/odd": 7 };
    put(gemini, "projects.json", JSON.stringify({ projects }));
    const entries = await catalog(configured({ dirs: [] })).list();
    expect(entries.map(({ name, placed }) => [name, placed.project]).sort()).toEqual([
      ["listed.jsonl", "/home/ada/garden"],
      ["marked.jsonl", "/home/ada/shop"],
      ["odd.jsonl", undefined],
      ["sub.jsonl", "/home/ada/shop"],
      ["unknown.jsonl", undefined],
    ]);
    put(gemini, "projects.json", "not JSON");
    const again = await catalog(configured({ dirs: [] })).list();
    expect(again.find(({ name }) => name === "listed.jsonl")?.placed.project).toBeUndefined();
  });

  it("list databases that hold sessions, with the command that exports them", async () => {
    const data = join(home, ".local", "share", "opencode");
    const agent = join(home, ".openclaw", "agents", "main", "agent");
    for (const folder of [data, agent]) mkdirSync(folder, { recursive: true });
    const path = put(data, "opencode.db", "SQLite format 3\0");
    const named = put(base, "elsewhere.db", "SQLite format 3\0");
    const claw = put(agent, "openclaw-agent.sqlite", "SQLite format 3\0");
    const channel = put(data, "opencode-beta.db", "SQLite format 3\0");
    const sources = await catalog(configured({ env: { OPENCODE_DB: named } })).sources();
    const stores = sources.filter((source) => source.store !== null);
    expect(stores.map((store) => store.path).sort()).toEqual([path, named, claw, channel].sort());
    expect(stores.find((store) => store.path === path)).toMatchObject({
      label: "opencode",
      found: true,
      store: { exportCommand: "opencode export SESSION > session.json" },
    });
  });

  it("include databases of the projects that an agent lists, and those below a served folder", async () => {
    const own = join(home, ".local", "share", "crush");
    const [shop, garden] = [join(base, "shop", ".crush"), join(mounted, ".crush")];
    for (const folder of [own, shop, garden]) mkdirSync(folder, { recursive: true });
    const paths = [shop, garden].map((folder) => put(folder, "crush.db", "SQLite format 3\0"));
    const projects = [{ data_dir: shop }, { data_dir: "elsewhere" }, { data_dir: join(base, "gone") }, 7];
    put(own, "projects.json", JSON.stringify({ projects }));
    const found = async () => (await catalog().sources()).filter(({ store }) => store !== null).map(({ path }) => path);
    expect((await found()).sort()).toEqual(paths.toSorted());
    put(own, "projects.json", "not JSON");
    expect(await found()).toEqual([paths[1]]);
  });

  it("state whether they exist and how many sessions each has", async () => {
    put(mounted, "a.jsonl", "{}");
    const sources = await catalog().sources();
    expect(sources.find((source) => source.path === mounted)).toMatchObject({ found: true, sessions: 1 });
    expect(sources.find((source) => source.path.endsWith("projects"))).toMatchObject({ found: false, sessions: 0 });
  });
});

describe("listing", () => {
  it("walks folders, and takes .jsonl and .json files, compressed or not", async () => {
    put(mounted, "a.jsonl", "{}");
    put(join(mounted, "deep", "er"), "b.json", "{}");
    put(mounted, "c.txt", "{}");
    put(mounted, "c.har", "{}");
    put(mounted, "d.jsonl.zst", "{}");
    put(mounted, "e.json.gz", "{}");
    put(mounted, "f.tar.gz", "{}");
    put(mounted, "g.jsonl.deleted.2026-01-01", "{}");
    expect(await names(catalog())).toEqual([
      "a.jsonl",
      "b.json",
      "c.har",
      "d.jsonl.zst",
      "e.json.gz",
      "g.jsonl.deleted.2026-01-01",
    ]);
  });

  it("waits for the first file, however long the index takes to open", async () => {
    put(mounted, "a.jsonl", "{}");
    const listed = catalog();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    listed.listen({ found: () => opened, walked: () => opened, gone: () => opened });
    listed.begin();
    expect(listed.known()).toEqual([]);
    setTimeout(open, 400);
    await listed.refresh();
    expect(listed.known().map(({ name }) => name)).toEqual(["a.jsonl"]);
  });

  it("contains samples only if there are no other sessions", async () => {
    expect(await names(catalog())).toEqual(["sample.jsonl"]);
    put(mounted, "a.jsonl", "{}");
    expect(await names(catalog())).toEqual(["a.jsonl"]);
  });

  it("follows links within the served folders only", async () => {
    put(join(mounted, "deep"), "real.jsonl", "{}");
    put(secret, "private.jsonl", "{}");
    symlinkSync(join(secret, "private.jsonl"), join(mounted, "link.jsonl"));
    symlinkSync(secret, join(mounted, "folder"));
    symlinkSync(join(mounted, "deep"), join(mounted, "again"));
    symlinkSync(mounted, join(mounted, "deep", "loop"));
    expect(await names(catalog())).toEqual(["real.jsonl"]);
  });

  it("reports a missing folder, and links that lead back or outside", async () => {
    put(join(mounted, "deep"), "real.jsonl", "{}");
    put(secret, "private.jsonl", "{}");
    symlinkSync(join(secret, "private.jsonl"), join(mounted, "link.jsonl"));
    symlinkSync(mounted, join(mounted, "deep", "loop"));
    symlinkSync("self", join(mounted, "self"));
    symlinkSync(join(mounted, "nothing"), join(mounted, "lock"));
    const problemsOf = async (listed: Catalog) =>
      (await listed.sources())
        .find(({ path }) => path === mounted)
        ?.problems.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    expect(await problemsOf(catalog())).toEqual([
      { code: "cycle", path: "deep/loop" },
      { code: "outside", path: "link.jsonl" },
      { code: "cycle", path: "self" },
    ]);
    rmSync(mounted, { recursive: true });
    expect(await problemsOf(catalog())).toEqual([{ code: "vanished", path: "" }]);
  });

  it("gives a file the same opaque id after a restart", async () => {
    const path = put(mounted, "a.jsonl", "{}");
    const [first] = await catalog().list();
    utimesSync(path, 1, 1);
    const [second] = await catalog().list();
    expect(second?.id).toBe(first?.id);
    expect(first?.id).toMatch(/^[\w-]{22}$/);
    expect(Buffer.from(first?.id ?? "", "base64url").toString("latin1")).not.toContain("a.jsonl");
  });
});

describe("a file's id", () => {
  it.each([
    "../secret/private.jsonl",
    "..%2fsecret",
    "/etc/passwd",
    "a.jsonl",
    Buffer.from("/etc/passwd").toString("base64url"),
    "__proto__",
    "",
  ])("is not found if it is a path or invented: %s", async (id) => {
    put(mounted, "a.jsonl", "{}");
    put(secret, "private.jsonl", "{}");
    await expect(catalog().get(id)).rejects.toThrow("There is no such session.");
  });

  it("is refused after the file became a link to another place", async () => {
    const path = put(mounted, "a.jsonl", "{}");
    const listed = catalog();
    const [entry] = await listed.list();
    rmSync(path);
    symlinkSync(put(secret, "private.jsonl", "{}"), path);
    await expect(listed.get(entry?.id ?? "")).rejects.toThrow("a.jsonl is no longer there.");
  });

  it("of a vanished file is refused in a sentence without its folder", async () => {
    const path = put(mounted, "a.jsonl", "{}");
    const listed = catalog();
    const [entry] = await listed.list();
    rmSync(path);
    await expect(listed.get(entry?.id ?? "")).rejects.toThrow(/^a\.jsonl is no longer there\.$/);
  });
});

it("the catalog tells whether a path is inside a folder", () => {
  expect(isInside("/a/b", "/a/b")).toBe(true);
  expect(isInside("/a/b", "/a/b/c")).toBe(true);
  expect(isInside("/a/b", "/a/bc")).toBe(false);
  expect(isInside("/a/b", "/a")).toBe(false);
  expect(isInside("/a/b", "/a/b/../c")).toBe(false);
  expect(isInside("/a/b", "/a/b/..c")).toBe(true);
});

it("the list's revision changes only when the list changes", async () => {
  let now = 0;
  const config = configured();
  const uploads = new UploadStore(join(config.dataDir, "uploads"), config.maxUploadBytes);
  const listed = new Catalog(sourcesOf(config), uploads, undefined, undefined, () => now);
  const next = async () => {
    now += 60_000;
    await listed.list();
    return listed.revision;
  };
  for (const name of ["a", "b", "c"]) put(mounted, `${name}.jsonl`, "{}");
  const first = await next();
  expect(await next()).toBe(first);
  put(mounted, "b.jsonl", "{} ");
  const grown = await next();
  expect(grown).not.toBe(first);
  rmSync(join(mounted, "c.jsonl"));
  expect(await next()).not.toBe(grown);
});

it.each(["arrives", "is removed"])("an upload that %s during a scan is listed in its new state", async (change) => {
  const uploads = new UploadStore(join(base, "data", "uploads"), 1000);
  const send = (name: string) =>
    uploads.receive({
      body: (async function* () {
        yield Buffer.from(JSON.stringify({ name }));
      })(),
      name,
    });
  let now = 0;
  const listed = new Catalog([], uploads, undefined, undefined, () => now);
  const { id } = listed.addUpload(await send("early.jsonl"));
  await listed.list();
  listed.listen({
    found: async () => {},
    gone: async () => {},
    walked: async () => {
      if (change === "arrives") listed.addUpload(await send("late.jsonl"));
      else listed.dropUpload(id);
    },
  });
  now = 60_000;
  expect(await names(listed)).toEqual(change === "arrives" ? ["early.jsonl", "late.jsonl"] : []);
});
