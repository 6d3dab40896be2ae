/** Where a constant comes from. */
export interface Source {
  /** Document section, or release and file. */
  readonly text: string;
  readonly kind: "document" | "code" | "report" | "ours" | "own";
}

/**
 * Where a setting's default comes from; shown beside it, in the reader's language. Citations are the same in all languages. Everything that needs
 * words has a name, for which the interface has a message (`replay.source.note`).
 */
export interface SettingSource {
  readonly kind: Source["kind"];
  /** Release and file, section, issues, names of variables, but no words. Absent where nothing is cited. */
  readonly text?: string;
  /** Names of the notes to show, in this order. */
  readonly notes?: readonly string[];
  /** Values that the notes mention: numbers and versions, formatted for reading. */
  readonly values?: Readonly<Record<string, string>>;
}

export type SettingValue = number | boolean | string | null;
export type Settings = Readonly<Record<string, SettingValue>>;

interface SettingBase {
  /** The setting's name in `--set`, in the address of a page and in results. Source: docs/interfaces.md, "Settings". */
  readonly key: string;
  readonly label: string;
  readonly source: SettingSource;
  /** Whether its label is the own one of somebody's policy, which no message replaces. */
  readonly own?: true;
  /** The value that another setting must have, or exceed, for this one to have an effect; absent where it always has one. */
  readonly needs?: SettingNeed;
  /** Whether it only decides when the policy compacts: what a compaction leaves does not depend on it. */
  readonly decidesWhen?: true;
}

/** A condition on another setting. */
type SettingNeed =
  | { readonly key: string; readonly is: SettingValue }
  | { readonly key: string; readonly above: number };

/** One setting of a policy; sliders, URL, CLI flags and checks follow from it. */
export type SettingSpec = SettingBase &
  (
    | {
        readonly type: "number";
        readonly unit:
          | "tokens"
          | "share"
          | "chars"
          | "minutes"
          | "requests"
          | "messages"
          | "files"
          | "images"
          | "lines"
          | "turns"
          | "results"
          | "reads"
          | "count";
        readonly min: number;
        /** End of the slider. Settings that are counts accept larger values: see `largestOf`. */
        readonly max: number;
        readonly step: number;
        readonly default: number;
        /** What a share is a share of, if not of the window. */
        readonly shareOf?: "history" | "messages";
        /** A value that is not an amount, and what it means instead. */
        readonly special?: { readonly value: number; readonly means: "never" | "all" | "unlimited" };
        /** The range that was observed, drawn as a pale band. */
        readonly observed?: readonly [number, number];
        /** Whether it was observed in other recordings; if absent, in this session. */
        readonly observedElsewhere?: true;
      }
    | {
        /** A number that may be unset: `null` leaves the policy's own rule in force. */
        readonly type: "optional-number";
        readonly unit: "tokens" | "percent";
        readonly min: number;
        readonly max: number;
        readonly step: number;
        readonly default: number | null;
      }
    | { readonly type: "boolean"; readonly default: boolean }
    | {
        readonly type: "choice";
        readonly choices: readonly string[];
        /** Whether a whole number above 0 is accepted too. */
        readonly orCount?: true;
        readonly default: string;
      }
  );

/** Whether a setting can change anything under the settings in force: the setting that it needs allows it. */
export function isInEffect({ needs }: Pick<SettingSpec, "needs">, settings: Settings): boolean {
  if (needs === undefined) return true;
  const value = settings[needs.key] ?? null;
  return "is" in needs ? value === needs.is : typeof value === "number" && value > needs.above;
}

/** Thrown for an unknown key or a value out of range; the CLI exits with 2, the API answers 400. */
export class SettingError extends Error {
  override name = "SettingError";
}

/** The values in force: the defaults of the specs, overridden by what was given. Throws `SettingError` on a bad key or value. */
export function resolveSettings(specs: readonly SettingSpec[], given: Readonly<Record<string, unknown>>): Settings {
  const byKey = new Map(specs.map((spec) => [spec.key, spec]));
  for (const key of Object.keys(given)) {
    if (!byKey.has(key)) throw new SettingError(`unknown setting ${key}; known: ${[...byKey.keys()].join(", ")}`);
  }
  return Object.fromEntries(
    specs.map((spec) => [
      spec.key,
      Object.hasOwn(given, spec.key) ? checkedValue(spec, given[spec.key]) : spec.default,
    ]),
  );
}

/** Units whose values may have fractions; values of all other units are whole numbers. Source: docs/interfaces.md, "Settings". */
const DIVISIBLE: ReadonlySet<string> = new Set(["share", "percent", "minutes", "reads"]);

function checkedValue(spec: SettingSpec, value: unknown): SettingValue {
  switch (spec.type) {
    case "number":
      if (isInRange(spec, value)) return value;
      throw new SettingError(`${spec.key} must be ${rangeOf(spec)}`);
    case "optional-number":
      if (value === null || isInRange(spec, value)) return value;
      throw new SettingError(`${spec.key} must be null or ${rangeOf(spec)}`);
    case "boolean":
      if (typeof value === "boolean") return value;
      throw new SettingError(`${spec.key} must be true or false`);
    case "choice":
      // `failSummary` is a word or a count, and counts arrive as numbers.
      if (spec.choices.includes(String(value)) || (spec.orCount && isCount(value))) return String(value);
      throw new SettingError(
        `${spec.key} must be one of ${spec.choices.join(", ")}${spec.orCount ? ", or another whole number above 0" : ""}`,
      );
  }
}

type RangeSpec = Extract<SettingSpec, { min: number }>;

/** The largest value of any count: far above every window, far below what 32 bits hold. */
const LARGEST_COUNT = 10_000_000;
/** Units whose largest value follows from their meaning. */
const BOUNDED: ReadonlySet<string> = new Set(["share", "percent"]);

/**
 * The largest value that a setting accepts. A slider ends where values make sense in this window, but a program accepts larger ones. So a value stays
 * valid when the window gets smaller.
 */
function largestOf(spec: RangeSpec): number {
  return spec.type === "optional-number" || BOUNDED.has(spec.unit) ? spec.max : Math.max(spec.max, LARGEST_COUNT);
}

/** Whether a value is a number that the setting accepts. */
export function isInRange(spec: RangeSpec, value: unknown): value is number {
  if (typeof value !== "number" || !(value >= spec.min && value <= largestOf(spec))) return false;
  return DIVISIBLE.has(spec.unit) || Number.isInteger(value);
}

function rangeOf(spec: RangeSpec): string {
  return `a ${DIVISIBLE.has(spec.unit) ? "" : "whole "}number from ${spec.min} to ${largestOf(spec)}`;
}

/** Whether a value is a count as the command line or an address gives it: a number, or its digits. */
function isCount(value: unknown): boolean {
  return /^[1-9]\d{0,8}$/.test(String(value));
}

/** A number among the settings in force. Throws where the key is missing: a policy asked for what it does not declare. */
export function numberSetting(settings: Settings, key: string): number {
  const value = settings[key];
  if (typeof value !== "number") throw new SettingError(`setting ${key} is not a number`);
  return value;
}

/** A number among the settings in force; `null` where it is not set. Throws where the key is missing or of another type. */
export function optionalNumberSetting(settings: Settings, key: string): number | null {
  const value = settings[key];
  if (value === null) return null;
  return numberSetting(settings, key);
}
