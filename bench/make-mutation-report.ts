import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { GROUP_NAMES, TARGETS, targetOf } from "./mutation/groups";
import { mutationReport } from "./mutation/report";
import { installStryker, mutate } from "./mutation/run";

const TARGET = "bench/results/mutation.md";

/**
 * `npm run bench make-mutation-report [-- GROUP|FILE… | --table]`: mutates the exact rules and writes to `bench/results/mutation.md` how many
 * mutants the tests notice. The rows of other files stay. Without names it runs all groups; a group takes minutes. `--table` only writes the
 * results of earlier runs.
 */
export async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => arg !== "--table");
  const unknown = names.filter((name) => targetOf(name) === undefined);
  if (unknown.length > 0) {
    console.error(`no group or file ${unknown.join(", ")}; the groups are ${GROUP_NAMES.join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const targets = names.length === 0 ? TARGETS : names.flatMap((name) => targetOf(name) ?? []);
  if (!args.includes("--table")) {
    installStryker();
    for (const target of targets) mutate(target);
  }
  writeFileSync(TARGET, mutationReport(targets, existsSync(TARGET) ? readFileSync(TARGET, "utf8") : ""));
  console.log(`written to ${TARGET}`);
}
