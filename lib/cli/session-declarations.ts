import { type Command, Option } from "commander";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { MAX_REPLAYS } from "@/lib/core/analysis/grid";
import { SPENT } from "@/lib/core/metrics/registry";
import {
  positiveInteger,
  RunArguments,
  requestNumber,
  requestPoint,
  samples,
  settingOption,
  share,
  varyOption,
} from "./input/arguments";
import { policyOption } from "./input/own-policy-files";
import {
  AGENT_SETTINGS,
  COST_TERMS,
  COUNTING,
  ESTIMATOR,
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
import { end } from "./process/exit";

/** Declarations of the commands that answer about single sessions; `declarations.ts` lists all commands. */

export function addInspect(program: Program): Command {
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

export function addCount(program: Program): Command {
  return program
    .command("count")
    .description("counts the tokens of standard input")
    .requiredOption("--estimator <id>", "token rule, see the list below")
    .option("--model <name>", "model, for rules that depend on it")
    .option("--jsonl", 'each input line is a JSON string, or {"message": …} in the rule\'s own format')
    .action(async (options) => end((await import("./commands/count")).count(options)));
}

export function addReplay(program: Program): Command {
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

export function addCompare(program: Program): Command {
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

export function addSweep(program: Program): Command {
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
    .addOption(new Option("--spent <metric>", "metric that the Pareto front weighs against tokens kept").choices(SPENT))
    .option("--regret", "also print how much more each point costs than the best timing in hindsight; slower")
    .option("--json", "one JSON object per point")
    .action(async (files: string[], options) => end((await import("./commands/sweep")).sweep(files, options)));
}

export function addBreakdown(program: Program): Command {
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

export function addContributors(program: Program): Command {
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

export function addWaste(program: Program): Command {
  return program
    .command("waste")
    .description("lists tokens that sessions wasted, with their cost and a fix")
    .argument("<path...>", "session files or folders; - is standard input")
    .take(ESTIMATOR, OVERHEAD, ...READING)
    .option("--json", "one JSON object per line")
    .action(async (paths: string[], options) => end((await import("./commands/waste")).waste(paths, options)));
}

export function addCost(program: Program): Command {
  return program
    .command("cost")
    .description("computes the cost at list prices, and lists cache misses")
    .argument("<file...>", "session files; - is standard input")
    .take(...PRICING, ...READING)
    .option("--json", "one JSON object per line")
    .action(async (files: string[], options) => end((await import("./commands/cost")).cost(files, options)));
}

export function addLedger(program: Program): Command {
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

export function addSummarize(program: Program): Command {
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

export function addFidelity(program: Program): Command {
  return program
    .command("fidelity")
    .description("measures how well the agents' own policies predict recorded compactions")
    .argument("<path...>", "session files or folders; - is standard input")
    .option("--set <key=value>", "setting of the agents' policies; may be repeated", settingOption)
    .take(OVERHEAD, AGENT_SETTINGS)
    .option("--json", "the table as JSON")
    .action(async (paths: string[], options) => end((await import("./commands/fidelity")).fidelity(paths, options)));
}

export function addExport(program: Program): Command {
  return program
    .command("export")
    .description(
      "exports a session; a bundle holds its numbers without any text, otlp its requests and tool calls as OpenTelemetry spans; both open like a recording",
    )
    .argument("<file...>", "session files, several only with --to html; - is standard input")
    .addOption(
      new Option("--to <format>", "output format")
        .choices(["bundle", "csv", "json", "otlp", "svg", "png", "html"])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--table <name>", "with --to csv: the table")
        .choices(["requests", "boundaries", "items"])
        .default("requests"),
    )
    .option(
      "--policy <id[@preset]>",
      `with --to html: ${POLICY} (default: the quick sweep that the page opens with)`,
      policyOption,
    )
    .option("--set <key=value>", "with --to html: setting of the policy; may be repeated", settingOption)
    .option("--with-text", "with --to json or html: include the texts, likely secrets masked; previews them first")
    .option("--yes", "with --with-text: write the file")
    .option("--out <file>", "file to write (default: standard output)")
    .take(ESTIMATOR, WINDOW, COUNTING, ...COST_TERMS, ...READING)
    .action(async (files: string[], options) => end((await import("./export/export")).exportSessions(files, options)));
}
