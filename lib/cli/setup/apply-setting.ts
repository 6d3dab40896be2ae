import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { agentName } from "@/lib/agents/agents";
import { serverProfileOf } from "@/lib/agents/registry";
import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { countText } from "@/lib/core/base/number-text";
import type { Tokens } from "@/lib/core/base/units";
import type { SettingLine } from "@/lib/core/compaction/policy/setting-to-type";
import { OF_MODEL, type SettingSpec, type SettingValue } from "@/lib/core/compaction/policy/settings";
import { storedSetting } from "@/lib/core/compaction/policy/stored-setting";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import type { Recommendation } from "@/lib/queries/replays/recommendation";
import { type TypedPoint, typedPoint } from "@/lib/queries/replays/setting-lines";
import { addApplied, readApplied } from "@/lib/server/agent-settings/applied-settings";
import { currentSettings } from "@/lib/server/agent-settings/current-settings";
import { commonSettingsFiles, filesWith, userSettingsFile } from "@/lib/server/agent-settings/settings-files";
import { configFrom } from "@/lib/server/base/config";
import { CliError, EXIT, say } from "../process/exit";
import { type ApplyOptions, applyChange, undoApplied } from "./apply-change";
import { withJsonValue } from "./edit-json";
import { proposeChange } from "./settings-change";

/** Command under which a recommendation's changes are written and undone. */
const BY = "recommend";

/** A recommendation with its query. */
export interface Recommended {
  readonly found: Recommendation;
  readonly query: Pick<ReplayRequest, "policy" | "preset" | "settings">;
  /** Windows of the policy in the sessions. */
  readonly windows: readonly Tokens[];
  /** Paths of the sessions' files. */
  readonly recordings: readonly string[];
}

/**
 * `recommend --apply`: writes the recommended setting into the agent's own settings file after showing the change and asking, and notes it with its
 * prediction. Without evidence nothing is written. Rejects with `CliError` if the setting has no place in a file, or the file cannot be changed.
 */
export async function applySetting(recommended: Recommended, options: ApplyOptions): Promise<void> {
  const { found, query, recordings } = recommended;
  if (!found.isEvidence) {
    say("nothing was written: there is no evidence that the setting saves anything.");
    return;
  }
  const { point, typed: wanted } = storedPoint(recommended);
  const rule = await serverProfileOf(query.policy)?.settingsFiles?.();
  const around = { env: process.env, home: configFrom(process.env).home };
  const path = rule && userSettingsFile(rule, recordings, around);
  const agent = agentName(query.policy)?.label ?? query.policy;
  if (rule === undefined || path === undefined) throw refusal(`there is no settings file of ${agent} on this machine`);
  // Other settings of the point may be in force already, in any of the files.
  const stated = currentSettings(point.specs, rule, await commonSettingsFiles(rule, around));
  const isStated = ({ spec, line }: TypedSetting) => stated.find(({ key }) => key === spec.key)?.value === line.value;
  const typed = wanted.every(isStated) ? wanted : wanted.filter((setting) => !isStated(setting));
  const edits = typed.map((setting) => editOf(setting, rule, agent));
  const change = proposeChange(path, BY, (text) =>
    edits.reduce((before, { path: keys, to }) => withValue(before, path, keys, to), text),
  );
  const valuesIn = async (text: string) =>
    currentSettings(point.specs, rule, await filesWith(rule, path, text, around));
  const [before, after] = [await valuesIn(change.before ?? ""), await valuesIn(change.after)];
  for (const setting of typed) requireInForce(setting, after, before);
  if (!(await applyChange(change, options))) return;
  const { by, advice, sessions, projects } = found;
  addApplied(configFrom(process.env).dataDir, {
    kind: "applied",
    at: new Date().toISOString(),
    ...{ agent: query.policy, policy: query.policy, preset: point.preset, path: change.path },
    settings: typed.map(({ spec: { key }, line }, at) => ({
      key,
      named: edits[at]?.path.join(".") ?? key,
      from: before.find((one) => one.key === key)?.value ?? null,
      to: line.value ?? null,
    })),
    ...{ by, predicted: advice.saving, sessions, projects },
  });
  say("noted with its prediction; `context-replay outcome` compares the sessions from now on with those before.");
}

/** `recommend --undo`: undoes the newest applied setting that was not undone. Rejects with `CliError` if its file changed since. */
export async function undoSetting(): Promise<void> {
  const { dataDir } = configFrom(process.env);
  const newest = readApplied(dataDir).applied.findLast(({ undoneAt }) => undoneAt === undefined);
  if (newest === undefined) throw new CliError(EXIT.failed, "there is no applied setting to undo.");
  await undoApplied(newest.path, BY);
  addApplied(dataDir, { kind: "undone", at: new Date().toISOString(), of: newest.at });
}

/** A setting with the line that a user would type. */
interface TypedSetting {
  readonly spec: SettingSpec;
  readonly line: SettingLine;
}

/** The settings of a recommendation, which must be the same under every window of the sessions. */
function storedPoint({ found, query, windows }: Recommended): {
  readonly point: TypedPoint;
  readonly typed: TypedSetting[];
} {
  const points = windows.flatMap((window) => typedPoint(query, found.advice.set, window) ?? []);
  const [point] = points;
  if (point === undefined) throw refusal(`${query.policy} is not the policy of an agent`);
  const texts = points.map(({ lines }) => JSON.stringify(lines.map(({ key, text = null }) => [key, text])));
  if (new Set(texts).size > 1) {
    const listed = windows.map(countText).join(" and ");
    throw refusal(`windows of ${listed} tokens need different settings; choose one with --window`);
  }
  if (point.lines.length === 0) throw refusal("the recommended setting is the default, or the agent has none for it");
  const typed = point.lines.map((line): TypedSetting => {
    const spec = point.specs.find(({ key }) => key === line.key);
    if (spec === undefined || line.text === undefined)
      throw refusal(`this version of the agent has no setting for ${line.key}`);
    return { spec, line };
  });
  return { point, typed };
}

/** Key path of a setting in its file, and the value there. Throws `CliError` if it has no place in one. */
function editOf({ spec, line }: TypedSetting, rule: SettingsFiles, agent: string) {
  const { paths = [], variable } = storedSetting(spec) ?? {};
  const { value = null, text = "" } = line;
  const path = paths.find((keys) => !keys.includes(OF_MODEL));
  const isVariable = variable !== undefined && (path === undefined || text.startsWith(`${variable}=`));
  if (isVariable && rule.variables !== undefined) return { path: [...rule.variables, variable], to: String(value) };
  if (!isVariable && path !== undefined && value !== null) return { path, to: value };
  const where = line.file === undefined ? "" : ` in ${line.file}`;
  throw refusal(`no settings file of ${agent} takes it as a single value; set it yourself: ${text}${where}`);
}

function withValue(text: string, path: string, keys: readonly string[], value: Exclude<SettingValue, null>): string {
  const name = basename(path);
  if (!name.endsWith(".toml")) return withJsonValue(text, name, [...keys], value);
  return withTomlValue(text, name, keys.join("."), value);
}

/**
 * Throws `CliError` if another setting would take precedence over the written one. @param stated settings before the change, whose lines the user
 * sees
 */
function requireInForce(
  { spec: { key }, line }: TypedSetting,
  now: ReturnType<typeof currentSettings>,
  stated: ReturnType<typeof currentSettings>,
): void {
  const isOf = (one: (typeof now)[number]) => one.key === key;
  const found = now.find(isOf);
  if (found?.value === line.value) return;
  const other = stated.find(isOf) ?? found;
  const why =
    other === undefined ? "the agent would not take the value" : `${other.file} line ${other.line} takes precedence`;
  throw refusal(`${key}=${line.value} would have no effect: ${why}`);
}

function refusal(why: string): CliError {
  return new CliError(EXIT.failed, `${why}; nothing was written.`);
}

/**
 * Sets one top-level key of a TOML text; everything else stays. The parser checks the result: if a value of several lines hides the key, nothing is
 * changed. Throws `CliError` if the text is not valid TOML or cannot be changed this way.
 * @param name of the file, for the error
 */
export function withTomlValue(text: string, name: string, key: string, value: string | number | boolean): string {
  const before = parsed(text, name);
  if (before[key] === value) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const firstTable = lines.findIndex((line) => /^\s*\[/.test(line));
  const above = firstTable < 0 ? lines.length : firstTable;
  const at = lines.findIndex((line, index) => index < above && isAbout(line, key));
  const stated = `${key} = ${JSON.stringify(value)}`;
  if (at >= 0) lines[at] = `${stated}${commentOf(lines[at] ?? "")}`;
  // Below the last line with content above the first table.
  else lines.splice(lines.slice(0, above).findLastIndex((line) => line.trim() !== "") + 1, 0, stated);
  const joined = lines.join(eol);
  const after = joined.endsWith(eol) ? joined : `${joined}${eol}`;
  if (isDeepStrictEqual(changed(after), { ...before, [key]: value })) return after;
  throw new CliError(EXIT.failed, `${name} has ${key} in a place that must be edited by hand; nothing was written.`);
}

/** True if a line sets the key. */
function isAbout(line: string, key: string): boolean {
  const at = line.indexOf("=");
  const stated = at < 0 ? "" : line.slice(0, at).trim();
  return stated === key || stated === `"${key}"`;
}

/** The comment at the end of a line, with the space before it. A mark before a quote may be part of a text. */
function commentOf(line: string): string {
  const at = line.indexOf("#", Math.max(line.lastIndexOf('"'), line.lastIndexOf("'")) + 1);
  return at < 0 ? "" : line.slice(line.slice(0, at).trimEnd().length);
}

function parsed(text: string, name: string): Record<string, unknown> {
  try {
    return { ...parse(text.replace(/^\ufeff/, "")) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new CliError(EXIT.failed, `${name}: line ${error.line} is not valid TOML; nothing was written.`);
  }
}

function changed(text: string): Record<string, unknown> | undefined {
  try {
    return { ...parse(text.replace(/^\ufeff/, "")) };
  } catch {
    return undefined;
  }
}
