import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkAll } from "./commands/fidelity";
import { settingOption } from "./input/arguments";
import { sessionFilesOf } from "./input/folder-files";
import { fidelityText } from "./text/fidelity-text";

const document = readFileSync("docs/fidelity.md", "utf8");

/** Commands in the document, each with its output: all of it, or its first table. */
const shown = Array.from(
  document.matchAll(/```text\n\$ node bin\/context-replay\.mjs fidelity (?<args>[^\n]+)\n(?<output>[^`]+)```/g),
  ({ groups = {} }) => ({ args: (groups.args ?? "").split(" "), output: groups.output ?? "" }),
);

describe.skipIf(!existsSync("../shared/transcripts"))("docs/fidelity.md", () => {
  it("shows the table and the effect of settings", () => {
    expect(shown.length).toBeGreaterThanOrEqual(4);
  });

  it.each(shown)("shows the output of $args", async ({ args, output }) => {
    const set = args.includes("--set") ? settingOption(args[args.indexOf("--set") + 1] ?? "") : {};
    const { table } = await checkAll(await sessionFilesOf(args.slice(0, 1)), set);
    const printed = table === undefined ? "" : fidelityText(table);
    expect(args.length === 1 ? printed : `${printed.split("\n\n")[0]}\n`).toBe(output);
  });
});
