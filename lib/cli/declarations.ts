import { type Command, Option } from "commander";
import { ADVISED_BY } from "@/lib/core/advice/recommend";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { MAX_REPLAYS } from "@/lib/core/analysis/grid";
import { FACETS } from "@/lib/core/base/facet-keys";
import { SPENT } from "@/lib/core/metrics/registry";
import {
  budgetOption,
  portNumber,
  positiveInteger,
  RunArguments,
  requestNumber,
  requestPoint,
  samples,
  settingOption,
  share,
  someText,
  varyOption,
} from "./input/arguments";
import { policyOption } from "./input/own-policy-files";
import {
  COUNTING,
  ESTIMATOR,
  listCommand,
  OVERHEAD,
  POLICY,
  PRICES,
  PRICING,
  PROTOCOL,
  type Program,
  READING,
  SIZES,
  WINDOW,
} from "./options";
import { EXIT, type ExitCode } from "./process/exit";

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
    .take(PROTOCOL, PRICES)
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
    .action(async (options) => end((await import("./commands/work")).work(options)));
}

function addInspect(program: Program): Command {
  return program
    .command("inspect")
    .description("summarises each session file")
    .argument("<file...>", "session files; - is standard input")
    .option(
      "--accuracy <which>",
      "estimators to compare with the usage: sizes, own, all, or ids separated by commas",
      "own",
    )
    .take(...READING)
    .option("--json", "one JSON object per line")
    .action(async (files: string[], options) => end((await import("./commands/inspect")).inspect(files, options)));
}

function addCount(program: Program): Command {
  return program
    .command("count")
    .description("counts the tokens of standard input")
    .requiredOption("--estimator <id>", "token rule, see the list below")
    .option("--model <name>", "model, for rules that depend on it")
    .option("--jsonl", 'each input line is a JSON string, or {"message": …} in the rule\'s own format')
    .action(async (options) => end((await import("./commands/count")).count(options)));
}

function addReplay(program: Program): Command {
  return program
    .command("replay")
    .description("replays a recording under another policy")
    .argument("<file>", "session file; - is standard input")
    .requiredOption("--policy <id[@preset]>", POLICY, policyOption)
    .option("--set <key=value>", "setting of the policy; may be repeated", settingOption)
    .take(...SIZES)
    .option("--at <request>", "show what the compaction before this request did with each item", requestNumber)
    .option("--texts", "with --at: also print the new context as messages, the summary prompt and the agent's report")
    .take(...PRICING, ...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) => end((await import("./commands/replay")).replay(file, options)));
}

function addCompare(program: Program): Command {
  const given = new RunArguments();
  return program
    .command("compare")
    .description("compares two to six policies on one recording")
    .argument("<file>", "session file; - is standard input")
    .requiredOption("--policy <id[@preset]>", "policy to compare, or ./my-policy.mjs; give two to six", (text) =>
      given.policy(policyOption(text)),
    )
    .option("--set <key=value>", "setting of the preceding --policy; may be repeated", given.set)
    .option(
      "--schedule <own|best>",
      "when the preceding --policy compacts: by its own rule, or with the best timing in hindsight",
      given.schedule,
    )
    .option("--estimator <id>", "token rule for all policies (default: the agent's own)")
    .take(WINDOW, COUNTING, OVERHEAD, ...PRICING, ...READING)
    .option("--json", "one JSON object per policy, then the difference")
    .action(async (file: string, options) =>
      end((await import("./commands/compare")).compare(file, given.runs, options)),
    );
}

function addSweep(program: Program): Command {
  return program
    .command("sweep")
    .description("replays a policy over a range of one or two settings")
    .argument("<file...>", "session files; - is standard input")
    .requiredOption("--policy <id[@preset]>", POLICY, policyOption)
    .requiredOption(
      "--vary <key=from:to:step>",
      `setting and its range, both ends included; at most two, and at most ${MAX_REPLAYS} replays over all files`,
      varyOption,
    )
    .option("--set <key=value>", "setting with a fixed value; may be repeated", settingOption)
    .take(...SIZES, ...PRICING, ...READING)
    .addOption(new Option("--spent <figure>", "metric that the Pareto front weighs against tokens kept").choices(SPENT))
    .option("--regret", "also print how much more each point costs than the best timing in hindsight; slower")
    .option("--json", "one JSON object per point")
    .action(async (files: string[], options) => end((await import("./commands/sweep")).sweep(files, options)));
}

function addRecommend(program: Program): Command {
  return program
    .command("recommend")
    .description("recommends a setting value from many sessions, or reports that there is no evidence")
    .argument("<path...>", "session files or folders; - is standard input")
    .requiredOption(
      "--policy <id[@preset]>",
      "an agent's compaction policy, which skips other agents' sessions, or your own: ./my-policy.mjs",
      policyOption,
    )
    .requiredOption("--vary <key=from:to:step>", "setting and its range, both ends included; at most two", varyOption)
    .option("--set <key=value>", "setting with a fixed value; may be repeated", settingOption)
    .addOption(new Option("--by <figure>", "metric to minimise").choices(ADVISED_BY).default("cost"))
    .option("--seed <number>", "seed of the random halves", positiveInteger, 1)
    .take(...SIZES, ...PRICING, ...READING)
    .option("--json", "the recommendation as JSON")
    .action(async (paths: string[], options) => end((await import("./commands/recommend")).recommend(paths, options)));
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

/** Policies of one's own. */
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

function addBreakdown(program: Program): Command {
  return program
    .command("breakdown")
    .description("shows what filled the window at a request")
    .argument("<file>", "session file; - is standard input")
    .option("--at <request>", "request, counted from 0, or last", requestPoint, "last")
    .addOption(WINDOW)
    .option("--threshold <share>", "share of the window at which the agent compacts", share)
    .addOption(ESTIMATOR)
    .addOption(OVERHEAD)
    .option("--preset <id[@preset]>", "the agent's own view (by version or name), or ours")
    .option("--model <name>", "model shown in the agent's own view (default: the recording's last)")
    .addOption(new Option("--view <view>", "level of detail").choices(["list", "detail", "json"]).default("list"))
    .take(...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) => end((await import("./commands/breakdown")).breakdown(file, options)));
}

function addContributors(program: Program): Command {
  return program
    .command("contributors")
    .description("ranks what filled the context up to a request: tokens, and tokens × requests")
    .argument("<file>", "session file; - is standard input")
    .addOption(new Option("--by <what>", "group items by this column").choices(GROUPINGS).default("tool"))
    .option("--at <request>", "request, counted from 0, or last", requestPoint, "last")
    .option(
      "--policy <id[@preset]>",
      "policy whose simulated context is ranked (default: the recorded context)",
      policyOption,
    )
    .option("--set <key=value>", "setting of the policy; may be repeated", settingOption)
    .option("--limit <n>", "rows of each list (default: 20, with --json all)", positiveInteger)
    .take(WINDOW, COUNTING, ESTIMATOR, OVERHEAD, ...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) =>
      end((await import("./commands/contributors")).contributors(file, options)),
    );
}

function addCost(program: Program): Command {
  return program
    .command("cost")
    .description("computes the cost at list prices, and lists cache misses")
    .argument("<file...>", "session files; - is standard input")
    .take(...PRICING, ...READING)
    .option("--json", "one JSON object per line")
    .action(async (files: string[], options) => end((await import("./commands/cost")).cost(files, options)));
}

function addLedger(program: Program): Command {
  return program
    .command("ledger")
    .description("lists content re-fetched after compactions, recorded or simulated")
    .argument("<file...>", "session files; - is standard input")
    .option(
      "--policy <id[@preset]>",
      "policy whose simulated compactions are used (default: the recorded ones)",
      policyOption,
    )
    .option("--set <key=value>", "setting of the policy; may be repeated", settingOption)
    .take(...SIZES, ...PRICING, ...READING)
    .option("--json", "one JSON object per line")
    .action(async (files: string[], options) => end((await import("./commands/ledger")).ledger(files, options)));
}

function addSummarize(program: Program): Command {
  return program
    .command("summarize")
    .description("previews the summary request of a compaction; --yes sends it to your endpoint")
    .argument("<file>", "session file; - is standard input")
    .requiredOption("--boundary <request>", "compaction before this request (ledger lists them)", requestNumber)
    .requiredOption("--summarizer <url>", "your endpoint; its key comes from CONTEXT_REPLAY_SUMMARIZER_KEY")
    .requiredOption("--model <name>", "model that summarises")
    .addOption(PROTOCOL)
    .option("--policy <id[@preset]>", "policy whose simulated compaction is used (default: a recorded one)")
    .option("--set <key=value>", "setting of the policy; may be repeated", settingOption)
    .option("--samples <n>", "summaries to request, one after another; several show the spread", samples, 1)
    .option("--yes", "send the previewed request; without it nothing is sent")
    .take(...SIZES, PRICES, ...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) => end((await import("./commands/summarize")).summarize(file, options)));
}

function addFidelity(program: Program): Command {
  return program
    .command("fidelity")
    .description("measures how well the agents' own policies predict recorded compactions")
    .argument("<path...>", "session files or folders; - is standard input")
    .option("--set <key=value>", "setting of the agents' policies; may be repeated", settingOption)
    .addOption(OVERHEAD)
    .option("--json", "the table as JSON")
    .action(async (paths: string[], options) => end((await import("./commands/fidelity")).fidelity(paths, options)));
}

function addExport(program: Program): Command {
  return program
    .command("export")
    .description("exports a session; a bundle holds its numbers without any text and opens like a recording")
    .argument("<file...>", "session files, several only with --to html; - is standard input")
    .addOption(
      new Option("--to <format>", "output format")
        .choices(["bundle", "csv", "json", "svg", "png", "html"])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--table <name>", "with --to csv: the table")
        .choices(["requests", "boundaries", "items"])
        .default("requests"),
    )
    .option("--with-text", "with --to json or html: include the texts, likely secrets masked; previews them first")
    .option("--yes", "with --with-text: write the file")
    .option("--out <file>", "file to write (default: standard output)")
    .take(...READING)
    .action(async (files: string[], options) => end((await import("./export/export")).exportSessions(files, options)));
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

/** Listed here for help only: `bin/context-replay.mjs` runs the status line itself, because this program takes too long to start. */
function addStatusline(program: Program): Command {
  return program
    .command("statusline")
    .description(
      "prints Claude Code's status line: context, distance to compaction, cost; reads the status from standard input",
    )
    .action(async () => void (await import("./extras/statusline-main")));
}

/** Waits for a command and sets the exit code. */
async function end(running: Promise<ExitCode> | Promise<void>): Promise<void> {
  process.exitCode = (await running) || EXIT.done;
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
      "context-replay recommend sessions --policy ./my-policy.mjs --vary triggerShare=0.3:0.8:0.1",
    ],
  },
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
      "context-replay export session.jsonl --to csv --table items > items.csv",
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
