import { Argument, type Command, Option } from "commander";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { FACETS } from "@/lib/core/base/facet-keys";
import { budgetOption, portNumber, positiveInteger, settingOption, someText, varyOption } from "./input/arguments";
import { policyOption } from "./input/own-policy-files";
import {
  AGENT_SETTINGS,
  COUNTING,
  ESTIMATOR,
  listCommand,
  POLICY,
  PRICES,
  PRICING,
  PROTOCOL,
  type Program,
  READING,
  SIZES,
  WINDOW,
} from "./options";
import { end } from "./process/exit";
import {
  addBreakdown,
  addCompare,
  addContributors,
  addCost,
  addCount,
  addExport,
  addFidelity,
  addInspect,
  addLedger,
  addReplay,
  addSummarize,
  addSweep,
  addWaste,
} from "./session-declarations";
import { PARTS } from "./setup/parts";

function addServe(program: Program): Command {
  return program
    .command("serve")
    .description("serves the dashboard")
    .argument("[dir...]", "folders to list besides the agents' own; read only")
    .option("--port <n>", "port (default: $PORT, else 3000; the next free one if it is taken)", portNumber)
    .option(
      "--host <host>",
      "name or address to listen on; any but this machine's needs --token",
      someText,
      "127.0.0.1",
    )
    .option("--token <token>", "secret that a browser must present once", someText)
    .option("--open", "open a browser if there is a desktop")
    .option("--summarizer <url>", "your endpoint for real summaries; without it nothing is sent anywhere")
    .option("--model <name>", "with --summarizer: model that summarises")
    .option("--policies <dir>", "folder of your policies, *.mjs (default: ~/.config/context-replay/policies)")
    .take(PROTOCOL, PRICES, AGENT_SETTINGS)
    .action(async (dirs: string[], options) => end((await import("./commands/serve")).serve(dirs, options)));
}

function addSessions(program: Program): Command {
  return listCommand(program, "sessions", "lists sessions, one per line")
    .option("--sort <key>", "modified, started, title, cost, …; a leading - sorts descending", "-modified")
    .option("--limit <n>", "maximum number of sessions (default: all)", positiveInteger)
    .action(async (dirs: string[], options) => end((await import("./commands/sessions")).sessions(dirs, options)));
}

function addStats(program: Program): Command {
  return listCommand(program, "stats", "sums metrics over listed sessions")
    .addOption(new Option("--by <key>", "group sessions by this column").choices(FACETS).default("agent"))
    .action(async (dirs: string[], options) => end((await import("./commands/stats")).stats(dirs, options)));
}

function addWork(program: Program): Command {
  return program
    .command("work")
    .description("runs jobs for servers that share the database in CONTEXT_REPLAY_DATABASE")
    .option("--threads <n>", "jobs at a time (default: number of cores)", positiveInteger)
    .action(async (options) => end((await import("./extras/work")).work(options)));
}

function addRecommend(program: Program): Command {
  return program
    .command("recommend")
    .description("recommends a setting value from many sessions, or reports that there is no evidence")
    .argument("[path...]", "session files or folders; - is standard input")
    .option(
      "--policy <id[@preset]>",
      "an agent's compaction policy, which skips other agents' sessions, or your own: ./my-policy.mjs",
      policyOption,
    )
    .option("--vary <key=from:to:step>", "setting and its range, both ends included; at most two", varyOption)
    .option("--set <key=value>", "setting with a fixed value; may be repeated", settingOption)
    .addOption(new Option("--by <metric>", "metric to minimise").choices(ADVISED_BY).default("cost"))
    .option("--seed <number>", "seed of the random halves", positiveInteger, 1)
    .take(...SIZES, ...PRICING, ...READING)
    .option("--apply", "with evidence: write the setting into the agent's settings file, after showing the change")
    .option("--yes", "with --apply: write without asking")
    .option("--undo", "restore the settings file as it was before the last --apply; needs no other argument")
    .addOption(new Option("--json", "the recommendation as JSON").conflicts(["apply", "undo"]))
    .action(async (paths: string[], options, command: Command) => {
      if (options.undo) return end((await import("./setup/apply-setting")).undoSetting());
      if (paths.length === 0) command.error("error: missing required argument 'path'");
      for (const one of command.options.filter(({ long }) => long === "--policy" || long === "--vary"))
        if (options[one.attributeName()] === undefined)
          command.error(`error: required option '${one.flags}' not specified`);
      return end((await import("./commands/recommend")).recommend(paths, options));
    });
}

function addOutcome(program: Program): Command {
  return listCommand(program, "outcome", "compares sessions before and after a setting that recommend --apply wrote")
    .option("--seed <number>", "seed of the resampled sessions", positiveInteger, 1)
    .action(async (dirs: string[], options) => end((await import("./extras/outcome")).outcome(dirs, options)));
}

function addCheck(program: Program): Command {
  return program
    .command("check")
    .description("checks a policy against budgets over recordings, for continuous integration")
    .argument("<path...>", "session files or folders; - is standard input")
    .requiredOption("--policy <id[@preset]>", POLICY, policyOption)
    .requiredOption(
      "--budget <budget>",
      "cost<=1.05x baseline, requestsOverWindow==0; <, <=, ==, >=, > (repeatable)",
      budgetOption,
    )
    .option("--set <key=value>", "setting of the policy; may be repeated", settingOption)
    .option("--baseline <file>", "metrics that an earlier check wrote")
    .option("--write-baseline <file>", "write the metrics of this check")
    .option("--junit <file>", "write the budgets as JUnit XML")
    .take(ESTIMATOR, WINDOW, COUNTING, ...PRICING, ...READING)
    .option("--json", "the result as JSON instead of Markdown")
    .action(async (paths: string[], options) => end((await import("./commands/check")).check(paths, options)));
}

function addNewPolicy(program: Program): Command {
  return program
    .command("new-policy")
    .description("writes a starter compaction policy and its test")
    .argument("[file]", "file to write", "my-policy.mjs")
    .action(async (file: string) => end((await import("./extras/new-policy")).newPolicy(file)));
}

function addCheckPolicy(program: Program): Command {
  return program
    .command("check-policy")
    .description("checks a policy's invariants on generated sessions")
    .argument("<file>", "file of your policy, or the id of a built-in one", policyOption)
    .option("--seed <number>", "seed of the generated sessions", positiveInteger, 1)
    .option("--json", "the result as JSON")
    .action(async (policy: string, options) =>
      end((await import("./extras/check-policy")).checkPolicy(policy, options)),
    );
}

function addConformance(program: Program): Command {
  return program
    .command("conformance")
    .description("runs golden cases of the real programs through our implementation")
    .argument("[dir]", "folder or file of cases (default: the project's own)")
    .option("--json", "one JSON object per function")
    .action(async (dir: string | undefined, options) =>
      end((await import("./commands/conformance")).conformance(dir, options)),
    );
}

function addMcp(program: Program): Command {
  return program
    .command("mcp")
    .description("serves session queries to agents: Model Context Protocol on standard input and output")
    .action(async () => end((await import("./extras/mcp")).mcp()));
}

function addInstall(program: Program): Command {
  return program
    .command("install")
    .description("writes the status line or the MCP server into Claude Code's settings, after showing the change")
    .addArgument(new Argument("<part>", "what to install").choices(PARTS))
    .option("--yes", "write without asking")
    .option("--undo", "restore the file as it was before, if nothing else has changed it")
    .action(async (part, options) => end((await import("./setup/install")).install(part, options)));
}

/** Listed here for help only: `bin/context-replay.mjs` runs the status line itself, because this program takes too long to start. */
function addStatusline(program: Program): Command {
  return program
    .command("statusline")
    .description(
      "prints Claude Code's status line: context, distance to compaction, cost; reads the status from standard input",
    )
    .action(async () => void (await import("./extras/statusline-main")));
}

/** One command, and two command lines that its help shows as examples. */
export interface CommandDeclaration {
  readonly add: (program: Program) => Command;
  readonly examples: readonly [string, string];
}

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly CommandDeclaration[] = [
  { add: addServe, examples: ["context-replay serve --open", "context-replay serve recordings --port 8080"] },
  {
    add: addInspect,
    examples: ["context-replay inspect session.jsonl", "context-replay inspect sessions/*.jsonl --accuracy all --json"],
  },
  {
    add: addCount,
    examples: [
      "context-replay count --estimator o200k < prompt.txt",
      "context-replay count --estimator codex --jsonl < messages.jsonl",
    ],
  },
  {
    add: addReplay,
    examples: [
      "context-replay replay session.jsonl --policy codex",
      "context-replay replay session.jsonl --policy custom --set triggerShare=0.7 --json",
    ],
  },
  {
    add: addCompare,
    examples: [
      "context-replay compare session.jsonl --policy claude-code --policy codex",
      "context-replay compare session.jsonl --policy codex --policy codex --schedule best",
    ],
  },
  {
    add: addSweep,
    examples: [
      "context-replay sweep session.jsonl --policy custom --vary triggerShare=0.5:0.9:0.1",
      "context-replay sweep sessions/*.jsonl --policy codex --vary autoCompactLimit=100000:200000:20000 --json",
    ],
  },
  {
    add: addRecommend,
    examples: [
      "context-replay recommend ~/.claude/projects --policy claude-code --vary pctOverride=30:95:5",
      "context-replay recommend ~/.claude/projects --policy claude-code --vary pctOverride=30:95:5 --apply",
    ],
  },
  { add: addOutcome, examples: ["context-replay outcome", "context-replay outcome --where project=shop --json"] },
  {
    add: addCheck,
    examples: [
      'context-replay check sessions --policy codex --budget "requestsOverWindow==0"',
      'context-replay check sessions --policy codex --budget "cost<=1.05x baseline" --baseline base.json',
    ],
  },
  { add: addNewPolicy, examples: ["context-replay new-policy", "context-replay new-policy policies/half-window.mjs"] },
  {
    add: addCheckPolicy,
    examples: ["context-replay check-policy ./my-policy.mjs", "context-replay check-policy codex --seed 7 --json"],
  },
  {
    add: addBreakdown,
    examples: [
      "context-replay breakdown session.jsonl",
      "context-replay breakdown session.jsonl --at 12 --view detail",
    ],
  },
  {
    add: addContributors,
    examples: [
      "context-replay contributors session.jsonl --by tool",
      "context-replay contributors session.jsonl --policy codex --limit 5",
    ],
  },
  {
    add: addWaste,
    examples: ["context-replay waste session.jsonl", "context-replay waste ~/.claude/projects --json"],
  },
  {
    add: addCost,
    examples: [
      "context-replay cost session.jsonl --ttl 1h",
      "context-replay cost sessions/*.jsonl --price-date today --json",
    ],
  },
  {
    add: addLedger,
    examples: ["context-replay ledger session.jsonl", "context-replay ledger session.jsonl --policy codex --json"],
  },
  {
    add: addSummarize,
    examples: [
      "context-replay summarize session.jsonl --boundary 12 --summarizer http://localhost:11434/v1 --model qwen3",
      "context-replay summarize session.jsonl --boundary 12 --summarizer http://localhost:11434/v1 --model qwen3 --samples 3 --yes",
    ],
  },
  {
    add: addFidelity,
    examples: ["context-replay fidelity ~/.claude/projects", "context-replay fidelity sessions --json"],
  },
  {
    add: addExport,
    examples: [
      "context-replay export session.jsonl --to bundle --out numbers.jsonl",
      "context-replay export session.jsonl --to html --policy custom --set triggerShare=0.5 --out report.html",
    ],
  },
  {
    add: addConformance,
    examples: ["context-replay conformance", "context-replay conformance goldens/codex --json"],
  },
  {
    add: addMcp,
    examples: ["context-replay mcp", "claude mcp add context-replay -- context-replay mcp"],
  },
  { add: addInstall, examples: ["context-replay install statusline", "context-replay install mcp --undo"] },
  {
    add: addStatusline,
    examples: [
      "context-replay statusline < status.json",
      'echo \'{"transcript_path": "session.jsonl"}\' | context-replay statusline',
    ],
  },
  {
    add: addSessions,
    examples: [
      'context-replay sessions --where agent=codex --where "cost>1"',
      "context-replay sessions recordings --sort -cost --limit 10",
    ],
  },
  {
    add: addStats,
    examples: ["context-replay stats --by day --tz Europe/Berlin", "context-replay stats recordings --json"],
  },
  {
    add: addWork,
    examples: [
      "CONTEXT_REPLAY_DATABASE=postgres://db/replay context-replay work",
      "CONTEXT_REPLAY_DATABASE=postgres://db/replay context-replay work --threads 4",
    ],
  },
];
