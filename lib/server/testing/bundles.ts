import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll } from "vitest";
import { hashOfSources } from "@/scripts/setup.mjs";

/** The builds that tests use, named by their sources. They are below node_modules, so that they find their packages. */
const BUILDS = join("node_modules", ".cache", "context-replay-tests");
const A_DAY_MS = 86_400_000;

/**
 * The built command line and worker, as the build makes them. They are built before the tests of this file, unless another file's tests have built
 * them from the same sources. Returns the program's folder, which tests must not change.
 */
export function builtProgram(): string {
  const root = join(BUILDS, hashOfSources());
  beforeAll(() => {
    if (existsSync(root)) return;
    const made = `${root}-${process.pid}`;
    execFileSync(process.execPath, [join("scripts", "build.mjs"), "--bundles", join(made, "dist")]);
    try {
      renameSync(made, root);
    } catch (error) {
      rmSync(made, { recursive: true, force: true });
      if (!existsSync(root)) throw error; // else another process was quicker
    }
    removeOldBuilds();
  });
  return join(process.cwd(), root);
}

/** Another run may still use a build of other sources, but not for long. */
function removeOldBuilds(): void {
  for (const build of readdirSync(BUILDS).map((name) => join(BUILDS, name))) {
    const { mtimeMs } = statSync(build, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > A_DAY_MS) rmSync(build, { recursive: true, force: true });
  }
}
