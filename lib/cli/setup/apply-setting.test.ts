import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Recommendation } from "@/lib/queries/replays/recommendation";
import { readApplied } from "@/lib/server/agent-settings/applied-settings";
import { commandLine } from "../testing/program";
import { applySetting, undoSetting, withTomlValue } from "./apply-setting";

const { run, folder } = commandLine();
let made = 0;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';
const SAVING = { estimate: 0.12, low: 0.05, high: 0.2 };

/** A home folder with these files, in which this process runs. */
function machine(files: Readonly<Record<string, string>>) {
  const home = join(folder, `home${made++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const data = join(home, "data");
  const env = { HOME: home, CONTEXT_REPLAY_DATA: data, CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", XDG_DATA_HOME: "" };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const [out, err] = (["stdout", "stderr"] as const).map((name) => {
    const texts: string[] = [];
    vi.spyOn(process[name], "write").mockImplementation((chunk, ...more) => {
      texts.push(String(chunk));
      for (const one of more) if (typeof one === "function") one();
      return true;
    });
    return () => texts.join("");
  });
  const read = (name: string) => readFileSync(join(home, name), "utf8");
  return { home, data, env, read, applied: () => readApplied(data).applied, out: out ?? String, err: err ?? String };
}

/** A recommendation of these values over made-up sessions. */
function recommended(
  policy: string,
  set: Readonly<Record<string, number>>,
  more: { preset?: string; windows?: number[] } = {},
) {
  const found = { isEvidence: true, by: "cost", sessions: 12, projects: 3, advice: { set, saving: SAVING } };
  // The fields that are written and noted.
  const { windows = [200_000], ...query } = more;
  return { found: found as unknown as Recommendation, query: { policy, ...query }, windows, recordings: [] };
}

const YES = { yes: true };

describe("recommend --apply", () => {
  it("writes a variable into Claude Code's settings, keeps a backup, records the prediction, and undoes it", async () => {
    const { home, read, applied, out, data } = machine({ ".claude/settings.json": SETTINGS });
    await applySetting(recommended("claude-code", { pctOverride: 45 }), YES);
    expect(read(".claude/settings.json")).toMatch(/\/\/ mine\n {2}"model": "opus",\n {2}"env": \{\n.*"45"/);
    const path = join(home, ".claude", "settings.json");
    expect(out()).toContain(`${path} is written. A backup is in ${data}`);
    expect(out()).toContain("To undo it: context-replay recommend --undo");
    const settings = [{ key: "pctOverride", named: "env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", from: null, to: 45 }];
    const noted = { agent: "claude-code", preset: "reported", path, settings, by: "cost", predicted: SAVING };
    expect(applied()).toMatchObject([{ ...noted, sessions: 12, projects: 3 }]);
    await undoSetting();
    expect(read(".claude/settings.json")).toBe(SETTINGS);
    expect(applied()).toMatchObject([{ ...noted, undoneAt: expect.any(String) }]);
    await expect(undoSetting()).rejects.toThrow("there is no applied setting to undo.");
  });

  it("writes each agent's setting where the agent reads it, and records the previous value", async () => {
    const toml =
      '# mine\nmodel = "gpt-5.2-codex" # fast\nmodel_auto_compact_token_limit = 90000\n\n[tools]\nweb = true\n';
    const { read, applied } = machine({
      ".codex/config.toml": toml,
      ".pi/agent/settings.json": "{}",
      ".pi/agent/sessions/a/x.jsonl": "",
      ".claude/settings.json": SETTINGS,
    });
    await applySetting(recommended("codex", { autoCompactLimit: 120_000 }), YES);
    expect(read(".codex/config.toml")).toBe(toml.replace("90000", "120000"));
    await applySetting(recommended("pi", { reserveTokens: 40_000 }), YES);
    expect(JSON.parse(read(".pi/agent/settings.json"))).toEqual({ compaction: { reserveTokens: 40_000 } });
    // The command stores this key; an earlier release has the variable alone.
    await applySetting(recommended("claude-code", { autoCompactWindow: 150_000 }), YES);
    expect(read(".claude/settings.json")).toContain('"autoCompactWindow": 150000');
    await applySetting(recommended("claude-code", { autoCompactWindow: 120_000 }, { preset: "reported-2025" }), YES);
    expect(read(".claude/settings.json")).toContain('"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "120000"');
    expect(applied().map(({ settings }) => settings[0]?.from)).toEqual([90_000, null, null, 150_000]);
    // The newest first.
    await undoSetting();
    expect(read(".claude/settings.json")).toContain('"autoCompactWindow": 150000');
    expect(read(".claude/settings.json")).not.toContain("CLAUDE_CODE");
  });

  it("writes nothing without evidence or confirmation, or if the setting is already there", async () => {
    const { read, err, out, data } = machine({ ".claude/settings.json": SETTINGS });
    const { found, ...rest } = recommended("claude-code", { pctOverride: 45 });
    await applySetting({ ...rest, found: { ...found, isEvidence: false } }, YES);
    expect(err()).toContain("nothing was written: there is no evidence that the setting saves anything.");
    // There is no terminal here.
    await applySetting({ ...rest, found }, {});
    expect(err()).toContain("nothing was written. With --yes it is written without asking.");
    expect(out()).toContain('+    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "45"');
    expect([read(".claude/settings.json"), existsSync(data)]).toEqual([SETTINGS, false]);
    await applySetting({ ...rest, found }, YES);
    await applySetting({ ...rest, found }, YES);
    expect(out()).toContain("already contains this change; nothing was written.");
    expect(readApplied(data).applied).toHaveLength(1);
  });

  it("writes nothing into a read-only file, or into one that changed after it was read", async () => {
    const { home, read, applied } = machine({ ".claude/settings.json": SETTINGS });
    const path = join(home, ".claude", "settings.json");
    const wanted = recommended("claude-code", { pctOverride: 45 });
    chmodSync(path, 0o444);
    await expect(applySetting(wanted, YES)).rejects.toThrow("it is read-only; nothing was written.");
    chmodSync(path, 0o644);
    const changing = async () => {
      writeFileSync(path, "{}");
      return true;
    };
    await expect(applySetting(wanted, { ask: changing })).rejects.toThrow("it changed in the meantime");
    expect([read(".claude/settings.json"), applied()]).toEqual(["{}", []]);
    await applySetting(wanted, { ask: async () => true });
    writeFileSync(path, `${read(".claude/settings.json")}\n`);
    await expect(undoSetting()).rejects.toThrow("has changed since; nothing was restored. A backup is in");
    expect(applied()).toMatchObject([{ settings: [{ to: 45 }] }]);
    expect(applied()[0]?.undoneAt).toBeUndefined();
  });

  it("refuses settings that no file can hold or that would have no effect, with one sentence", async () => {
    const overridden = '{\n  "env": { "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "300000" }\n}\n';
    const { read } = machine({ ".claude/settings.json": overridden, ".config/opencode/opencode.json": "{}" });
    const rejected = (...asked: Parameters<typeof recommended>) =>
      applySetting(recommended(...asked), YES).then(String, (error: Error) => error.message);
    expect(await rejected("claude-code", { autoCompactWindow: 150_000 })).toMatch(
      /^autoCompactWindow=150000 would have no effect: .* line 2 takes precedence; nothing was written\.$/,
    );
    expect(await rejected("claude-code", { autoBuffer: 90_000 }, { windows: [200_000, 1_000_000] })).toBe(
      "windows of 200,000 and 1,000,000 tokens need different settings; choose one with --window; nothing was written.",
    );
    expect(await rejected("opencode", { inputLimit: 111_000 })).toContain('set it yourself: "limit": {');
    expect(await rejected("mini-claude-code", { threshold: 0.5 })).toContain("no setting for threshold");
    expect(await rejected("codex", { autoCompactLimit: 91_000 })).toContain("no settings file of Codex");
    expect(await rejected("claude-code", {})).toContain("the recommended setting is the default");
    expect(read(".claude/settings.json")).toBe(overridden);
  });

  it("changes only the given key of a TOML text, or refuses", () => {
    expect(withTomlValue("", "c.toml", "a", 1)).toBe("a = 1\n");
    expect(withTomlValue("[t]\r\na = 2\r\n", "c.toml", "a", 1)).toBe("a = 1\r\n[t]\r\na = 2\r\n");
    expect(withTomlValue("b = 1\n# c\n\n[t]\n", "c.toml", "a", "x")).toBe('b = 1\n# c\na = "x"\n\n[t]\n');
    expect(withTomlValue("a = 1 # mine\n", "c.toml", "a", 2)).toBe("a = 2 # mine\n");
    expect(withTomlValue("a = 1", "c.toml", "a", 1)).toBe("a = 1");
    const hidden = 'b = """\na = 3\n"""\na = 1\n';
    expect(() => withTomlValue(hidden, "c.toml", "a", 2)).toThrow("must be edited by hand; nothing was written.");
    expect(() => withTomlValue("a = = 1", "c.toml", "a", 2)).toThrow("c.toml: line 1 is not valid TOML");
  });

  it("requires its arguments except for undo, and cannot be combined with --json", async () => {
    vi.restoreAllMocks();
    const { code, err } = await run(["recommend", folder, "--vary", "pctOverride=30:60:15"]);
    expect([code, err]).toEqual([2, "context-replay: required option '--policy <id[@preset]>' not specified\n"]);
    expect((await run(["recommend"])).err).toBe("context-replay: missing required argument 'path'\n");
    const json = ["recommend", folder, "--policy", "codex", "--vary", "autoCompactLimit=1:2:1", "--json", "--apply"];
    expect((await run(json)).code).toBe(2);
    const none = await run(["recommend", "--undo"], "", { HOME: folder, CONTEXT_REPLAY_DATA: join(folder, "none") });
    expect([none.code, none.err]).toEqual([1, "context-replay: there is no applied setting to undo.\n"]);
  });
});
