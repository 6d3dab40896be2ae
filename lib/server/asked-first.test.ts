import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { builtProgram } from "./testing/bundles";
import { assistantLine, put, userLine } from "./testing/files";
import { ask, post, routeOf } from "./testing/routes";
import { idOf, servedFolder } from "./testing/serving";

const columns = routeOf("GET", "/api/sessions/{id}/columns");
const items = routeOf("GET", "/api/sessions/{id}/items");
const replay = routeOf("POST", "/api/sessions/{id}/replay");
const session = routeOf("GET", "/api/sessions/{id}");
const sweeps = routeOf("POST", "/api/sweeps");

const program = builtProgram();
/** `root`: a stand-in for the program's folder, with the worker that `holdSweeps` writes. */
const { base, mounted, root } = servedFolder((folder) => join(folder, "program"));
/** While this file exists, no part of a sweep finishes. */
const gate = join(base, "gate");
/** Log with a line for every started part. */
const begun = join(base, "begun");

/** Writes a worker like the real one, except that its parts of a sweep take as long as the test sets. */
function holdSweeps(): void {
  const built = (file: string) => JSON.stringify(pathToFileURL(join(program, "dist", file)).href);
  const real = built("worker.mjs");
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, "dist", "database.mjs"), `import ${built("database.mjs")};`);
  writeFileSync(
    join(root, "dist", "worker.mjs"),
    `import { existsSync, writeFileSync } from "node:fs";
    import * as real from ${real};
    export * from ${real};
    export function work(task) {
      if (task.name !== "sweep") return real.work(task);
      writeFileSync(${JSON.stringify(begun)}, "");
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (existsSync(${JSON.stringify(gate)})) Atomics.wait(clock, 0, 0, 10);
      return real.work(task);
    }`,
  );
}

beforeAll(() => {
  writeFileSync(gate, "");
  for (const name of ["swept-1", "swept-2", "asked"])
    put(mounted, `${name}.jsonl`, [userLine(name, "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
  holdSweeps();
});
// A server that is closed waits for its threads.
afterAll(() => rmSync(gate, { force: true }));

it("every query is answered while a sweep is still running", async () => {
  const swept = await Promise.all(["swept-1.jsonl", "swept-2.jsonl"].map(idOf));
  const vary = [
    { key: "triggerShare", from: 0.1, to: 1, step: 0.1 },
    { key: "keepRecentTokens", from: 1000, to: 10_000, step: 1000 },
  ];
  const response = await ask(sweeps, "/", {}, post({ sessions: swept, policy: "custom", vary }));
  const streamed = response.text();
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 60_000 });

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
  const rows = (await streamed).split("\n\n").filter((event) => event.startsWith("event: rows"));
  expect(rows).toHaveLength(2);
});
