import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { policyById, serverProfileOf } from "@/lib/agents/registry";
import { assertDefined } from "@/lib/core/base/assert";
import { SETTINGS_VARIABLE } from "../base/agent-roots";
import { currentSettings, shownFile } from "./current-settings";
import { commonSettingsFiles, settingsFilesOf } from "./settings-files";

const folder = mkdtempSync(join(tmpdir(), "agent-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

/** A home folder with these files, and the settings that an agent's session there has. */
async function machine(agent: string, preset: string, files: Readonly<Record<string, string>>, model?: string) {
  const base = join(folder, String(made++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text.replaceAll("HOME", base));
  }
  const rule = assertDefined(await serverProfileOf(agent)?.settingsFiles?.(), "settings files");
  const policy = assertDefined(policyById(agent), "policy");
  const specs = policy.settings(preset, { window: 200_000, agent });
  const around = { env: {}, home: base, managed: join(base, "managed.json") };
  const root = assertDefined(rule.places.roots[0], "root").folder;
  const path = join(base, root, rule.sessions[0] ?? "", "x", "session.jsonl");
  const project = join(base, "work", "sub");
  const found = await settingsFilesOf(rule, { path, project }, around);
  return {
    base,
    rule,
    around,
    project,
    path,
    found,
    values: currentSettings(specs, rule, found, model).map(
      ({ key, value, file, line }) => `${key}=${value} from ${file.replace(base, "HOME")} line ${line}`,
    ),
    shown: found.map((file) => shownFile(specs, rule, file)),
  };
}

describe("settings in the agents' own files", () => {
  it("are read from Claude Code's settings with comments and trailing commas", async () => {
    const user = `{
  // The trigger.
  "env": {
    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60", // per cent
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": 8_000,
  },
  "modelSettings": { "claude-opus-5": { "autoCompactWindow": 300000 } },
  "autoCompactWindow": 150000,
}`.replace("8_000", '"8_000"');
    const files = {
      ".claude/settings.json": user,
      "work/sub/.claude/settings.local.json": '{"autoCompactWindow": "auto"}',
    };
    const { values } = await machine(
      "claude-code",
      "reported",
      { ".claude/settings.json": user },
      "anthropic/claude-opus-5",
    );
    expect(values).toEqual([
      "maxOutputTokens=8000 from ~/.claude/settings.json line 5",
      "pctOverride=60 from ~/.claude/settings.json line 4",
      "autoCompactWindow=300000 from ~/.claude/settings.json line 7",
    ]);
    // "auto" in the project's own file keeps the model's window.
    expect((await machine("claude-code", "reported", files)).values).toHaveLength(2);
    const managed = { ...files, "managed.json": '{\n"autoCompactWindow": 20000 }' };
    expect((await machine("claude-code", "reported", managed)).values).toContain(
      "autoCompactWindow=100000 from managed.json line 2",
    );
  });

  it("are read from Codex's config.toml, including that of a project that the user trusts", async () => {
    const user = `model = "gpt-5"
notes = """
model_auto_compact_token_limit = 1
"""
model_auto_compact_token_limit = 91_000 # tokens

[projects."HOME/work"]
trust_level = "trusted"
`;
    const project = "tool_output_token_limit = 5000\nmodel_auto_compact_token_limit = 80000";
    const files = { ".codex/config.toml": user, "work/.git/HEAD": "", "work/.codex/config.toml": project };
    expect((await machine("codex", "current", files)).values).toEqual([
      "autoCompactLimit=80000 from HOME/work/.codex/config.toml line 2",
      "toolOutputTokens=5000 from HOME/work/.codex/config.toml line 1",
    ]);
    const untrusted = { ...files, ".codex/config.toml": user.replace('"trusted"', '"untrusted"') };
    expect((await machine("codex", "current", untrusted)).values).toEqual([
      "autoCompactLimit=91000 from ~/.codex/config.toml line 5",
    ]);
  });

  it("are read from Gemini CLI, Qwen Code, opencode and pi", async () => {
    const threshold = '{ "model": { "compressionThreshold": 0.25 } }';
    expect((await machine("gemini-cli", "current", { ".gemini/settings.json": threshold })).values).toEqual([
      "threshold=0.25 from ~/.gemini/settings.json line 1",
    ]);
    const older = '{\n"chatCompression": { "contextPercentageThreshold": 0.5 } }';
    expect((await machine("qwen-code", "as-documented", { ".qwen/settings.json": older })).values).toEqual([
      "threshold=0.5 from ~/.qwen/settings.json line 2",
    ]);
    const current = '{ "context": { "autoCompactThreshold": 0.6 } }';
    expect((await machine("qwen-code", "current", { "work/sub/.qwen/settings.json": current })).values).toEqual([
      "threshold=0.6 from .qwen/settings.json line 1",
    ]);
    const opencode = {
      ".config/opencode/opencode.jsonc": '{ /* mine */ "compaction": { "prune": true, "reserved": 40000 } }',
      "work/.git/HEAD": "",
      "work/opencode.json": '{ "compaction": { "reserved": 50000 } }',
    };
    expect((await machine("opencode", "current", opencode)).values).toEqual([
      "reserved=50000 from HOME/work/opencode.json line 1",
      "prune=true from ~/.config/opencode/opencode.jsonc line 1",
    ]);
    const pi = { ".pi/agent/settings.json": '{ "compaction": { "reserveTokens": 30000 } }' };
    expect((await machine("pi", "current", pi)).values).toEqual([
      "reserveTokens=30000 from ~/.pi/agent/settings.json line 1",
    ]);
  });

  it("apply only to sessions in the agent's own folders, and to none if reading is turned off", async () => {
    const { rule, around, project, path, base } = await machine("codex", "current", { ".codex/config.toml": "" });
    expect(await settingsFilesOf(rule, { path, project }, around)).toHaveLength(1);
    expect(await settingsFilesOf(rule, { path: join(base, "uploads", "s.jsonl"), project }, around)).toEqual([]);
    const off = { ...around, env: { [SETTINGS_VARIABLE]: "off" } };
    expect(await settingsFilesOf(rule, { path, project }, off)).toEqual([]);
    expect(await commonSettingsFiles(rule, off)).toEqual([]);
  });
});

describe("problems of a settings file", () => {
  /** The problems of a file, which must stay as it is. */
  async function problemsOf(agent: string, preset: string, name: string, text: string) {
    const { shown, values, base } = await machine(agent, preset, { [name]: text });
    expect(readFileSync(join(base, name), "utf8")).toBe(text);
    return { problems: shown.flatMap(({ problems }) => problems), values };
  }

  it.each([
    ['{\n  "autoCompactWindow": 200000\n  "model": "x"\n}', "line 3 is not valid JSON: a comma is missing before it"],
    ['{\n  "autoCompactWindow": 200000', "line 2 is not valid JSON: a } is missing"],
    ['{ "a": "b }', "line 1 is not valid JSON: a string does not end"],
    ["autoCompactWindow = 1", "line 1 is not valid JSON"],
    ["[]", "line 1 holds a JSON array, not settings"],
    [
      '{ "autoCompactWindow": 1, "env": { "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "most" } }',
      "line 1: the value of env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE is not one that the agent takes",
    ],
    [" ".repeat(2 << 20), "it has more than 1 MiB"],
  ])("one clear problem is reported for Claude Code's file: %.60s", async (text, problem) => {
    expect((await problemsOf("claude-code", "reported", ".claude/settings.json", text)).problems).toEqual([problem]);
  });

  it.each([
    ["a = 1\nmodel_auto_compact_token_limit = \n", "line 2 is not valid TOML"],
    ["a = 1\n[projects\n", "line 2 is not valid TOML"],
    [
      'model_auto_compact_token_limit = "many"',
      "line 1: the value of model_auto_compact_token_limit is not one that the agent takes",
    ],
  ])("one clear problem is reported for Codex's file: %.60s", async (text, problem) => {
    const found = await problemsOf("codex", "current", ".codex/config.toml", text);
    expect(found).toEqual({ problems: [problem], values: [] });
  });

  it("an empty file, or one with only comments or a byte order mark, has no problem", async () => {
    for (const text of ["", "// nothing yet\n", '\ufeff{ "autoCompactWindow": 200000 }'])
      expect((await problemsOf("claude-code", "reported", ".claude/settings.json", text)).problems).toEqual([]);
    expect((await problemsOf("codex", "current", ".codex/config.toml", "# nothing yet")).problems).toEqual([]);
  });

  it("a directory is reported, and entries of wrong types are ignored", async () => {
    const { shown } = await machine("claude-code", "reported", { ".claude/settings.json/x": "" });
    expect(shown.map(({ problems }) => problems)).toEqual([["it is not a regular file"]]);
    for (const odd of ['{"env": 5}', '{"env": null, "modelSettings": []}', '{"modelSettings": {"__proto__": 1}}'])
      expect((await machine("claude-code", "reported", { ".claude/settings.json": odd }, "m")).values).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a file without read permission is reported",
    async () => {
      const { base, rule, around } = await machine("codex", "current", { ".codex/config.toml": "" });
      chmodSync(join(base, ".codex/config.toml"), 0);
      expect((await commonSettingsFiles(rule, around)).map(({ settings }) => settings.problem)).toEqual([
        "permission denied",
      ]);
    },
  );
});

describe("the listed settings of a file", () => {
  it("are those that the agent knows, with their lines; no other text of the file is shown", async () => {
    const text =
      '{\n"env": { "ANTHROPIC_API_KEY": "secret", "DISABLE_COMPACT": "1" },\n"autoCompactEnabled": false,\n"autoCompactWindow": 200000,\n"cleanupPeriodDays": 90 }';
    const { shown } = await machine("claude-code", "reported", { ".claude/settings.json": text });
    expect(shown[0]?.states).toEqual([
      { name: "env.DISABLE_COMPACT", value: "1", line: 2 },
      { name: "autoCompactEnabled", value: "false", line: 3 },
      { name: "autoCompactWindow", value: "200000", line: 4 },
      { name: "cleanupPeriodDays", value: "90", line: 5 },
    ]);
    expect(JSON.stringify(shown)).not.toContain("secret");
  });
});
