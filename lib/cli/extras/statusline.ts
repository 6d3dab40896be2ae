import { SETTINGS_FILES, windowSetting } from "@/lib/agents/claude-code/policy/settings-files";
import { AUTO_BUFFER, autoCompactThreshold, MAX_OUTPUT_RESERVE } from "@/lib/agents/claude-code/policy/threshold";
import { sentTokens } from "@/lib/agents/claude-code/read/nodes";
import { type TailState, tailState } from "@/lib/agents/claude-code/read/tail";
import { usdText } from "@/lib/core/base/number-text";
import { MOST_CONTEXT, type Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { resolveWindow } from "@/lib/core/context/window";
import { dollarsOf } from "@/lib/core/cost/money";
import { costOfUsage } from "@/lib/core/cost/usage-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { knownWindow } from "@/lib/core/prices/windows";
import { numberField, objectField, textField } from "@/lib/core/records/fields";
import { windowOfSettings } from "@/lib/server/read/window-settings";
import { fileTail } from "../input/file-tail";

/** Bytes read from a file's end; more only if the last response is further back. */
const TAIL_BYTES = [1 << 16, 1 << 19, 1 << 22];

/** Claude Code's variables that decide when it compacts. Source: lib/agents/claude-code/README.md, "Compaction". */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Claude Code's status line: context size, distance to the next compaction, cost of the last request and of the session. Claude Code runs it several
 * times a minute, so it reads only the end of the transcript.
 * @param input standard input of the command: one JSON object
 */
export function statusline(input: string, environment: Environment): string {
  const session = sessionOf(input);
  if (session === undefined) return "context-replay: this is no status of Claude Code";
  const state = session.transcript === undefined ? undefined : stateOf(session.transcript);
  const parts = [...contextParts(state, session, environment), ...costParts(state, session)];
  return parts.length === 0 ? "no response yet" : parts.join(" · ");
}

/** Session data from Claude Code. */
interface SessionStatus {
  readonly transcript: string | undefined;
  /** Folder in which Claude Code was started. */
  readonly project: string | undefined;
  readonly model: string | undefined;
  readonly window: Tokens | undefined;
  /** The session's cost in dollars, as Claude Code counts it. */
  readonly totalUsd: number | undefined;
}

/** Maximum session cost in dollars; a larger number is an error of its writer. */
const MOST_USD = 1_000_000;

/** A number from 0 to a maximum; others are not shown. */
function atMost(most: number, value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= most ? value : undefined;
}

function sessionOf(input: string): SessionStatus | undefined {
  try {
    const status = objectField(JSON.parse(input));
    if (status === undefined) return undefined;
    return {
      transcript: textField(status.transcript_path),
      project: textField(objectField(status.workspace)?.project_dir) ?? textField(status.cwd),
      model: textField(objectField(status.model)?.id),
      window: atMost(MOST_CONTEXT, numberField(objectField(status.context_window)?.context_window_size)),
      totalUsd: atMost(MOST_USD, numberField(objectField(status.cost)?.total_cost_usd)),
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

function contextParts(
  state: TailState | undefined,
  session: SessionStatus,
  environment: Environment,
): readonly string[] {
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
    distance(used, window, environment, filesWindow(session, model, environment)),
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

/** The window for auto-compaction in Claude Code's settings files. */
function filesWindow(
  { transcript, project, model: named }: SessionStatus,
  model: string | undefined,
  env: Environment,
) {
  return transcript === undefined
    ? undefined
    : windowOfSettings(SETTINGS_FILES, { path: transcript, project, model: named ?? model }, { env })?.tokens;
}

function distance(used: Tokens, window: Tokens, environment: Environment, files: Tokens | undefined): string {
  if (isOn(environment.DISABLE_AUTO_COMPACT) || isOn(environment.DISABLE_COMPACT)) return "does not compact";
  const variable = windowSetting(positive(environment.CLAUDE_CODE_AUTO_COMPACT_WINDOW));
  const set = variable ?? files ?? null;
  const left = autoCompactThreshold(window, { ...settingsOf(environment), autoCompactWindow: set }) - used;
  const from = variable === undefined && files !== undefined && files < window ? " (window from settings)" : "";
  return left > 0 ? `compacts in ${shortCount(left)}${from}` : `compacts next${from}`;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

function settingsOf(environment: Environment): Settings {
  const most = positive(environment.CLAUDE_CODE_MAX_OUTPUT_TOKENS) ?? MAX_OUTPUT_RESERVE;
  const percent = positive(environment.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  return {
    autoBuffer: AUTO_BUFFER,
    maxOutputTokens: most,
    pctOverride: percent !== undefined && percent <= 100 ? percent : null,
  };
}

function positive(value: string | undefined): number | undefined {
  const number = Number(value);
  return number > 0 && Number.isFinite(number) ? number : undefined;
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
