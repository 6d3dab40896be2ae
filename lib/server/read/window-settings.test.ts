import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { claudeCodeSettings } from "@/lib/agents/claude-code/policy/settings";
import { SETTINGS_FILES } from "@/lib/agents/claude-code/policy/settings-files";
import { statusline } from "@/lib/cli/extras/statusline";
import { LocalRunner } from "../threads/local-runner";
import { windowOfSettings } from "./window-settings";

const SPECS = claudeCodeSettings("reported", { window: 1_000_000, agent: "claude-code" });

const folder = mkdtempSync(join(tmpdir(), "claude-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());
let made = 0;

function written(path: string, text: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
  return path;
}

type Scope = "managed" | "local" | "project" | "user";

/** A home folder, a project and managed settings with these settings files. */
function machine(files: Partial<Record<Scope, unknown>>) {
  const base = join(folder, `machine${made++}`);
  const [home, project] = [join(base, "home"), join(base, "project")];
  const paths = {
    managed: join(base, "managed.json"),
    local: join(project, ".claude", "settings.local.json"),
    project: join(project, ".claude", "settings.json"),
    user: join(home, ".claude", "settings.json"),
  };
  for (const scope of ["managed", "local", "project", "user"] as const) {
    if (files[scope] !== undefined) written(paths[scope], files[scope]);
  }
  return { home, project, paths, path: join(home, ".claude", "projects", "-p", "s.jsonl") };
}

async function windowOf({ home, project, paths, path }: ReturnType<typeof machine>, model?: string, at = path) {
  const around = { env: {}, home, managed: paths.managed };
  return (await windowOfSettings(SETTINGS_FILES, SPECS, { path: at, project, model }, around))?.tokens;
}

const set = (autoCompactWindow: unknown) => ({ autoCompactWindow });

describe("the window in Claude Code's settings files", () => {
  it("comes from managed, local, project or user settings, in this order", async () => {
    const user = set(200_000);
    expect(await windowOf(machine({}))).toBeUndefined();
    expect(await windowOf(machine({ user }))).toBe(200_000);
    expect(await windowOf(machine({ user, project: set(300_000) }))).toBe(300_000);
    expect(await windowOf(machine({ user, project: set(300_000), local: set(400_000) }))).toBe(400_000);
    expect(await windowOf(machine({ user, local: set(400_000), managed: set(500_000) }))).toBe(500_000);
  });

  it("is the model's own before the general one of the same file; a file of higher precedence wins", async () => {
    const user = { modelSettings: { "claude-opus-5": set(250_000), __proto__: 1, odd: null }, ...set(300_000) };
    expect(await windowOf(machine({ user }), "claude-opus-5")).toBe(250_000);
    expect(await windowOf(machine({ user }), "claude-haiku-4-5")).toBe(300_000);
    expect(await windowOf(machine({ user, managed: set(500_000) }), "claude-opus-5")).toBe(500_000);
  });

  it("comes from the variable in any file's env before all settings", async () => {
    const user = { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "200_000" } };
    expect(await windowOf(machine({ user, managed: set(500_000) }))).toBe(200_000);
    const of = (value: unknown) => windowOf(machine({ user: { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: value } } }));
    expect(await Promise.all(["2e5", "200k", 300_000, "auto", "", {}].map(of))).toEqual([
      200_000,
      100_000,
      300_000,
      ...Array(3),
    ]);
  });

  it("is the model's default if a file says auto, whatever files of lower precedence say", async () => {
    expect(await windowOf(machine({ user: set(200_000), local: set("auto") }))).toBeUndefined();
    expect(await windowOf(machine({ user: set("auto"), project: set(200_000) }))).toBe(200_000);
  });

  it("is shown with the name of its file", async () => {
    const fromOf = async (files: Parameters<typeof machine>[0]) => {
      const { home, project, paths, path } = machine(files);
      const around = { env: {}, home, managed: paths.managed };
      return (await windowOfSettings(SETTINGS_FILES, SPECS, { path, project, model: undefined }, around))?.from;
    };
    const one = set(200_000);
    const files = [{ user: one }, { project: one }, { local: one }, { managed: one }];
    expect(await Promise.all(files.map(fromOf))).toEqual([
      "~/.claude/settings.json",
      ".claude/settings.json",
      ".claude/settings.local.json",
      "managed.json",
    ]);
  });

  it("is clamped to the range that Claude Code allows", async () => {
    expect(await windowOf(machine({ user: set(20_000) }))).toBe(100_000);
    expect(await windowOf(machine({ user: set(9e9) }))).toBe(1_000_000);
  });

  it("is not taken from broken files, wrong types or very large files", async () => {
    for (const local of ["{", "[]", "null", set("300000"), set(-1), set(null), set({}), " ".repeat(2 << 20)]) {
      expect(await windowOf(machine({ local, user: set(200_000) }))).toBe(200_000);
    }
  });

  it.skipIf(process.platform === "win32")("is read without waiting for a named pipe", async () => {
    const one = machine({ user: set(200_000), project: {} });
    spawnSync("mkfifo", [one.paths.local]);
    expect(await windowOf(one)).toBe(200_000);
  });

  it("does not apply to a session outside of the agent's folder", async () => {
    const one = machine({ user: set(200_000) });
    expect(await windowOf(one, undefined, join(one.home, "s.jsonl"))).toBeUndefined();
    expect(await windowOf(one, undefined, join(one.path, "../../../../s.jsonl"))).toBeUndefined();
  });
});

function session(path: string, project: string, input: number): string {
  const usage = { input_tokens: input, output_tokens: 10 };
  const common = {
    isSidechain: false,
    sessionId: "s",
    cwd: project,
    version: "2.1.311",
    timestamp: "2026-11-01T10:00:00.000Z",
  };
  const records = [
    { ...common, type: "user", uuid: "u", parentUuid: null, message: { role: "user", content: "Pears." } },
    {
      ...{ ...common, type: "assistant", uuid: "a", parentUuid: "u", requestId: "r" },
      message: { id: "m", role: "assistant", model: "claude-opus-5", content: [{ type: "text", text: "Yes." }], usage },
    },
  ];
  return written(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

describe("a session in the user's own agent folder", () => {
  async function ingested(path: string) {
    return (await new LocalRunner().ingest({ path, summaryOnly: true })).summary.contextWindow;
  }

  it("takes its window from settings, unless its context already exceeded that window", async () => {
    const { home, project, path } = machine({ user: set(300_000) });
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(home, ".claude"));
    expect(await ingested(session(path, project, 9000))).toEqual({
      ...{ tokens: 300_000, source: "settings" },
      from: join(home, ".claude", "settings.json"),
    });
    expect(await ingested(session(join(project, "s.jsonl"), project, 9000))).toMatchObject({ tokens: 1_000_000 });
    expect(await ingested(session(`${path}.more.jsonl`, project, 310_000))).toMatchObject({ tokens: 1_000_000 });
  });

  it("takes its window in the status line from the variable, else from settings", async () => {
    const { home, project, path } = machine({ project: set(300_000) });
    session(path, project, 90_000);
    const env = { CLAUDE_CONFIG_DIR: join(home, ".claude") };
    const status = JSON.stringify({ transcript_path: path, workspace: { project_dir: project } });
    // 300,000 − 20,000 − 13,000 − 90,010
    expect(await statusline(status, env)).toContain("compacts in 177k (from settings.json line 1)");
    // 400,000 − 20,000 − 13,000 − 90,010
    expect(await statusline(status, { ...env, CLAUDE_CODE_AUTO_COMPACT_WINDOW: "400000" })).toMatch(
      /compacts in 277k ·/,
    );
  });
});
