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
  "how sizes are counted (default: anchored if the recording has usage, else calibrated if it can be fitted, else estimate)",
).choices(["estimate", "calibrated", "anchored"]);
export const OVERHEAD = new Option(
  "--overhead <file>",
  "context profile as JSON: system prompt, tools and memory, which a transcript lacks; - is standard input",
);
export const PRICES = new Option(
  "--prices <file>",
  "your own prices, as JSON (default: ~/.config/context-replay/prices.json)",
);

/** Help text for the policy of commands that replay one. */
export const POLICY = "compaction policy, or your own file: ./my-policy.mjs; without a preset, the first preset";

export const PROTOCOL = new Option(
  "--protocol <name>",
  "protocol of the endpoint: OpenAI's Chat Completions or Anthropic's Messages (default: by the end of its path, else chat)",
).choices(SUMMARY_PROTOCOLS);

/** Options that decide how a replay counts tokens. */
export const SIZES = [ESTIMATOR, WINDOW, COUNTING, OVERHEAD];

/** Options that decide how costs are computed, besides the price list. */
export const COST_TERMS = [
  new Option("--on <model>", "price all requests at this model's rates; token counts stay those of the recorded model"),
  new Option("--ttl <lifetime>", "cache TTL (default: as recorded)").choices(["5m", "1h", "recorded"]),
  new Option(
    "--price-date <day>",
    "day of the list prices: recorded (each request's own), today, or a day such as 2026-09-01 (default: recorded)",
  ).argParser(priceDate),
];

export const AGENT_SETTINGS = new Option(
  "--no-agent-settings",
  "do not read the agents' settings files (also: CONTEXT_REPLAY_AGENT_SETTINGS=off)",
);

/** The same with the price list. */
export const PRICING = [PRICES, ...COST_TERMS];

/** Options that select the data read from a file. */
export const READING = [
  AGENT_SETTINGS,
  new Option("--format <id>", "format of the file (default: detected from its content)").choices(
    FORMATS.map(({ id }) => id),
  ),
  new Option("--session <id>", "session to read if the file holds several (inspect lists them)"),
];

/** A commander command that also accepts lists of options; its subcommands do too. */
export class Program extends Command {
  override createCommand(name?: string): Program {
    return new Program(name);
  }

  /** Adds options in order. */
  take(...options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }
}

/** Adds a command about listed sessions, with the filters that such commands share. */
export function listCommand(program: Program, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("[dir...]", "folders to list besides the agents' own; read only")
    .option("--where <condition>", "KEY=VALUE, !=, <, <=, >, >=: agent=codex, cost>1 (repeatable)", collected, [])
    .option("--search <words>", "words in titles, prompts, paths and tools")
    .option("--tz <zone>", "time zone of days, such as Europe/Berlin (default: $TZ, else the system's)", timeZone)
    .addOption(AGENT_SETTINGS)
    .option("--json", "JSON instead of a table");
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
