import { basename } from "node:path";
import { claudeCodeSettings } from "@/lib/agents/claude-code/policy/settings";
import { OFF_SWITCHES, SETTINGS_FILES } from "@/lib/agents/claude-code/policy/settings-files";
import { autoCompactThreshold } from "@/lib/agents/claude-code/policy/threshold";
import { sentTokens } from "@/lib/agents/claude-code/read/nodes";
import { type TailState, tailState } from "@/lib/agents/claude-code/read/tail";
import { usdText } from "@/lib/core/base/number-text";
import { MAX_CONTEXT, type Milliseconds, type Tokens } from "@/lib/core/base/units";
import { resolveSettings, type SettingSpec } from "@/lib/core/compaction/policy/settings";
import { storedSetting, takenValue } from "@/lib/core/compaction/policy/stored-setting";
import { resolveWindow } from "@/lib/core/context/window";
import { dollarsOf } from "@/lib/core/cost/money";
import { costOfUsage } from "@/lib/core/cost/usage-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { knownWindow } from "@/lib/core/prices/windows";
import { type JsonObject, numberField, objectField, textField } from "@/lib/core/records/fields";
import { currentSettings } from "@/lib/server/agent-settings/current-settings";
import { type SettingsFile, settingsFilesOf } from "@/lib/server/agent-settings/settings-files";
import { fileTail } from "../input/file-tail";
import { cacheParts, limitParts } from "./status-clock";

/** Bytes read from a file's end; more only if the last response is further back. */
const TAIL_BYTES = [1 << 16, 1 << 19, 1 << 22];

/** Claude Code's variables that decide when it compacts. Source: lib/agents/claude-code/README.md, "Compaction". */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Claude Code's status line: context size, distance to the next compaction by the user's settings, time until the cache is cold, cost of the last
 * request and of the session, limits of the plan. Claude Code runs it several times a minute, so it reads only the end of the transcript.
 * @param input standard input of the command: one JSON object
 */
export async function statusline(
  input: string,
  environment: Environment,
  now: Milliseconds = Date.now(),
): Promise<string> {
  const session = sessionOf(input);
  if (session === undefined) return "context-replay: standard input is not a status of Claude Code";
  const state = session.transcript === undefined ? undefined : stateOf(session.transcript);
  const parts = [
    ...(await contextParts(state, session, environment)),
    ...cacheParts(session.status, state, now),
    ...costParts(state, session),
    ...limitParts(session.status, now),
  ];
  return parts.length === 0 ? "no response yet" : parts.join(" · ");
}

/** Session data from Claude Code. */
interface SessionStatus {
  /** The whole object from standard input. */
  readonly status: JsonObject;
  readonly transcript: string | undefined;
  /** Folder in which Claude Code was started. */
  readonly project: string | undefined;
  readonly model: string | undefined;
  readonly window: Tokens | undefined;
  /** The session's cost in dollars, as Claude Code counts it. */
  readonly totalUsd: number | undefined;
}

/** Maximum session cost in dollars; a larger number is an error of its writer. */
const MAX_USD = 1_000_000;

/** A number from 0 to a maximum; others are not shown. */
function atMost(most: number, value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= most ? value : undefined;
}

function sessionOf(input: string): SessionStatus | undefined {
  try {
    const status = objectField(JSON.parse(input));
    if (status === undefined) return undefined;
    return {
      status,
      transcript: textField(status.transcript_path),
      project: textField(objectField(status.workspace)?.project_dir) ?? textField(status.cwd),
      model: textField(objectField(status.model)?.id),
      window: atMost(MAX_CONTEXT, numberField(objectField(status.context_window)?.context_window_size)),
      totalUsd: atMost(MAX_USD, numberField(objectField(status.cost)?.total_cost_usd)),
    };
  } catch {
    return undefined; // Not JSON.
  }
}

/** State at the end of a transcript; `undefined` if there is no transcript yet, or its last response is too far back. */
function stateOf(transcript: string): TailState | undefined {
  for (const bytes of TAIL_BYTES) {
    const tail = tailOf(transcript, bytes);
    const state = tail === undefined ? undefined : tailState(tail.lines, tail.whole);
    if (tail === undefined || tail.whole || state !== undefined) return state;
  }
  return undefined;
}

function tailOf(transcript: string, bytes: number) {
  try {
    return fileTail(transcript, bytes);
  } catch {
    return undefined; // Claude Code names a transcript before it writes the first line.
  }
}

async function contextParts(
  state: TailState | undefined,
  session: SessionStatus,
  environment: Environment,
): Promise<readonly string[]> {
  if (state?.response === undefined) return [];
  const { usage, model } = state.response;
  const used = state.compacted === undefined ? sentTokens(usage) + (usage.output ?? 0) : state.compacted.tokensAfter;
  if (used === undefined) return ["just compacted"];
  const window = windowOf(session, model, used);
  if (window === undefined) return [`${shortCount(used)}, window unknown`];
  const share = Math.round((used / window) * 100);
  const context = `${shortCount(used)} of ${shortCount(window)} (${share} %)`;
  return [
    state.compacted === undefined ? context : `just compacted: ${context}`,
    await distance(used, window, session, model, environment),
  ];
}

/**
 * Claude Code names the window; older releases mark a model with the larger window by its name. `undefined` if the context exceeds the known window,
 * which is then a lower bound.
 */
function windowOf({ window, model: named }: SessionStatus, model: string | undefined, used: Tokens) {
  if (window !== undefined && window > 0) return window;
  const known = [named, model].flatMap((name) => (name === undefined ? [] : (knownWindow(name) ?? []))).slice(0, 1);
  const found = resolveWindow({ known, observed: used, byDefault: 200_000 });
  return found.source === "inferred" ? undefined : found.tokens;
}

/** Distance to the next compaction, by the variables and settings files that Claude Code itself obeys. */
async function distance(
  used: Tokens,
  window: Tokens,
  { transcript, project, model: named }: SessionStatus,
  model: string | undefined,
  environment: Environment,
): Promise<string> {
  if (OFF_SWITCHES.variables.some((name) => isOn(environment[name]))) return "does not compact";
  const files =
    transcript === undefined
      ? []
      : await settingsFilesOf(SETTINGS_FILES, { path: transcript, project }, { env: environment });
  const off = offIn(files);
  if (off !== undefined) return `does not compact (from ${off})`;
  const specs = claudeCodeSettings("reported", { window, agent: "claude-code" });
  const variables = variablesIn(environment, specs);
  const stated = currentSettings(specs, SETTINGS_FILES, files, named ?? model).filter(({ key }) => !(key in variables));
  const thresholdUnder = (given: object) => autoCompactThreshold(window, resolveSettings(specs, { ...given }));
  const threshold = thresholdUnder({
    ...Object.fromEntries(stated.map(({ key, value }) => [key, value])),
    ...variables,
  });
  const from = threshold === thresholdUnder(variables) ? "" : ` (from ${stated.map(placeOf).join(", ")})`;
  const left = threshold - used;
  return left > 0 ? `compacts in ${shortCount(left)}${from}` : `compacts next${from}`;
}

/** Settings of the policy that variables give. */
function variablesIn(environment: Environment, specs: readonly SettingSpec[]): Readonly<Record<string, unknown>> {
  const given = specs.flatMap((spec) => {
    const name = storedSetting(spec)?.variable;
    const text = name === undefined ? undefined : environment[name];
    const value = text === undefined ? undefined : takenValue(spec, text, true);
    return value === undefined ? [] : [[spec.key, value] as const];
  });
  return Object.fromEntries(given);
}

/** Place in a settings file that turns automatic compaction off; `undefined` if none does. */
function offIn(files: readonly SettingsFile[]): string | undefined {
  for (const file of files) {
    const [stated] = file.settings.at(OFF_SWITCHES.setting);
    if (stated !== undefined) return stated.value === false ? placeOf({ file: file.name, ...stated }) : undefined;
  }
  return undefined;
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${basename(file)} line ${line}`;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

function costParts(state: TailState | undefined, { totalUsd }: SessionStatus): readonly string[] {
  const response = state?.response;
  const cost = response === undefined ? undefined : costOfUsage(response, LISTED_PRICES);
  return [
    ...(response === undefined ? [] : [`last request ${usdText(cost === undefined ? null : dollarsOf(cost))}`]),
    ...(totalUsd === undefined ? [] : [`session ${usdText(totalUsd)}`]),
  ];
}

/** A count in at most four digits: 950, 35.9k, 1.05M. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${trimmed(count / 1000, 1)}k` : `${trimmed(count / 1_000_000, 2)}M`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
