import type { Tokens } from "@/lib/core/base/units";
import type { ContextProfile } from "@/lib/core/context/profile";
import { type StandingOverhead, standingTokens } from "@/lib/core/context/standing";
import { isTokens } from "@/lib/core/transcript/figures";
import type { ReportQuestion, ReportSources } from "../../server-half";
import { openClawPreset } from "../presets";
import { guardState } from "./breakdown";
import { contextReply, jsonReply, type ReplySession } from "./context-reply";
import { configuredBy, guardWindow, type WindowGuard } from "./context-window";
import { type IndexSync, memoryIndexSyncs } from "./memory-index";
import { reportOfProfile } from "./profile-report";
import type { PromptReport } from "./prompt-report";
import { reportStanding } from "./report-sizes";
import { type SessionFigures, sessionFigures } from "./session-figures";
import { type IndexedSession, readSessionsIndex } from "./sessions-index";

/** The report of the system prompt: that of the last run where the store holds one, else one made from a profile; `undefined` without either. */
export function reportOf({ companion, profile, preset, ...session }: ReportSources): PromptReport | undefined {
  const stored = indexedSession(companion, session)?.report;
  if (stored?.source === "run") return stored;
  if (profile !== undefined && hasPrompt(profile)) return reportOfProfile(profile, openClawPreset(preset));
  return stored;
}

/** The same as overhead; `undefined` without a report, and where its sizes sum to more than any context holds. */
export function standingOfReport(sources: ReportSources): StandingOverhead | undefined {
  const report = reportOf(sources);
  const standing = report === undefined ? undefined : reportStanding(report);
  return standing !== undefined && isTokens(standingTokens(standing)) ? standing : undefined;
}

function hasPrompt({ systemPrompt, tools, skills, memoryFiles }: ContextProfile): boolean {
  return [systemPrompt, tools, skills, memoryFiles].some((part) => part !== undefined);
}

function indexedSession(
  companion: string | undefined,
  { file, sessionId }: Pick<ReportSources, "file" | "sessionId">,
): IndexedSession | undefined {
  if (companion === undefined) return undefined;
  const sessions = readSessionsIndex(companion);
  return sessions.find((one) => one.file === file) ?? sessions.find((one) => one.sessionId === sessionId);
}

/** The window, and the rule, file or part of the configuration that gives it. */
export interface ResolvedWindow {
  readonly tokens: Tokens;
  readonly source: string;
}

/** What OpenClaw knows about its context at a request. Source: README.md, "Window", "Prompt report" and "Session store". */
export interface ContextState {
  readonly window: ResolvedWindow;
  readonly guard: Pick<WindowGuard, "warnBelow" | "blockBelow"> & { readonly state: "ok" | "warn" | "block" };
  readonly session: SessionFigures;
  readonly memorySyncs: readonly IndexSync[];
  readonly prompt?: PromptReport;
  /** What `/context` answers, by mode; absent where there is no prompt report. */
  readonly views?: { readonly list: string; readonly detail: string };
  /** What `/context json` answers; its report is null where there is none. */
  readonly json: string;
}

export function contextStateAt(question: ReportQuestion): ContextState {
  const { columns, request, preset } = question;
  const { tokens, source, from } = question.window;
  const window = { tokens, source: configuredBy(from) ?? source };
  const guard = guardWindow(window.tokens, openClawPreset(preset));
  const session = sessionFigures(columns, request, window.tokens);
  const prompt = reportOf(question);
  return {
    window,
    guard: { warnBelow: guard.warnBelow, blockBelow: guard.blockBelow, state: guardState(guard) },
    session,
    memorySyncs: memoryIndexSyncs(columns),
    json: jsonReply(prompt ?? null, replySession(session)),
    ...(prompt === undefined ? {} : { prompt, views: viewsOf(prompt, session) }),
  };
}

function replySession({ inputTokens, outputTokens, totalTokens, contextTokens }: SessionFigures): ReplySession {
  return { inputTokens, outputTokens, totalTokens, contextTokens };
}

function viewsOf(prompt: PromptReport, figures: SessionFigures) {
  const session = replySession(figures);
  return {
    list: contextReply("/context list", prompt, session),
    detail: contextReply("/context detail", prompt, session),
  };
}
