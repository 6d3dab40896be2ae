import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { MAX_TOKENS } from "@/lib/core/base/units";
import { isSharedKey } from "@/lib/core/compaction/policy/pause-settings";
import type {
  AddedKind,
  Compaction,
  Outcome,
  Positions,
  SimulatedTrigger,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { isInRange, type SettingSpec } from "@/lib/core/compaction/policy/settings";
import { writtenAs } from "@/lib/core/records/fields";

/** Names an answer's error, in words that follow its name. */
export class InvalidAnswer extends Error {
  override name = "InvalidAnswer";
}

const KINDS = ["summary", "acknowledgement", "attachment", "note", "request", "turn"] as const satisfies AddedKind[];
const OUTCOMES = ["summary", "fallback", "trim", "clear", "failed", "blocked", "skipped"] as const satisfies Outcome[];
const TRIGGERS = ["threshold", "overflow", "manual"] as const satisfies SimulatedTrigger[];
const UNITS = [
  ...(["tokens", "share", "chars", "minutes", "requests", "messages", "files", "images"] as const),
  ...(["lines", "turns", "results", "reads", "events", "count"] as const),
] as const;
const SPECIAL = ["never", "all", "unlimited"] as const;
const SOURCES = ["document", "code", "report", "ours"] as const;

/** Maximum settings of a policy, and maximum characters of its names and labels. */
const MAX_ALLOWED = { settings: 100, chars: 120 };

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvalidAnswer(what);
}

function text(value: unknown, name: string): string {
  must(
    typeof value === "string" && value.length <= MAX_ALLOWED.chars,
    `${name} must be a text of at most ${MAX_ALLOWED.chars} characters`,
  );
  return value;
}

function oneOf<T extends string>(value: unknown, of: readonly T[], name: string): T {
  const found = of.find((one) => one === value);
  must(found !== undefined, `${name} must be one of ${of.join(", ")}`);
  return found;
}

function finite(value: unknown, name: string): number {
  must(typeof value === "number" && Number.isFinite(value), `${name} must be a number`);
  return value;
}

function whole(value: unknown, name: string): number {
  const isWhole = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
  must(isWhole, `${name} must be a whole number, 0 or more`);
  return value;
}

function list(value: unknown, name: string): readonly unknown[] {
  must(Array.isArray(value), `${name} must be a list`);
  return value;
}

/** Names of presets: shown, and part of a URL. Throws `InvalidAnswer`. */
export function checkedPresets(value: unknown): readonly string[] {
  const presets = value === undefined ? ["default"] : list(value, "presets");
  must(
    presets.length > 0 && presets.length <= MAX_ALLOWED.settings,
    `presets must be a list of 1 to ${MAX_ALLOWED.settings}`,
  );
  return presets.map((one, at) => {
    const name = text(one, `presets[${at}]`);
    must(/^[\w.-]+$/.test(name), `presets[${at}] must be letters, digits, points and dashes`);
    return name;
  });
}

/** A shown label: the policy's own, or else its id. Throws `InvalidAnswer`. */
export function checkedLabel(value: unknown, otherwise: string): string {
  return value === undefined || value === "" ? otherwise : text(value, "label");
}

/** A policy's declared settings, without sources that need words of the page. Throws `InvalidAnswer`. */
export function checkedSpecs(value: unknown): readonly SettingSpec[] {
  const specs = list(value, "settings").map(checkedSpec);
  must(specs.length <= MAX_ALLOWED.settings, `there must be at most ${MAX_ALLOWED.settings} settings`);
  must(new Set(specs.map(({ key }) => key)).size === specs.length, "settings must have a key each");
  return specs;
}

function checkedSpec(value: unknown, at: number): SettingSpec {
  const name = `settings[${at}]`;
  must(isFields(value), `${name} must be an object`);
  const key = text(value.key, `${name}.key`);
  must(
    /^[a-zA-Z]\w*$/.test(key) && !isSharedKey(key),
    `${name}.key must be a word of letters and digits, and not one of the inputs' or the pauses'`,
  );
  const base = {
    key,
    label: checkedLabel(value.label, key),
    own: true as const,
    source: checkedSource(value.source, `${name}.source`),
    ...checkedCondition(value.needs, `${name}.needs`),
    ...(value.decidesWhen === true ? { decidesWhen: true as const } : {}),
  };
  const type = oneOf(value.type, ["number", "optional-number", "boolean", "choice"] as const, `${name}.type`);
  if (type === "boolean") {
    must(typeof value.default === "boolean", `${name}.default must be true or false`);
    return { ...base, type, default: value.default };
  }
  if (type === "choice") {
    const choices = list(value.choices, `${name}.choices`).map((one, index) => text(one, `${name}.choices[${index}]`));
    const orCount = value.orCount === true ? { orCount: true as const } : {};
    return { ...base, type, choices, ...orCount, default: oneOf(value.default, choices, `${name}.default`) };
  }
  const range = checkedRange(value, name);
  if (type === "optional-number") {
    const unit = oneOf(value.unit, ["tokens", "percent"] as const, `${name}.unit`);
    const spec = { ...base, type, unit, ...range, default: null };
    return value.default === null ? spec : { ...spec, default: inRange(spec, value.default, name) };
  }
  const unit = oneOf(value.unit ?? "count", UNITS, `${name}.unit`);
  const spec = { ...base, type, unit, ...range, default: 0, ...checkedDetails(value, name) };
  return { ...spec, default: inRange(spec, value.default, name) };
}

function checkedRange(value: Fields, name: string) {
  const [min, max, step] = [value.min, value.max, value.step ?? 1].map((one, at) =>
    finite(one, `${name}.${["min", "max", "step"][at]}`),
  );
  must(min !== undefined && max !== undefined && min <= max, `${name}.min must not be above its max`);
  must(step !== undefined && step > 0, `${name}.step must be above 0`);
  return { min, max, step };
}

function inRange(spec: Parameters<typeof isInRange>[0], value: unknown, name: string): number {
  must(
    isInRange(spec, value),
    `${name}.default must be a number within its range, and a whole one unless its unit is a share, minutes or reads`,
  );
  return value;
}

/** Fields of a number besides its range. */
function checkedDetails(value: Fields, name: string) {
  const { shareOf, special, observed } = value;
  return {
    ...(shareOf === undefined ? {} : { shareOf: oneOf(shareOf, ["history", "messages"] as const, `${name}.shareOf`) }),
    ...(isFields(special)
      ? {
          special: {
            value: finite(special.value, `${name}.special.value`),
            means: oneOf(special.means, SPECIAL, `${name}.special.means`),
          },
        }
      : {}),
    ...(Array.isArray(observed)
      ? { observed: [finite(observed[0], `${name}.observed[0]`), finite(observed[1], `${name}.observed[1]`)] as const }
      : {}),
  };
}

function checkedSource(value: unknown, name: string): SettingSpec["source"] {
  if (value === undefined) return { kind: "own" };
  must(isFields(value), `${name} must be an object`);
  const stated = oneOf(value.kind, SOURCES, `${name}.kind`);
  const kind = stated === "ours" ? "own" : stated;
  return value.text === undefined ? { kind } : { kind, text: text(value.text, `${name}.text`) };
}

function checkedCondition(value: unknown, name: string): Pick<SettingSpec, "needs"> {
  if (value === undefined) return {};
  must(isFields(value), `${name} must be an object`);
  const key = text(value.key, `${name}.key`);
  if (value.above !== undefined) return { needs: { key, above: finite(value.above, `${name}.above`) } };
  const { is } = value;
  const isValue = is === null || typeof is === "boolean" || typeof is === "number" || typeof is === "string";
  must(isValue, `${name}.is must be a value of a setting`);
  return { needs: { key, is } };
}

/**
 * A policy's decision before a request. The engine checks whether it is possible in this context. Throws `InvalidAnswer`. @param length items in the
 * context
 */
export function checkedCompaction(value: unknown, length: number): Compaction {
  must(isFields(value), "it must be an object, or nothing where nothing is done");
  const { trigger, transient, entering, figures: metrics } = value;
  const summaryTokens = whole(value.summaryTokens ?? 0, "summaryTokens");
  const summaryCallTokens = whole(value.summaryCallTokens ?? 0, "summaryCallTokens");
  return {
    kept: checkedPositions(value.kept, length),
    truncated: checkedSizes(value.truncated, "truncated"),
    cleared: checkedSizes(value.cleared, "cleared"),
    added: list(value.added ?? [], "added").map(checkedItem),
    addedAt: oneOf(value.addedAt ?? "front", ["front", "back"] as const, "addedAt"),
    ...(entering === undefined ? {} : { entering: whole(entering, "entering") }),
    ...(transient === undefined ? {} : { transient: transient === true }),
    outcome: oneOf(value.outcome, OUTCOMES, "outcome"),
    // A summary that was written without a call costs no output.
    summaryTokens: summaryCallTokens > 0 ? summaryTokens : 0,
    summaryCallTokens,
    ...(metrics === undefined ? {} : { figures: checkedMetrics(metrics) }),
    ...(trigger === undefined ? {} : { trigger: oneOf(trigger, TRIGGERS, "trigger") }),
  };
}

function checkedPositions(value: unknown, length: number): Positions {
  let last = 0;
  return list(value, "kept").map((range, at) => {
    const [from, to] = Array.isArray(range) ? range : [];
    const isRange = Number.isInteger(from) && Number.isInteger(to) && from >= last && to > from && to <= length;
    must(
      isRange,
      `kept[${at}] must be a range of positions, [from, to) with to at most ${length}, behind the one before it`,
    );
    last = to;
    return [from, to] as const;
  });
}

function checkedSizes(value: unknown, name: string): Compaction["truncated"] {
  return list(value ?? [], name).map((pair, at) => {
    const [item, size] = Array.isArray(pair) ? pair : [];
    return [whole(item, `${name}[${at}][0]`), whole(size, `${name}[${at}][1]`)] as const;
  });
}

function checkedItem(value: unknown, at: number): SyntheticItem {
  const name = `added[${at}]`;
  must(isFields(value), `${name} must be an object`);
  const { role, files, count } = value;
  return {
    kind: oneOf(value.kind, KINDS, `${name}.kind`),
    name: text(value.name ?? value.kind, `${name}.name`),
    ...(role === undefined ? {} : { role: oneOf(role, ["assistant", "system"] as const, `${name}.role`) }),
    category: oneOf(value.category, ITEM_CATEGORIES, `${name}.category`),
    tokens: whole(value.tokens, `${name}.tokens`),
    label: checkedLabel(value.label, writtenAs(value.kind)),
    ...(files === undefined ? {} : { files: list(files, `${name}.files`).map(writtenAs) }),
    ...(count === undefined ? {} : { count: finite(count, `${name}.count`) }),
  };
}

function checkedMetrics(value: unknown): Readonly<Record<string, number>> {
  must(isFields(value), "figures must be an object");
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [text(key, "figures"), finite(one, `figures.${key}`)]),
  );
}
