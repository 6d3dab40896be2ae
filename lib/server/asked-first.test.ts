import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { GET as columns } from "@/app/api/sessions/[id]/columns/route";
import { GET as items } from "@/app/api/sessions/[id]/items/route";
import { POST as replay } from "@/app/api/sessions/[id]/replay/route";
import { GET as session } from "@/app/api/sessions/[id]/route";
import { GET as sessions } from "@/app/api/sessions/route";
import { POST as sweeps } from "@/app/api/sweeps/route";
import * as contract from "@/lib/api/contract";
import { CONFIG_VARIABLE } from "./config";
import { closeServer } from "./server";
import { builtProgram } from "./testing/bundles";
import { assistantLine, put, temporaryFolder, userLine } from "./testing/files";
import { ask } from "./testing/routes";

const base = temporaryFolder();
const mounted = join(base, "mounted");
const root = builtProgram("asked-first");
/** While this file exists no piece of a sweep ends. */
const gate = join(base, "gate");
/** Gets a line for every piece that has begun. */
const begun = join(base, "begun");

/** Puts a worker in place of the real one whose pieces of a sweep take as long as the test wants. */
function holdSweeps(): void {
  renameSync(join(root, "dist", "worker.mjs"), join(root, "dist", "real-worker.mjs"));
  writeFileSync(
    join(root, "dist", "worker.mjs"),
    `import { existsSync, writeFileSync } from "node:fs";
    import * as real from "./real-worker.mjs";
    export * from "./real-worker.mjs";
    export function sweep(task) {
      writeFileSync(${JSON.stringify(begun)}, "");
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (existsSync(${JSON.stringify(gate)})) Atomics.wait(clock, 0, 0, 10);
      return real.sweep(task);
    }`,
  );
}

beforeAll(() => {
  mkdirSync(mounted);
  writeFileSync(gate, "");
  for (const name of ["swept-1", "swept-2", "asked"])
    put(mounted, `${name}.jsonl`, [userLine(name, "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
  holdSweeps();
  vi.stubEnv("HOME", join(base, "home"));
  vi.stubEnv("CONTEXT_REPLAY_DATA", join(base, "data"));
  vi.stubEnv(CONFIG_VARIABLE, JSON.stringify({ root, host: "127.0.0.1", port: 3000, packs: true, dirs: [mounted] }));
});
afterAll(async () => {
  rmSync(gate, { force: true });
  await closeServer();
  vi.unstubAllEnvs();
});

async function idOf(name: string): Promise<string> {
  const page = contract.sessionPage.parse(await (await ask(sessions, "/api/sessions", {})).json());
  return page.sessions.find((row) => row.name === name)?.id ?? "";
}

function post(body: object): RequestInit {
  return { method: "POST", body: JSON.stringify(body) };
}

it("every question is answered before the first piece of a sweep has ended", async () => {
  const swept = await Promise.all(["swept-1.jsonl", "swept-2.jsonl"].map(idOf));
  const vary = [
    { key: "triggerShare", from: 0.01, to: 1, step: 0.01 },
    { key: "keepRecentTokens", from: 100, to: 10_000, step: 100 },
  ];
  const response = await ask(sweeps, "/", {}, post({ sessions: swept, policy: "custom", vary }));
  const told = response.text();
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 30_000 });

  const id = await idOf("asked.jsonl");
  const answers = await Promise.all([
    ask(session, "/?accuracy=all", { id }),
    ask(columns, "/?tokens=o200k&measures=codex", { id }),
    ask(items, "/?from=0&to=9", { id }),
    ask(items, "/?from=0&to=9", { id: swept[0] ?? "" }),
    ask(replay, "/", { id: swept[1] ?? "" }, post({ policy: "codex" })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

  rmSync(gate);
  const rows = (await told).split("\n\n").filter((event) => event.startsWith("event: rows"));
  expect(rows).toHaveLength(2);
}, 60_000);
