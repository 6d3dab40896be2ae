import { Help } from "commander";
import { POLICIES } from "@/lib/agents/registry";
import { INPUT_KEYS } from "@/lib/core/compaction/policy/input-settings";
import { PAUSE_KEYS } from "@/lib/core/compaction/policy/pause-settings";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { ESTIMATOR_IDS, presetsOf } from "@/lib/server/read/numbers/estimators";

// Help printed below a command's options. Loaded only when the user asks for help.

const WIDTH = 80;

/** The program's own help: exit codes and first examples. */
export function programHelp(): string {
  return [
    "",
    "Results go to standard output, progress and messages to standard error.",
    "Exit codes: 0 done, 1 a check failed, 2 bad arguments, 3 unreadable input.",
    "Damaged lines of a file are counted; they are not errors.",
    "",
    "Examples:",
    "  context-replay serve",
    "  context-replay inspect ~/.codex/sessions/*/*/*/rollout-*.jsonl",
    "  context-replay replay FILE --policy codex --set autoCompactLimit=200000",
    "  context-replay sweep FILE --policy custom --vary triggerShare=0.5:0.9:0.1",
  ].join("\n");
}

/** Examples of one command. A long example continues on a second line, as a shell reads it. */
export function examplesHelp(examples: readonly string[]): string {
  return ["", "Examples:", ...examples.map(wrapped)].join("\n");
}

/** An example in lines of the terminal's width, which break only before an option. */
function wrapped(example: string): string {
  const lines = [""];
  for (const part of example.split(/ (?=--)/)) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length + " \\".length < WIDTH) lines[lines.length - 1] = line;
    else lines.push(`   ${part}`);
  }
  return lines.map((line) => ` ${line}`).join(" \\\n");
}

/** Help of commands that take an estimator. */
export function estimatorHelp(): string {
  const rows = ESTIMATOR_IDS.map((id) => [id, presetsOf(id).join(", ")] as const);
  const plain = rows.filter(([, presets]) => presets === "").map(([id]) => id);
  return section("Estimators, with their presets (default: the first):", [
    ["no preset", plain.join(", ")],
    ...rows.filter(([, presets]) => presets !== ""),
  ]);
}

/** Settings that every policy takes. */
const COMMON = new Set(["summaryTokens", "failSummary", "entryTruncation"]);

/** Help of commands that take a policy. */
export function policyHelp(): string {
  const rows = POLICIES.flatMap((policy): Row[] => [
    [policy.id, policy.presets.map((preset) => presetText(policy, preset)).join(", ")],
    ...(keysOf(policy) === "" ? [] : [["", keysOf(policy)] as const]),
  ]);
  return section(
    "Policies, with their presets (default: the first) and settings.\nA value out of range is rejected with a message that names the range:",
    [...rows, ["all", [...COMMON].join(", ")], ["all but recorded", [...PAUSE_KEYS, ...INPUT_KEYS].join(", ")]],
  );
}

/** A preset, followed by its date if it has one. */
function presetText({ presetDates = {} }: Policy, preset: string): string {
  const date = presetDates[preset];
  return date === undefined ? preset : `${preset} (${date})`;
}

/** A policy's own settings over all of its presets. */
function keysOf(policy: Policy): string {
  const context = { window: 200_000, agent: null };
  const keys = policy.presets.flatMap((preset) => policy.settings(preset, context).map(({ key }) => key));
  return [...new Set(keys)].filter((key) => !COMMON.has(key)).join(", ");
}

type Row = readonly [term: string, text: string];

function section(title: string, rows: readonly Row[]): string {
  const help = new Help();
  help.helpWidth = WIDTH;
  const widest = Math.max(...rows.map(([term]) => term.length));
  return ["", title, ...rows.map(([term, text]) => help.formatItem(term, widest, text, help))].join("\n");
}
