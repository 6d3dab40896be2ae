import { Command, Option } from "commander";
import { FORMATS } from "@/lib/agents/agents";
import { SUMMARY_PROTOCOLS } from "@/lib/server/base/endpoint";
import { positiveInteger, priceDate, timeZone } from "./input/arguments";

export const ESTIMATOR = new Option("--estimator <id>", "token rule (default: the agent's own)");
export const WINDOW = new Option(
  "--window <n>",
  "context window in tokens (default: the recording's, else its model's)",
).argParser(positiveInteger);
export const COUNTING = new Option(
  "--counting <mode>",
  "how sizes are counted (default: anchored where the recording has usage, else calibrated where it can be fitted, else estimate)",
).choices(["estimate", "calibrated", "anchored"]);
export const OVERHEAD = new Option(
  "--overhead <file>",
  "context profile: what the transcript does not hold, as JSON; - is standard input",
);
export const PRICES = new Option(
  "--prices <file>",
  "your own prices, as JSON (default: ~/.config/context-replay/prices.json)",
);

/** Where one policy is replayed. */
export const POLICY =
  "compaction policy, or a file of yours: ./my-policy.mjs; without a preset the first of its presets";

export const PROTOCOL = new Option(
  "--protocol <name>",
  "how the endpoint is spoken to: OpenAI's Chat Completions or Anthropic's Messages (default: as its path ends, else chat)",
).choices(SUMMARY_PROTOCOLS);

/** How a replay is counted. */
export const SIZES = [ESTIMATOR, WINDOW, COUNTING, OVERHEAD];

/** How costs are computed. */
export const PRICING = [
  PRICES,
  new Option("--on <model>", "price all requests as this model's; its tokenizer would have counted other tokens"),
  new Option("--ttl <lifetime>", "how long what is written to the cache is kept (default: as recorded)").choices([
    "5m",
    "1h",
    "recorded",
  ]),
  new Option(
    "--price-date <day>",
    "whose day's prices: recorded (each request's own), today, or a day as 2026-09-01 (default: recorded)",
  ).argParser(priceDate),
];

/** What is read from a file. */
export const READING = [
  new Option("--format <id>", "format to read the file as (default: the content decides)").choices(
    FORMATS.map(({ id }) => id),
  ),
  new Option("--session <id>", "session to read, where the file holds several (inspect lists them)"),
];

/** A command that takes lists of options, as its own commands do. */
export class Program extends Command {
  override createCommand(name?: string): Program {
    return new Program(name);
  }

  /** Adds options, in their order. */
  take(...options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }
}

/** A command about the sessions of the list. */
export function listCommand(program: Program, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("[dir...]", "folders to list beside the agents' own; they are only read")
    .option("--where <condition>", "KEY=VALUE, !=, <, <=, >, >=: agent=codex, cost>1 (repeatable)", collected, [])
    .option("--search <words>", "words in titles, prompts, paths and tools")
    .option("--tz <zone>", "time zone whose days are meant, such as Europe/Berlin (default: $TZ, else yours)", timeZone)
    .option("--json", "JSON instead of a table");
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
