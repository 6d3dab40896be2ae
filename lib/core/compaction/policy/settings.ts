/** Source of a constant. */
export interface Source {
  /** Document section, or release and file. */
  readonly text: string;
  readonly kind: "document" | "code" | "report" | "ours" | "own";
}

/**
 * Source of a setting's default, shown next to it in the reader's language. Citations are the same in all languages. A note is a key of an interface
 * message (`replay.source.note`).
 */
export interface SettingSource {
  readonly kind: Source["kind"];
  /** Release and file, section, issues, names of variables, but no sentences. Absent if nothing is cited. */
  readonly text?: string;
  /** Keys of the notes to show, in this order. */
  readonly notes?: readonly string[];
  /** Values that the notes mention: numbers and versions, formatted for reading. */
  readonly values?: Readonly<Record<string, string>>;
}

export type SettingValue = number | boolean | string | null;
export type Settings = Readonly<Record<string, SettingValue>>;

interface SettingBase {
  /** Name of the setting in `--set`, in URLs and in results. Source: docs/interfaces.md, "Settings". */
  readonly key: string;
  readonly label: string;
  readonly source: SettingSource;
  /** True if its label comes from a user's own policy, so no message replaces it. */
  readonly own?: true;
  /** Required value, or lower limit, of another setting for this one to have an effect; absent if it always has an effect. */
  readonly needs?: SettingCondition;
  /** The way to set it in the real agent; `null` if the agent has no such setting, absent if that is not known or there is no real agent. */
  readonly inAgent?: InAgent | null;
  /** True if it only decides when the policy compacts: the result of a compaction does not depend on it. */
  readonly decidesWhen?: true;
}

/** The way to set a value in the real agent. */
export type InAgent =
  | {
      /** Text to paste, with `<value>` in the value's place. */
      readonly text: string;
      /** Settings file that holds the text; absent for a command or an environment variable. */
      readonly file?: string;
      /** The only value that the text sets; absent if it takes any. */
      readonly only?: SettingValue;
      /** Base of a percentage, in tokens, if it is not the whole window. */
      readonly percentOf?: (window: number, settings: Settings) => number;
      readonly source: Source;
      /** Place of the value in the agent's settings files; absent if it has none. */
      readonly stored?: StoredSetting;
    }
  | {
      /** Key of the policy's setting that reaches the same threshold, because the real agent has only that setting. */
      readonly through: string;
      readonly source: Source;
    };

/** Place of a setting in its agent's settings files. Source: the agent's README.md. */
export interface StoredSetting {
  /** Key paths within a file, outermost key first. The first that a file states counts; `OF_MODEL` stands for the key of the session's model. */
  readonly paths: readonly (readonly string[])[];
  /** Environment variable, which goes before the paths of every file. */
  readonly variable?: string;
  /** Value that keeps the agent's own rule: no file with lower precedence is read. */
  readonly unset?: string | number;
  /** True if the agent moves a number out of range to the nearer end of it. */
  readonly clamps?: true;
}

/** In a key path: the key that names the session's model, in any spelling. */
export const OF_MODEL = "<model>";

/** Condition on another setting. */
type SettingCondition =
  | { readonly key: string; readonly is: SettingValue }
  | { readonly key: string; readonly above: number };

/** One setting of a policy; sliders, URL parameters, CLI flags and validation follow from it. */
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
          | "events"
          | "count";
        readonly min: number;
        /** End of the slider. Settings that are counts accept larger values: see `largestOf`. */
        readonly max: number;
        readonly step: number;
        readonly default: number;
        /** Base of a share, if it is not the window. */
        readonly shareOf?: "history" | "messages";
        /** Value with a special meaning, which is not an amount. */
        readonly special?: { readonly value: number; readonly means: "never" | "all" | "unlimited" };
        /** Observed range, drawn as a pale band. */
        readonly observed?: readonly [number, number];
        /** True if it was observed in other recordings; if absent, in this session. */
        readonly observedElsewhere?: true;
      }
    | {
        /** A number that may be unset: `null` keeps the policy's own rule. */
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
        /** True if a positive integer is accepted too. */
        readonly orCount?: true;
        readonly default: string;
      }
  );

/** True if a setting has an effect under the settings in force: the setting that it needs allows it. */
export function isInEffect({ needs }: Pick<SettingSpec, "needs">, settings: Settings): boolean {
  if (needs === undefined) return true;
  const value = settings[needs.key] ?? null;
  return "is" in needs ? value === needs.is : typeof value === "number" && value > needs.above;
}

/** Thrown for an unknown key or a value out of range; the CLI exits with 2, the API answers 400. */
export class SettingError extends Error {
  override name = "SettingError";
}

/** Settings in force: the defaults of the specs, overridden by the given values. Throws `SettingError` on a bad key or value. */
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

/** Units whose values may have fractions; values of all other units are integers. Source: docs/interfaces.md, "Settings". */
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

/** Largest value of any count: far above every window, far below the 32-bit limit. */
const LARGEST_COUNT = 10_000_000;
/** Units with a natural maximum. */
const BOUNDED: ReadonlySet<string> = new Set(["share", "percent"]);

/**
 * Largest value that a setting accepts. A slider ends where values make sense in this window, but programs may pass larger ones. So a value stays
 * valid if the window gets smaller.
 */
function largestOf(spec: RangeSpec): number {
  return spec.type === "optional-number" || BOUNDED.has(spec.unit) ? spec.max : Math.max(spec.max, LARGEST_COUNT);
}

/** The range of a number, both ends included. */
export interface NumberLimits {
  readonly min: number;
  readonly max: number;
  /** True if only whole numbers are accepted. */
  readonly whole: boolean;
}

/** The range that a setting accepts. */
export function limitsOf(spec: RangeSpec): NumberLimits {
  return { min: spec.min, max: largestOf(spec), whole: !DIVISIBLE.has(spec.unit) };
}

/** True if a value is a number that the setting accepts. */
export function isInRange(spec: RangeSpec, value: unknown): value is number {
  return isWithin(limitsOf(spec), value);
}

/** True if a value is a number within a range. */
export function isWithin({ min, max, whole }: NumberLimits, value: unknown): value is number {
  return typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value));
}

function rangeOf(spec: RangeSpec): string {
  const { min, max, whole } = limitsOf(spec);
  return `a ${whole ? "whole " : ""}number from ${min} to ${max}`;
}

/** True if a value is a count as the command line or a URL passes it: a number, or its digits. */
function isCount(value: unknown): boolean {
  return /^[1-9]\d{0,8}$/.test(String(value));
}

/** Returns a number setting. Throws if the key is missing, because a policy may only read settings that it declares. */
export function numberSetting(settings: Settings, key: string): number {
  const value = settings[key];
  if (typeof value !== "number") throw new SettingError(`setting ${key} is not a number`);
  return value;
}

/** Returns a number setting, or `null` if it is not set. Throws if the key is missing or of another type. */
export function optionalNumberSetting(settings: Settings, key: string): number | null {
  const value = settings[key];
  if (value === null) return null;
  return numberSetting(settings, key);
}
