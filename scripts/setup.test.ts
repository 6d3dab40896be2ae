import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashOfSources } from "./setup.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "setup-"));
  for (const folder of ["app", "lib/core", "lib/fixtures"]) mkdirSync(join(root, folder), { recursive: true });
  write("app/page.tsx", "one");
  write("lib/core/a.ts", "two");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

describe("the hash of the sources", () => {
  it("changes when a source is changed, added or removed, and is restored when that is undone", () => {
    const first = hashOfSources(root);
    expect(hashOfSources(root)).toBe(first);
    write("lib/core/a.ts", "2wo");
    const changed = hashOfSources(root);
    expect(changed).not.toBe(first);
    write("lib/core/a.ts", "two");
    write("lib/core/b.ts", "");
    expect(new Set([first, changed]).has(hashOfSources(root))).toBe(false);
    rmSync(join(root, "lib", "core", "b.ts"));
    expect(hashOfSources(root)).toBe(first);
  });

  it("depends on content, not on times", () => {
    const first = hashOfSources(root);
    utimesSync(join(root, "app", "page.tsx"), 1, 1);
    expect(hashOfSources(root)).toBe(first);
  });

  it("is computed again only after a file was written", () => {
    hashOfSources(root);
    const stamp = join(root, "dist", ".sources");
    const [state] = readFileSync(stamp, "utf8").split(" ");
    writeFileSync(stamp, `${state} kept`);
    expect(hashOfSources(root)).toBe("kept");
    write("app/page.tsx", "other");
    expect(hashOfSources(root)).not.toBe("kept");
  });

  it("ignores files that are not part of the build", () => {
    const first = hashOfSources(root);
    write("lib/core/a.test.ts", "");
    write("lib/fixtures/recording.jsonl", "");
    write("README.md", "");
    expect(hashOfSources(root)).toBe(first);
  });
});

it("--help lists the programs of a folder, and runs none", () => {
  const { stdout, status } = spawnSync(process.execPath, ["scripts/programs.mjs", "verify", "--help"], {
    encoding: "utf8",
  });
  expect(stdout).toMatch(/^npm run verify \[name\] \[options\]: browser, .*outside\n$/);
  expect(status).toBe(0);
});
