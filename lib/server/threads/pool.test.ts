import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, it } from "vitest";
import { runs } from "@/lib/core/testing/runs";
import { builtProgram } from "../testing/bundles";
import { PoolRunner } from "./pool";

const root = builtProgram();
const FILE = "public/samples/claude-code-duplicate-shipments.jsonl";
const ROUNDS = runs(6);

// An answer that is pending when the threads end must not end the program; its error would fail this run.
it("the pool can be closed while answers arrive", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const runner = new PoolRunner(root, { threads: 2 });
    const heads = Array.from({ length: 8 }, () => runner.run("head", { path: FILE }).catch((error: unknown) => error));
    await Promise.race(heads);
    // Long enough, and of different lengths, so that threads have answered before any listener was added.
    const until = performance.now() + round;
    while (performance.now() < until);
    await runner.close();
    expect((await Promise.all(heads)).length).toBe(8);
  }
});

/** Nice values of this process's threads. */
function niceValues(): number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The fields follow the name, which may hold anything: the 17th of them is the nice value.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

it.runIf(process.platform === "linux")(
  "threads for background work have a lower operating-system priority",
  async () => {
    const nicer = Math.min(19, getPriority() + 10);
    const before = niceValues();
    const background = new PoolRunner(root, { background: true });
    await background.run("head", { path: FILE });
    const count = (values: readonly number[]) => values.filter((nice) => nice === nicer).length;
    expect(count(niceValues())).toBe(count(before) + 1);
    await background.close();
  },
);
