import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { buildSync } from "esbuild";
import { ENGLISH, samplePath } from "./support/files";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A network namespace with only loopback, and a shell command in it. */
function isolated(command: string, args: readonly string[] = []) {
  const shell = ["-rn", "sh", "-c", `ip link set lo up && ${command}`, "sh", ...args];
  return spawnSync("unshare", shell, { encoding: "utf8", maxBuffer: 64 << 20 });
}

test("the program connects to no host, and with --summarizer only to the given one", () => {
  const possible = isolated("strace -f --seccomp-bpf -qq -e trace=connect true");
  test.skip(possible.status !== 0, `needs unshare, ip and strace: ${possible.error?.message ?? possible.stderr}`);
  // The whole program starts nine times, under a tracer.
  test.setTimeout(600_000);
  const place = mkdtempSync(join(tmpdir(), "context-replay-isolated-"));
  const driver = join(place, "driver.mjs");
  const entry = join(ROOT, "e2e", "support", "whole-program.ts");
  buildSync({
    entryPoints: [entry],
    outfile: driver,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.9",
    alias: { "@": ROOT.replace(/[\\/]$/, "") },
  });
  const run = isolated('exec "$@"', [process.execPath, driver, ROOT, join(place, "run"), samplePath(ENGLISH)]);
  expect(run.status, run.stderr).toBe(0);
  const { endpoint, without, seenWithout, withEndpoint, seen } = JSON.parse(run.stdout);

  // It requests its own pages once, when it starts.
  expect(without.served.reached).toEqual([without.served.own]);
  const refused = ["POST /api/sessions/ID/summary/preview", "POST /api/sessions/ID/summary"];
  for (const [asked, status] of Object.entries(without.served.statuses)) {
    expect([asked, status]).toEqual([asked, refused.includes(asked) ? 404 : asked.endsWith("/sweeps") ? 202 : 200]);
  }
  for (const { name, code, bytes, reached } of without.commands) {
    expect([name, code, bytes > 0, reached]).toEqual([name, 0, true, []]);
  }
  expect(seenWithout).toBe(0);

  expect(withEndpoint.served.reached.toSorted()).toEqual([endpoint, withEndpoint.served.own].toSorted());
  expect(withEndpoint.served.statuses["POST /api/sessions/ID/summary"]).toBe(202);
  expect([withEndpoint.command.code, withEndpoint.command.reached]).toEqual([0, [endpoint]]);
  expect(seen).toBe(2);
  rmSync(place, { recursive: true, force: true });
});
