import { parsedOr } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { filledText, isObject, type JsonObject, objectOf, positiveInteger, textOf } from "../messages/value";
import { type PromptReport, storedReport } from "./prompt-report";

/**
 * A conversation in `sessions.json`, which is next to the transcripts. It is parsed from its text here, without file access. Source: README.md,
 * "Session store"; openclaw@2026.2.1, config/sessions.
 */
export interface IndexedSession {
  /** The conversation: `agent:<agent>:main`, `…:group:<id>`, `cron:<job>`, … It stays the same when a session is reset. */
  readonly key: string;
  readonly sessionId: string;
  /** Name of the transcript, without its folder. */
  readonly file: string;
  /** The title to display: a label, a subject, or a display name. */
  readonly title: string | undefined;
  /** Key of the conversation that started this one as a subagent. */
  readonly parentKey: string | undefined;
  /** The window of its last run, and its model, if named. */
  readonly window: { readonly tokens: Tokens; readonly model: string | undefined } | undefined;
  /** The report of the system prompt that the last run measured. */
  readonly report: PromptReport | undefined;
}

/** The sessions of a store, in its order. Odd entries are omitted; a text that is not a store holds none. */
export function readSessionsIndex(text: string): readonly IndexedSession[] {
  return Object.entries(objectOf(parsedOr(text))).flatMap(([key, entry]) =>
    isObject(entry) ? (sessionOf(key, entry) ?? []) : [],
  );
}

function sessionOf(key: string, entry: JsonObject): IndexedSession | undefined {
  const sessionId = filledText(entry.sessionId);
  if (sessionId === undefined) return undefined;
  const path = filledText(textOf(entry.sessionFile)?.trim());
  return {
    key,
    sessionId,
    file: path === undefined ? `${sessionId}.jsonl` : lastPart(path),
    title: titleOf(entry),
    parentKey: filledText(entry.spawnedBy),
    window: windowOf(entry),
    report: storedReport(entry.systemPromptReport),
  };
}

function windowOf({ contextTokens, model }: JsonObject): IndexedSession["window"] {
  const tokens = positiveInteger(contextTokens);
  return tokens === undefined ? undefined : { tokens, model: filledText(model) };
}

/** The last part of a path, which may come from another system than ours. */
function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function titleOf(entry: JsonObject): string | undefined {
  const origin = objectOf(entry.origin);
  const names = [entry.label, entry.displayName, entry.subject, entry.groupChannel, origin.label];
  return names.map((name) => filledText(textOf(name)?.trim())).find((name) => name !== undefined);
}
