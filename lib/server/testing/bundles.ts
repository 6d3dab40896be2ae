import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/**
 * Builds the command line and the worker as the build does, for the tests of one file. The result is below node_modules, so that the packages that it
 * uses are found. Returns the folder that stands for the program's.
 */
export function builtProgram(name: string): string {
  const root = join("node_modules", ".cache", `context-replay-${name}-${process.pid}`);
  beforeAll(() => {
    execFileSync(process.execPath, [join("bin", "build.mjs"), "--bundles", join(root, "dist")]);
  }, 60_000);
  afterAll(() => rmSync(join(process.cwd(), root), { recursive: true, force: true }));
  return join(process.cwd(), root);
}
