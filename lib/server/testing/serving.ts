import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { sessionPage } from "@/lib/queries/contract/schemas";
import { SETTINGS_VARIABLE } from "../base/agent-roots";
import { CONFIG_VARIABLE } from "../base/config";
import { listQuery } from "../list/list-query";
import { getServer } from "../server";
import { closeServer } from "../shared-server";
import { builtProgram } from "./bundles";
import { temporaryFolder } from "./files";

/**
 * A mounted folder for a test file's routes, served by the built program or by its substitute below the test's own folder, with a separate home
 * folder.
 */
export function servedFolder(program: (base: string) => string = builtProgram) {
  const base = temporaryFolder();
  const mounted = join(base, "mounted");
  const root = program(base);
  mkdirSync(mounted);
  beforeAll(() => {
    vi.stubEnv("HOME", join(base, "home"));
    // Command lines of earlier test files turn it off in the shared process.
    vi.stubEnv(SETTINGS_VARIABLE, "");
    vi.stubEnv("CONTEXT_REPLAY_DATA", join(base, "data"));
    vi.stubEnv(CONFIG_VARIABLE, JSON.stringify({ root, host: "127.0.0.1", port: 3000, packs: true, dirs: [mounted] }));
  });
  afterAll(async () => {
    await closeServer();
    vi.unstubAllEnvs();
  });
  return { base, mounted, root };
}

/** As `servedFolder`, with samples in the folder, which it returns. */
export function servedSamples(samples: readonly string[]): string {
  const { mounted } = servedFolder();
  for (const sample of samples) copyFileSync(join("public", "samples", sample), join(mounted, sample));
  return mounted;
}

export async function listedSessions() {
  const page = await getServer().listing.list(listQuery.parse({ limit: "50" }));
  return sessionPage.parse(JSON.parse(new TextDecoder().decode(page))).sessions;
}

/** The id of a served file, as soon as the list has it: on a busy machine the first request may come before the folders are walked. */
export function idOf(name: string): Promise<string> {
  const listed = async () => {
    const found = (await listedSessions()).find((row) => row.name === name);
    if (found === undefined) throw new Error(`${name} is not listed`);
    return found.id;
  };
  return vi.waitFor(listed, { timeout: 60_000 });
}
