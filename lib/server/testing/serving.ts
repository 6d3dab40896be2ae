import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { CONFIG_VARIABLE } from "../config";
import { closeServer } from "../server";
import { builtProgram } from "./bundles";
import { temporaryFolder } from "./files";

/** Puts samples into a mounted folder, to be served by the routes of a test file with a built program and a home of its own. Returns that folder. */
export function servedSamples(name: string, samples: readonly string[]): string {
  const base = temporaryFolder();
  const mounted = join(base, "mounted");
  const root = builtProgram(name);
  beforeAll(() => {
    mkdirSync(mounted);
    for (const sample of samples) copyFileSync(join("public", "samples", sample), join(mounted, sample));
    vi.stubEnv("HOME", join(base, "home"));
    vi.stubEnv("CONTEXT_REPLAY_DATA", join(base, "data"));
    vi.stubEnv(CONFIG_VARIABLE, JSON.stringify({ root, host: "127.0.0.1", port: 3000, packs: true, dirs: [mounted] }));
  });
  afterAll(async () => {
    await closeServer();
    vi.unstubAllEnvs();
  });
  return mounted;
}
