import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withJsonValue } from "./edit-json";
import { changeDiff, proposeChange, undoChange, writeChange } from "./settings-change";

const folder = mkdtempSync(join(tmpdir(), "settings-change-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

const COMMENTED = `{
    // My own line.
    "model": "opus", /* kept */
    "env": { "A": "1" },
}
`;

/** A settings file with a data folder for backups. */
function settings(text: string | Uint8Array | null) {
  const home = join(folder, String(made++));
  mkdirSync(home);
  const path = join(home, "settings.json");
  if (text !== null) writeFileSync(path, text);
  const data = join(home, "data");
  const line = { type: "command", command: "x" };
  const propose = (by = "install statusline", key = "statusLine") =>
    proposeChange(path, by, (before) => withJsonValue(before, "settings.json", [key], line));
  return { home, path, data, propose, read: () => readFileSync(path, "utf8") };
}

describe("a change of a settings file", () => {
  it("keeps comments, indentation and permissions, and shows what it changes", () => {
    const { path, data, propose, read, home } = settings(COMMENTED);
    chmodSync(path, 0o640);
    const change = propose();
    expect(read()).toBe(COMMENTED);
    expect(changeDiff(change)).toContain('+    "statusLine": {');
    const backup = writeChange(change, data) ?? "";
    expect(read()).toContain('    // My own line.\n    "model": "opus", /* kept */');
    expect(read()).toContain('    "statusLine": {\n        "type": "command"');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(backup, "utf8")).toBe(COMMENTED);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    // No temporary file stays.
    expect(readdirSync(home).sort()).toEqual(["data", "settings.json"]);
  });

  it("is shown with its tabs, but without other control characters", () => {
    const { propose } = settings('{\n\t"a": "\u202e"\n}\n');
    expect(changeDiff(propose()).split("\n").slice(0, 8)).toEqual([
      expect.stringMatching(/^--- \/.*settings\.json\tnow$/),
      expect.stringMatching(/^\+\+\+ \/.*settings\.json\tchanged$/),
      "@@ -1,3 +1,7 @@",
      " {",
      '-\t"a": "\ufffd"',
      '+\t"a": "\ufffd",',
      '+\t"statusLine": {',
      '+\t\t"type": "command",',
    ]);
  });

  it("is undone byte by byte", () => {
    const { data, propose, read, path } = settings(COMMENTED.replaceAll("\n", "\r\n"));
    writeChange(propose(), data);
    expect(read()).toContain('"statusLine": {\r\n');
    expect(undoChange(path, "install statusline", data)).toBe("restored");
    expect(read()).toBe(COMMENTED.replaceAll("\n", "\r\n"));
    expect(() => undoChange(path, "install statusline", data)).toThrow('no change by "install statusline" to undo');
  });

  it("creates an absent file, and removes it when undone", () => {
    const { data, propose, read, path } = settings(null);
    expect(writeChange(propose(), data)).toBeUndefined();
    expect(JSON.parse(read())).toEqual({ statusLine: { type: "command", command: "x" } });
    expect(undoChange(path, "install statusline", data)).toBe("removed");
    expect(existsSync(path)).toBe(false);
  });

  it("is not undone if the file has changed since; the message names the backup", () => {
    const { data, propose, read, path } = settings("{}");
    const backup = writeChange(propose(), data) ?? "";
    writeFileSync(path, `${read()} `);
    const edited = read();
    const message = `${path} has changed since; nothing was restored. A backup is in ${backup}.`;
    expect(() => undoChange(path, "install statusline", data)).toThrow(message);
    expect(read()).toBe(edited);
  });

  it("is undone in reverse order, each by the command that made it", () => {
    const { data, propose, read, path } = settings("{}");
    writeChange(propose(), data);
    const between = read();
    writeChange(propose("recommend --apply", "other"), data);
    expect(() => undoChange(path, "install statusline", data)).toThrow('"recommend --apply" changed it later');
    undoChange(path, "recommend --apply", data);
    expect(read()).toBe(between);
    undoChange(path, "install statusline", data);
    expect(read()).toBe("{}");
  });

  it("is not written if the file changed, vanished or appeared in the meantime", () => {
    for (const first of ["{}", null]) {
      const { data, propose, path, home, read } = settings(first);
      const change = propose();
      writeFileSync(path, '{"a": 1}');
      expect(() => writeChange(change, data)).toThrow("in the meantime; run the command again; nothing was written.");
      expect(read()).toBe('{"a": 1}');
      expect(readdirSync(home).sort()).toEqual(["data", "settings.json"]);
      expect(() => undoChange(path, "install statusline", data)).toThrow("to undo");
    }
    const { data, propose, path } = settings("{}");
    const change = propose();
    rmSync(path);
    expect(() => writeChange(change, data)).toThrow("there is no such file or folder; nothing was written.");
    expect(existsSync(path)).toBe(false);
  });

  it("is not written into a read-only file, a broken one, or one that is not text", () => {
    const locked = settings("{}");
    chmodSync(locked.path, 0o444);
    const change = locked.propose();
    expect(() => writeChange(change, locked.data)).toThrow("it is read-only; nothing was written.");
    expect(locked.read()).toBe("{}");
    const broken = '{\n  "a": 1\n  "b": 2\n}';
    expect(() => settings(broken).propose()).toThrow(
      "settings.json: line 3 is not valid JSON: a comma is missing before it; nothing was written.",
    );
    expect(() => settings("[1]").propose()).toThrow("holds no settings, but a JSON array; nothing was written.");
    expect(() => settings(Uint8Array.of(0x22, 0xff, 0x22)).propose()).toThrow("it is not UTF-8 text");
    expect(() => settings("{}{").propose()).toThrow("line 1 is not valid JSON");
  });

  it("has no effect a second time", () => {
    const { data, propose, home } = settings(COMMENTED);
    writeChange(propose(), data);
    const again = propose();
    expect(changeDiff(again)).toBe("");
    expect(writeChange(again, data)).toBeUndefined();
    expect(readdirSync(join(home, "data", "backups"), { recursive: true })).toHaveLength(4);
  });

  it.skipIf(process.platform === "win32")("follows a link to the file, and keeps the link", () => {
    const { home, data, path, read } = settings("{}");
    const link = join(home, "link.json");
    symlinkSync(path, link);
    const edit = (text: string) => withJsonValue(text, "link.json", ["a"], 1);
    writeChange(proposeChange(link, "test", edit), data);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(JSON.parse(read())).toEqual({ a: 1 });
    undoChange(link, "test", data);
    expect(read()).toBe("{}");
    rmSync(path);
    expect(() => proposeChange(link, "test", edit)).toThrow("it is a link to a missing file");
  });
});

describe("editing JSON", () => {
  it("sets values below absent keys, and removes values", () => {
    expect(JSON.parse(withJsonValue("", "x", ["a", "b"], 1))).toEqual({ a: { b: 1 } });
    expect(JSON.parse(withJsonValue('{"a": {"b": 1, "c": 2}}', "x", ["a", "b"], undefined))).toEqual({ a: { c: 2 } });
    expect(withJsonValue('\ufeff{"a": 1}', "x", ["a"], 1)).toBe('\ufeff{"a": 1}');
    expect(withJsonValue('\ufeff{"a": 1}', "x", ["a"], 2)).toBe('\ufeff{"a": 2}');
    expect(withJsonValue('{\n\t"a": 1\n}\n', "x", ["b"], 2)).toBe('{\n\t"a": 1,\n\t"b": 2\n}\n');
  });
});
