import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { commandLine, LONG } from "./testing/program";

const { root, folder } = commandLine();
const DOCUMENT = "docs/your-own-policy.md";
const SAMPLES = readdirSync("public/samples")
  .filter((name) => name.endsWith(".jsonl"))
  .sort();

/** Commands of the page in order, each with the output of the last. */
const EXAMPLES = Array.from(
  readFileSync(DOCUMENT, "utf8").matchAll(/```sh\n(.*?)```\n(?:```text\n(.*?)```)?/gs),
  ([, commands = "", printed]) => ({ commands: commands.trim().split("\n"), printed }),
);

it("commands in the document print the document's output", () => {
  const readerFolder = mkdtempSync(join(folder, "reader-"));
  copyFileSync(LONG, join(readerFolder, "session.jsonl"));
  mkdirSync(join(readerFolder, "recordings"));
  for (const name of [basename(LONG), SAMPLES[0] ?? ""])
    copyFileSync(join("public/samples", name), join(readerFolder, "recordings", name));
  // The package as npm installs it.
  mkdirSync(join(readerFolder, "node_modules", "context-replay"), { recursive: true });
  const put = (name: string, text: string) =>
    writeFileSync(join(readerFolder, "node_modules", "context-replay", name), text);
  put("package.json", JSON.stringify({ type: "module", exports: "./library.mjs" }));
  put("library.mjs", `export * from ${JSON.stringify(join(root, "dist", "library.mjs"))};\n`);
  const program = `"${process.execPath}" "${join(root, "dist", "cli.mjs")}"`;
  const shell = (command: string) =>
    spawnSync("sh", ["-c", command.replaceAll("npx context-replay", program)], { cwd: readerFolder, encoding: "utf8" });
  expect(EXAMPLES.length).toBeGreaterThan(5);
  for (const { commands, printed } of EXAMPLES) {
    const ran = commands.map(shell);
    const last = ran.at(-1);
    const fails = printed?.startsWith("context-replay: ") === true;
    expect(ran.slice(0, -1).map(({ status }) => status)).toEqual(ran.slice(0, -1).map(() => 0));
    expect({ commands, status: last?.status, error: fails ? "" : last?.stderr }).toEqual({
      commands,
      status: fails ? 2 : 0,
      error: "",
    });
    if (printed !== undefined) expect(fails ? last?.stderr : last?.stdout).toBe(printed);
  }
  const { status, stdout } = shell(`"${process.execPath}" --test my-policy.test.mjs`);
  expect({ status, passed: /^# pass 1$/m.test(stdout) }).toEqual({ status: 0, passed: true });
});
