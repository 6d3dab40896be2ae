import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../testing/program";

const { root, temporary, good } = commandLine();

/** The program with a session on its standard input, which stays open. */
function started(...args: readonly string[]) {
  const program = join(root, "dist", "cli.mjs");
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, TMPDIR: temporary } });
  child.stdin.on("error", () => undefined);
  child.stdin.write(readFileSync(good));
  return child;
}

it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a command ended by %s leaves no copy of standard input",
  async (signal) => {
    const child = started("inspect", "-");
    await expect.poll(() => readdirSync(temporary), { timeout: 20_000 }).toHaveLength(1);
    child.kill(signal);
    await once(child, "close");
    expect([child.signalCode, readdirSync(temporary)]).toEqual([signal, []]);
  },
);

it("a command whose output has no reader leaves no copy of standard input", async () => {
  const child = started("inspect", "-");
  child.stdout.destroy();
  child.stdin.end();
  await once(child, "close");
  expect([child.exitCode, readdirSync(temporary)]).toEqual([0, []]);
});
