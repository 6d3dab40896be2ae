import { InvalidArgumentError } from "commander";
import type { VaryRange } from "@/lib/core/analysis/grid";
import { isTimeZone } from "@/lib/core/base/time-zone";
import { SCHEDULES, type Schedule } from "@/lib/core/compaction/policies/scheduled";
import { BUDGETED_METRICS, type Budget, budgetOf } from "@/lib/core/metrics/budget";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import { isPriceDate } from "@/lib/queries/cost/cost-terms";

type SettingValues = NonNullable<ReplayRequest["settings"]>;

/** A whole number above zero. Throws `InvalidArgumentError`. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value <= 0) throw new InvalidArgumentError("It must be a whole number above 0.");
  return value;
}

/** Maximum summaries per command or click. */
const MAX_SAMPLES = 5;

/** A number of summaries for one prompt. Throws `InvalidArgumentError`. */
export function samples(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_SAMPLES) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SAMPLES}.`);
  }
  return value;
}

/** A TCP port. Throws `InvalidArgumentError`. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError("It must be a port from 0 to 65535.");
  return port;
}

/** A non-empty text: an unset shell variable gives an empty argument. Throws `InvalidArgumentError`. */
export function someText(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

/** A time zone of the IANA database. Throws `InvalidArgumentError`. */
export function timeZone(text: string): string {
  if (!isTimeZone(text)) throw new InvalidArgumentError("It must be a time zone, such as Europe/Berlin.");
  return text;
}

/** A share above 0 and at most 1. Throws `InvalidArgumentError`. */
export function share(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1)) throw new InvalidArgumentError("It must be a share above 0, at most 1.");
  return value;
}

/** A request, counted from 0. Throws `InvalidArgumentError`. */
export function requestNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a request, counted from 0.");
  return Number(text);
}

/** A request number counted from 0, or `last`. Throws `InvalidArgumentError`. */
export function requestPoint(text: string): number | "last" {
  if (text === "last") return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a request, counted from 0, or last.");
  return Number(text);
}

/** The day whose prices apply. Throws `InvalidArgumentError`. */
export function priceDate(text: string): string {
  if (!isPriceDate(text)) throw new InvalidArgumentError("It must be recorded, today, or a day as 2026-09-01.");
  return text;
}

/** Adds `key=value` to the settings. A value that is not JSON counts as a word. Throws `InvalidArgumentError`. */
export function settingOption(text: string, settings: SettingValues = {}): SettingValues {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be key=value.");
  return { ...settings, [text.slice(0, at)]: scalar(text.slice(at + 1)) };
}

function scalar(text: string): SettingValues[string] {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value === "number" || typeof value === "boolean" || typeof value === "string") {
      return value;
    }
  } catch {
    // A bare word, such as the name of a choice.
    return text;
  }
  throw new InvalidArgumentError("The value must be a number, true, false, null or a word.");
}

/** Splits `ID@PRESET` into its two parts. */
export function splitPreset(text: string): { id: string; preset?: string } {
  const at = text.indexOf("@");
  return at === -1 ? { id: text } : { id: text.slice(0, at), preset: text.slice(at + 1) };
}

/** Adds `key=from:to:step` to the varied settings, at most two. Throws `InvalidArgumentError`. */
export function varyOption(text: string, ranges: readonly VaryRange[] = []): readonly VaryRange[] {
  const [, key, from, to, step] = /^([^=]+)=([^:]+):([^:]+):([^:]+)$/.exec(text) ?? [];
  const numbers = [from, to, step].map((part) =>
    part === undefined || part.trim() === "" ? Number.NaN : Number(part),
  );
  if (key === undefined || !numbers.every(Number.isFinite)) {
    throw new InvalidArgumentError("It must be key=from:to:step, three numbers.");
  }
  if (ranges.length === 2) throw new InvalidArgumentError("At most two settings can be varied.");
  const [first = 0, last = 0, distance = 0] = numbers;
  return [...ranges, { key, from: first, to: last, step: distance }];
}

/** One policy of a comparison, with its settings. */
export interface RunArgument {
  readonly policy: string;
  readonly settings: SettingValues;
  /** Schedule of its compactions; default: the policy's own rule. */
  readonly schedule?: Schedule;
}

/** Collects the policies of a comparison in the order of the options: a setting belongs to the preceding policy. */
export class RunArguments {
  readonly runs: RunArgument[] = [];

  readonly policy = (text: string): readonly RunArgument[] => {
    this.runs.push({ policy: text, settings: {} });
    return this.runs;
  };

  /** Adds a setting to the last policy. Throws `InvalidArgumentError` if there is none yet. */
  readonly set = (text: string): readonly RunArgument[] =>
    this.#change((run) => ({ ...run, settings: settingOption(text, run.settings) }));

  /** Sets the schedule of the last policy. Throws `InvalidArgumentError` for an unknown schedule, or if there is no policy yet. */
  readonly schedule = (text: string): readonly RunArgument[] => {
    const schedule = SCHEDULES.find((known) => known === text);
    if (schedule === undefined) throw new InvalidArgumentError(`It must be ${SCHEDULES.join(" or ")}.`);
    return this.#change((run) => ({ ...run, schedule }));
  };

  #change(changed: (run: RunArgument) => RunArgument): readonly RunArgument[] {
    const run = this.runs.pop();
    if (run === undefined) throw new InvalidArgumentError("It must follow the --policy that it belongs to.");
    this.runs.push(changed(run));
    return this.runs;
  }
}

/** Adds a budget such as `cost<=1.05x baseline`. Throws `InvalidArgumentError`. */
export function budgetOption(text: string, before: readonly Budget[] = []): readonly Budget[] {
  const budget = budgetOf(text);
  if (budget !== undefined) return [...before, budget];
  const names = BUDGETED_METRICS.map(({ key }) => key).join(", ");
  throw new InvalidArgumentError(`It must be METRIC<=NUMBER or METRIC<=NUMBERx baseline; metrics are ${names}.`);
}
