import { Option } from "commander";
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

function addServe(program: Program): void {
  program
    .command("serve")
    .description("the dashboard")
    .argument("[dir...]", "folders to list beside the agents' own; they are only read")
    .option("--port <n>", "port (default: $PORT, else 3000; the next free one if it is taken)", portNumber)
    .option(
      "--host <host>",
      "name or address to listen on; beyond this machine it takes a token",
      someText,
      "127.0.0.1",
    )
    .option("--token <token>", "secret that a browser must show once", someText)
    .option("--open", "open a browser, where there is a desktop")
    .option("--summarizer <url>", "an endpoint of yours for real summaries; without it nothing is ever sent anywhere")
    .option("--model <name>", "with --summarizer: the model that summarises")
    .option("--policies <dir>", "policies of yours, *.mjs (default: ~/.config/context-replay/policies)")
    .take(PROTOCOL, PRICES)
    .action(async (dirs: string[], options) => end((await import("./commands/serve")).serve(dirs, options)));
}

function addSessions(program: Program): void {
  listCommand(program, "sessions", "the sessions of the list, one a line")
    .option("--sort <key>", "modified, started, title, cost, …; - before it: downwards", "-modified")
    .option("--limit <n>", "the most sessions (default: all)", positiveInteger)
    .action(async (dirs: string[], options) => end((await import("./commands/sessions")).sessions(dirs, options)));
}

function addStats(program: Program): void {
  listCommand(program, "stats", "sums over the sessions of the list")
    .addOption(new Option("--by <key>", "what they are grouped by").choices(FACETS).default("agent"))
    .action(async (dirs: string[], options) => end((await import("./commands/stats")).stats(dirs, options)));
}

function addWork(program: Program): void {
  program
    .command("work")
    .description("does jobs beside the servers that share the database of CONTEXT_REPLAY_DATABASE")
    .option("--threads <n>", "jobs at a time (default: as many as there are cores)", positiveInteger)
    .action(async (options) => end((await import("./commands/work")).work(options)));
}

function addInspect(program: Program): void {
  program
    .command("inspect")
    .description("one summary a file")
    .argument("<file...>", "session files; - is standard input")
    .option("--accuracy <which>", "estimators compared with the usage: sizes, own, all, or ids with commas", "own")
    .take(...READING)
    .option("--json", "one JSON object a line")
    .action(async (files: string[], options) => end((await import("./commands/inspect")).inspect(files, options)));
}

function addCount(program: Program): void {
  program
    .command("count")
    .description("tokens of standard input")
    .requiredOption("--estimator <id>", "token rule")
    .option("--model <name>", "model, for rules that depend on it")
    .option("--jsonl", 'every input line is a JSON string, or {"message": …} in the rule\'s own shape')
    .action(async (options) => end((await import("./commands/count")).count(options)));
}

function addReplay(program: Program): void {
  program
    .command("replay")
    .description("the recording under another policy")
    .argument("<file>", "session file; - is standard input")
    .requiredOption("--policy <id[@preset]>", POLICY, policyOption)
    .option("--set <key=value>", "a setting of the policy; may be repeated", settingOption)
    .take(...SIZES)
    .option("--at <request>", "what the compaction before that request did with every item", requestNumber)
    .option("--texts", "with --at: the context after it as messages, the agent's prompt for the summary, its report")
    .take(...PRICING, ...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) => end((await import("./commands/replay")).replay(file, options)));
}

function addCompare(program: Program): void {
  const given = new RunArguments();
  program
    .command("compare")
    .description("two to six policies on one recording")
    .argument("<file>", "session file; - is standard input")
    .requiredOption("--policy <id[@preset]>", "a policy to compare, or ./my-policy.mjs; two to six times", (text) =>
      given.policy(policyOption(text)),
    )
    .option("--set <key=value>", "a setting of the --policy before it; may be repeated", given.set)
    .option(
      "--schedule <own|best>",
      "when the --policy before it compacts: by its rule, or when that would have cost least, in hindsight",
      given.schedule,
    )
    .option("--estimator <id>", "token rule of all of them (default: the agent's own)")
    .take(WINDOW, COUNTING, OVERHEAD, ...PRICING, ...READING)
    .option("--json", "a JSON object a policy, then the difference")
    .action(async (file: string, options) =>
      end((await import("./commands/compare")).compare(file, given.runs, options)),
    );
}

function addSweep(program: Program): void {
  program
    .command("sweep")
    .description("one or two settings of a policy over a range")
    .argument("<file...>", "session files; - is standard input")
    .requiredOption("--policy <id[@preset]>", POLICY, policyOption)
    .requiredOption(
      "--vary <key=from:to:step>",
      `a setting and its range, both ends included; twice at most, up to ${MAX_REPLAYS} replays over all files`,
      varyOption,
    )
    .option("--set <key=value>", "a setting that stays; may be repeated", settingOption)
    .take(...SIZES, ...PRICING, ...READING)
    .addOption(new Option("--spent <figure>", "what the front sets against the tokens kept").choices(SPENT))
    .option("--regret", "also how much dearer each point is than with the best timing, which takes longer")
    .option("--json", "one JSON object a point")
    .action(async (files: string[], options) => end((await import("./commands/sweep")).sweep(files, options)));
}

function addRecommend(program: Program): void {
  program
    .command("recommend")
    .description("which value of a setting to choose over many sessions, or that there is no evidence for any")
    .argument("<path...>", "session files, or folders of them; - is standard input")
    .requiredOption(
      "--policy <id[@preset]>",
      "the agent's compaction policy, where sessions of others are left out, or yours: ./my-policy.mjs",
      policyOption,
    )
    .requiredOption(
      "--vary <key=from:to:step>",
      "a setting and its range, both ends included; twice at most",
      varyOption,
    )
    .option("--set <key=value>", "a setting that stays; may be repeated", settingOption)
    .addOption(new Option("--by <figure>", "what is to be small").choices(ADVISED_BY).default("cost"))
    .option("--seed <number>", "what the random halves are drawn from", positiveInteger, 1)
    .take(...SIZES, ...PRICING, ...READING)
    .option("--json", "the recommendation as JSON")
    .action(async (paths: string[], options) => end((await import("./commands/recommend")).recommend(paths, options)));
}

function addCheck(program: Program): void {
  program
    .command("check")
    .description("whether a policy keeps within budgets over recordings: a gate for continuous integration")
    .argument("<path...>", "session files, or folders of them; - is standard input")
    .requiredOption("--policy <id[@preset]>", POLICY, policyOption)
    .requiredOption(
      "--budget <budget>",
      "cost<=1.05x baseline, requestsOverWindow==0; <, <=, ==, >=, > (repeatable)",
      budgetOption,
    )
    .option("--set <key=value>", "a setting of the policy; may be repeated", settingOption)
    .option("--baseline <file>", "figures that an earlier check wrote")
    .option("--write-baseline <file>", "writes the figures of this check")
    .option("--junit <file>", "writes the budgets as JUnit's XML")
    .take(ESTIMATOR, WINDOW, COUNTING, ...PRICING, ...READING)
    .option("--json", "the result as JSON instead of Markdown")
    .action(async (paths: string[], options) => end((await import("./commands/check")).check(paths, options)));
}

/** Policies of one's own. */
function addPolicies(program: Program): void {
  program
    .command("new-policy")
    .description("writes a compaction policy to begin with, and a test of it")
    .argument("[file]", "where to", "my-policy.mjs")
    .action(async (file: string) => end((await import("./extras/new-policy")).newPolicy(file)));
  program
    .command("check-policy")
    .description("tries on drawn sessions what has to hold for every policy")
    .argument("<file>", "a policy of yours, or the id of one of ours", policyOption)
    .option("--seed <number>", "what the sessions are drawn from", positiveInteger, 1)
    .option("--json", "the result as JSON")
    .action(async (policy: string, options) =>
      end((await import("./extras/check-policy")).checkPolicy(policy, options)),
    );
}

function addBreakdown(program: Program): void {
  program
    .command("breakdown")
    .description("what filled the window at a request")
    .argument("<file>", "session file; - is standard input")
    .option("--at <request>", "request, counted from 0, or last", requestPoint, "last")
    .addOption(WINDOW)
    .option("--threshold <share>", "share of the window at which the agent compacts", share)
    .addOption(ESTIMATOR)
    .addOption(OVERHEAD)
    .option("--preset <id[@preset]>", "the agent's own view, by its version or as named, or ours")
    .option("--model <name>", "model to name in the agent's own view (default: the recording's last)")
    .addOption(new Option("--view <view>", "how much is printed").choices(["list", "detail", "json"]).default("list"))
    .take(...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) => end((await import("./commands/breakdown")).breakdown(file, options)));
}

function addContributors(program: Program): void {
  program
    .command("contributors")
    .description("who filled the context until a request: tokens, and tokens × requests")
    .argument("<file>", "session file; - is standard input")
    .addOption(new Option("--by <what>", "what is taken together").choices(GROUPINGS).default("tool"))
    .option("--at <request>", "request, counted from 0, or last", requestPoint, "last")
    .option("--policy <id[@preset]>", "the simulated context under a policy (default: the recorded one)", policyOption)
    .option("--set <key=value>", "a setting of the policy; may be repeated", settingOption)
    .option("--limit <n>", "rows of each list (default: 20, with --json all)", positiveInteger)
    .take(WINDOW, COUNTING, ESTIMATOR, OVERHEAD, ...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) =>
      end((await import("./commands/contributors")).contributors(file, options)),
    );
}

function addCost(program: Program): void {
  program
    .command("cost")
    .description("what sessions cost by list prices, and where their cache broke")
    .argument("<file...>", "session files; - is standard input")
    .take(...PRICING, ...READING)
    .option("--json", "one JSON object a line")
    .action(async (files: string[], options) => end((await import("./commands/cost")).cost(files, options)));
}

function addLedger(program: Program): void {
  program
    .command("ledger")
    .description("content re-fetched after compactions, recorded or under a policy")
    .argument("<file...>", "session files; - is standard input")
    .option(
      "--policy <id[@preset]>",
      "the simulated compactions of a policy (default: the recorded ones)",
      policyOption,
    )
    .option("--set <key=value>", "a setting of the policy; may be repeated", settingOption)
    .take(...SIZES, ...PRICING, ...READING)
    .option("--json", "one JSON object a line")
    .action(async (files: string[], options) => end((await import("./commands/ledger")).ledger(files, options)));
}

function addSummarize(program: Program): void {
  program
    .command("summarize")
    .description("what an agent sends for a compaction's summary; with --yes it is sent to an endpoint of yours")
    .argument("<file>", "session file; - is standard input")
    .requiredOption("--boundary <request>", "the compaction before that request (ledger lists them)", requestNumber)
    .requiredOption("--summarizer <url>", "the endpoint; its key is taken from CONTEXT_REPLAY_SUMMARIZER_KEY")
    .requiredOption("--model <name>", "the model that summarises")
    .addOption(PROTOCOL)
    .option("--policy <id[@preset]>", "a simulated compaction of a policy (default: a recorded one)")
    .option("--set <key=value>", "a setting of the policy; may be repeated", settingOption)
    .option("--samples <n>", "summaries to make, one after the other; several show the spread", samples, 1)
    .option("--yes", "send what is shown; without it nothing is sent")
    .take(...SIZES, PRICES, ...READING)
    .option("--json", "the result as JSON")
    .action(async (file: string, options) => end((await import("./commands/summarize")).summarize(file, options)));
}

function addFidelity(program: Program): void {
  program
    .command("fidelity")
    .description("how well the agents' own policies predict the recorded compactions")
    .argument("<path...>", "session files, or folders of them; - is standard input")
    .option("--set <key=value>", "a setting of the agents' policies; may be repeated", settingOption)
    .addOption(OVERHEAD)
    .option("--json", "the table as JSON")
    .action(async (paths: string[], options) => end((await import("./commands/fidelity")).fidelity(paths, options)));
}

function addExport(program: Program): void {
  program
    .command("export")
    .description("a session in another form; a bundle is its numbers without any text, to be opened like the recording")
    .argument("<file...>", "session files, several for a report (--to html); - is standard input")
    .addOption(
      new Option("--to <form>", "the form")
        .choices(["bundle", "csv", "json", "svg", "png", "html"])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--table <name>", "with --to csv: the table")
        .choices(["requests", "boundaries", "items"])
        .default("requests"),
    )
    .option(
      "--with-text",
      "with --to json or html: also what was said, likely secrets masked; tells first what that is",
    )
    .option("--yes", "with --with-text: write it")
    .option("--out <file>", "file to write (default: standard output)")
    .take(...READING)
    .action(async (files: string[], options) => end((await import("./export/export")).exportSessions(files, options)));
}

function addConformance(program: Program): void {
  program
    .command("conformance")
    .description("golden cases of the real programs through our implementation")
    .argument("[dir]", "folder of cases, or one file of them (default: those of the project)")
    .option("--json", "one JSON object a function")
    .action(async (dir: string | undefined, options) =>
      end((await import("./commands/conformance")).conformance(dir, options)),
    );
}

function addMcp(program: Program): void {
  program
    .command("mcp")
    .description("answers agents about sessions, by the Model Context Protocol on standard input and output")
    .action(async () => end((await import("./extras/mcp")).mcp()));
}

/** Named here for the list of commands: `bin/context-replay.mjs` runs it by itself, as this program takes too long to start. */
function addStatusline(program: Program): void {
  program
    .command("statusline")
    .description("Claude Code's status line: context, distance to compaction, cost; its status comes on standard input")
    .action(async () => void (await import("./extras/statusline-main")));
}

/** Waits for a command to end and sets the exit code. */
async function end(running: Promise<ExitCode> | Promise<void>): Promise<void> {
  process.exitCode = (await running) || EXIT.done;
}

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly ((program: Program) => void)[] = [
  addServe,
  addInspect,
  addCount,
  addReplay,
  addCompare,
  addSweep,
  addRecommend,
  addCheck,
  addPolicies,
  addBreakdown,
  addContributors,
  addCost,
  addLedger,
  addSummarize,
  addFidelity,
  addExport,
  addConformance,
  addMcp,
  addStatusline,
  addSessions,
  addStats,
  addWork,
];
