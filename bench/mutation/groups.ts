import { dirname } from "node:path";

/**
 * The mutated files. By agent: token rules, truncation, pairing, and the points where a history is cut or split. For all agents together: how
 * a rule's result is shared out over items.
 */
const GROUPS = {
  core: ["lib/core/tokens/characters.ts", "lib/core/tokens/item-estimator.ts", "lib/core/transcript/pairing.ts"],
  estimators: [
    "claude-code",
    "clawdcode",
    "codex",
    "gemini-cli",
    "mini-claude-code",
    "openclaw",
    "opencode",
    "pi",
    "qwen-code",
  ].map((agent) => `lib/agents/${agent}/estimator.ts`),
  clawdcode: files("clawdcode", ["summary/retain", "messages/token-counter"]),
  codex: files("codex", ["messages/estimate", "exact/normalize", "messages/tokens", "sent/truncate"]),
  "gemini-cli": files("gemini-cli", ["policy/split-point", "messages/tokens", "sent/truncate-output"]),
  "mini-claude-code": files("mini-claude-code", ["messages/message", "policy/tool-output"]),
  openclaw: files("openclaw", [
    "exact/cut-point",
    "messages/estimate",
    "sent/pairing-frames",
    "exact/planning",
    "sent/prune",
    "exact/repair",
    "sent/result-budget",
    "messages/string-chars",
    "sent/truncate-result",
    "messages/utf16",
  ]),
  opencode: files("opencode", ["exact/conformance", "policy/select-tail", "messages/tokens"]),
  pi: files("pi", ["exact/cut-point", "sent/output-limit", "messages/tokens"]),
  "qwen-code": files("qwen-code", ["messages/estimates", "exact/split-point", "sent/truncate-output"]),
} as const satisfies Record<string, readonly string[]>;

export type GroupName = keyof typeof GROUPS;

/** All groups, in the order of the report. */
// `Object.keys` loses the type of the keys.
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];

/** What one run mutates: a group, or one file of a group. */
export interface Target {
  /** The group's name, or the file's path below `lib`. */
  readonly name: string;
  readonly files: readonly string[];
  /** The tests of these rules: whole replays would take too long for each mutant. */
  readonly tests: readonly string[];
}

/** OpenClaw's rules that golden cases cover; their own test files do not cover them fully. */
const HELD_BY_GOLDENS = ["planning", "prune", "result-budget"];

/** All groups as targets, in the order of the report. */
export const TARGETS: readonly Target[] = GROUP_NAMES.map((name) => ({
  name,
  files: GROUPS[name],
  tests: testsOf(name, GROUPS[name]),
}));

/** The target for a group's name or a file's path, with or without `lib/`; `undefined` if it is neither. */
export function targetOf(name: string): Target | undefined {
  const path = name.startsWith("lib/") ? name : `lib/${name}`;
  const group = GROUP_NAMES.find((one) => filesOf(one).includes(path));
  if (group === undefined) return TARGETS.find((target) => target.name === name);
  return { name: path.slice("lib/".length), files: [path], tests: testsOf(group, [path]) };
}

function filesOf(group: GroupName): readonly string[] {
  return GROUPS[group];
}

function testsOf(group: GroupName, files: readonly string[]): readonly string[] {
  if (group === "estimators") {
    return [...files.map((file) => `${dirname(file)}/*.test.ts`), "lib/server/estimator-family.test.ts"];
  }
  // Many rules use these files. With every test that reaches them, a group would take half an hour; with their own tests it takes minutes.
  const own = files.map((file) => file.replace(/ts$/, "test.ts"));
  if (group === "openclaw") return [...own, ...goldenTestsOf(files)];
  if (group === "pi") return [...own, "lib/agents/pi/exact.test.ts", "lib/agents/pi/exact/conformance.test.ts"];
  if (group !== "core") return [`lib/agents/${group}/**/*.test.ts`];
  const tokens = ["characters", "item-estimator"].map((name) => `lib/core/tokens/${name}.test.ts`);
  return [...tokens, "lib/core/{columns,context,transcript}/*.test.ts"];
}

function goldenTestsOf(files: readonly string[]): readonly string[] {
  if (!HELD_BY_GOLDENS.some((name) => files.some((file) => file.endsWith(`/${name}.ts`)))) return [];
  return ["exact/conformance", "exact/exact-rules"].map((name) => `lib/agents/openclaw/${name}.test.ts`);
}

function files(agent: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `lib/agents/${agent}/${name}.ts`);
}
