import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../testing/program";
import { applyChange } from "./apply-change";
import { withJsonValue } from "./edit-json";
import { proposeChange } from "./settings-change";

const { run, folder } = commandLine();
let made = 0;

/** A home folder of Claude Code with these files. */
function machine(files: Readonly<Record<string, string>>) {
  const home = join(folder, `home${made++}`);
  mkdirSync(join(home, ".claude"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const env = { HOME: home, CONTEXT_REPLAY_DATA: join(home, "data"), CLAUDE_CONFIG_DIR: "" };
  return {
    home,
    read: (name: string) => readFileSync(join(home, name), "utf8"),
    cli: (...args: string[]) => run(args, "", env),
  };
}

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';

describe("install", () => {
  it("shows the change, and writes nothing without a confirmation", async () => {
    const { cli, read, home } = machine({ ".claude/settings.json": SETTINGS });
    const { code, out, err } = await cli("install", "statusline");
    expect(code).toBe(0);
    expect(out).toContain('+  "statusLine": {\n+    "type": "command",');
    expect(err).toBe("context-replay: nothing was written. With --yes it is written without asking.\n");
    expect(read(".claude/settings.json")).toBe(SETTINGS);
    expect(existsSync(join(home, "data"))).toBe(false);
  });

  it("writes the status line into Claude Code's settings, only once, and undoes it", async () => {
    const { cli, read, home } = machine({ ".claude/settings.json": SETTINGS });
    const { code, out } = await cli("install", "statusline", "--yes");
    expect(code).toBe(0);
    expect(out).toContain(`${join(home, ".claude", "settings.json")} is written. A backup is in ${join(home, "data")}`);
    expect(read(".claude/settings.json")).toMatch(/^\{\n {2}\/\/ mine\n/);
    expect(read(".claude/settings.json")).toMatch(/"command": "node \\".+\/dist\/statusline\.cjs\\""/);
    expect((await cli("install", "statusline", "--yes")).out).toContain(
      "already contains this change; nothing was written.",
    );
    expect((await cli("install", "statusline", "--undo")).out).toContain("is as it was before.");
    expect(read(".claude/settings.json")).toBe(SETTINGS);
  });

  it("adds the MCP server to others, and does not undo it in a file that changed since", async () => {
    const other = { mcpServers: { other: { command: "x" } }, numStartups: 5 };
    const { cli, read } = machine({ ".claude.json": JSON.stringify(other) });
    await cli("install", "mcp", "--yes");
    const { mcpServers, numStartups } = JSON.parse(read(".claude.json"));
    expect([Object.keys(mcpServers), numStartups]).toEqual([["other", "context-replay"], 5]);
    expect(mcpServers["context-replay"]).toMatchObject({
      type: "stdio",
      command: "node",
      args: [expect.anything(), "mcp"],
    });
    writeFileSync(join(folder, `home${made - 1}`, ".claude.json"), `${read(".claude.json")}\n`);
    const { code, err } = await cli("install", "mcp", "--undo");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("has changed since; nothing was restored. A backup is in"),
    ]);
    expect(read(".claude.json")).toContain("context-replay");
  });

  it("refuses a broken file and a missing folder in one sentence", async () => {
    const { cli, read } = machine({ ".claude/settings.json": "{ broken" });
    const { code, err } = await cli("install", "statusline", "--yes");
    expect([code, err.split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(/^context-replay: settings\.json: line 1 is not valid JSON.*; nothing was written\.$/),
        "",
      ],
    ]);
    expect(read(".claude/settings.json")).toBe("{ broken");
    const env = { HOME: join(folder, "none"), CONTEXT_REPLAY_DATA: join(folder, "none-data"), CLAUDE_CONFIG_DIR: "" };
    const missing = await run(["install", "statusline", "--yes"], "", env);
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringContaining("there is no such file or folder; nothing was written."),
    ]);
    expect((await cli("install", "everything")).code).toBe(2);
  });

  it("writes after a confirmation at the terminal, but not if the file changed meanwhile", async () => {
    const { home, read } = machine({ "s.json": "{}" });
    const propose = () =>
      proposeChange(join(home, "s.json"), "test", (text) => withJsonValue(text, "s.json", ["a"], 1));
    process.env.CONTEXT_REPLAY_DATA = join(home, "data");
    await applyChange(propose(), { ask: async () => false });
    expect(read("s.json")).toBe("{}");
    const change = proposeChange(join(home, "s.json"), "test", (text) => withJsonValue(text, "s.json", ["b"], 2));
    await applyChange(propose(), { ask: async () => true });
    expect(JSON.parse(read("s.json"))).toEqual({ a: 1 });
    await expect(applyChange(change, { ask: async () => true })).rejects.toThrow("it changed in the meantime");
    delete process.env.CONTEXT_REPLAY_DATA;
  });
});
