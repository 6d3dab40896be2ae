import type { Adviser } from "@/lib/core/advice/adviser";
import type { AdvisedBy } from "@/lib/core/advice/recommend";
import type { Tokens } from "@/lib/core/base/units";
import type { CostUsd, SettingsToType } from "@/lib/queries/contract/types";
import { metricOf, type Recommendation, recommend, type SweptSession } from "@/lib/queries/replays/recommendation";
import { settingLines } from "@/lib/queries/replays/setting-lines";
import type { NotReplayed, SessionReplays } from "@/lib/server/threads/tasks";

/** Reason for excluding a session from a recommendation. */
type LeftOut = NotReplayed | "no-figure" | "copy" | "unreadable";

export interface LeftOutSession {
  readonly file: string;
  readonly why: LeftOut;
  /** Models without a price, for a session without a cost. */
  readonly unpricedModels?: CostUsd["unpricedModels"];
}

/** A recommendation over some sessions, and the excluded sessions; `found` is absent if all are excluded. */
interface AdviceOver {
  readonly found: Recommendation | undefined;
  readonly leftOut: readonly LeftOutSession[];
}

/** A replayed session, under its name in answers; an error if it could not be read. */
export interface ReplayedSession {
  readonly file: string;
  readonly answer: SessionReplays | Error;
}

/** The recommendation over replayed sessions, for the command line and the page. */
export async function adviceOver(
  sessions: readonly ReplayedSession[],
  by: AdvisedBy,
  seed: number,
  adviser?: Adviser,
): Promise<AdviceOver> {
  const bySession = new Map<string, SweptSession>();
  const leftOut: LeftOutSession[] = [];
  for (const { file, answer } of sessions) {
    const found = sweptSession(file, answer, by);
    if (typeof found === "string") leftOut.push({ file, why: found, ...(by === "cost" ? unpricedOf(answer) : {}) });
    else if (!(answer instanceof Error)) keepLonger(bySession, answer.facts.sessionId ?? file, found, leftOut);
  }
  return { found: await recommend([...bySession.values()], by, seed, adviser), leftOut };
}

/** The setting to type for a recommended point, once for each window of the sessions; empty without evidence or an agent that takes it. */
export function settingsToType(
  query: Parameters<typeof settingLines>[0],
  found: Recommendation | undefined,
  replayed: readonly ReplayedSession[],
): SettingsToType {
  if (found?.isEvidence !== true) return [];
  return windowsOf(replayed).flatMap((window) => {
    const lines = settingLines(query, found.advice.set, window);
    return lines.length === 0 ? [] : [{ window, lines }];
  });
}

/** Windows of the swept policy in these sessions. */
export function windowsOf(replayed: readonly ReplayedSession[]): readonly Tokens[] {
  return [...new Set(replayed.flatMap(({ answer }) => (answer instanceof Error ? [] : (answer.window ?? []))))];
}

function sweptSession(file: string, answer: SessionReplays | Error, by: AdvisedBy): SweptSession | LeftOut {
  if (answer instanceof Error) return "unreadable";
  const { facts, replays, whatIf, notReplayed } = answer;
  if (notReplayed !== undefined) return notReplayed;
  const asSet = replays?.["as-set"];
  if (replays === undefined || asSet === undefined) return "no-requests";
  if ([asSet.current, ...asSet.swept].some((row) => metricOf(row, by) === null)) return "no-figure";
  return { file, project: facts.project ?? "", replays, whatIf };
}

function unpricedOf(answer: SessionReplays | Error): Pick<LeftOutSession, "unpricedModels"> {
  const models = answer instanceof Error ? undefined : answer.replays?.["as-set"].current.totals.unpricedModels;
  return models === undefined ? {} : { unpricedModels: models };
}

/** Agents copy a session on resume: if a session has several files, the one with the most requests counts. */
function keepLonger(
  known: Map<string, SweptSession>,
  id: string,
  swept: SweptSession,
  leftOut: LeftOutSession[],
): void {
  const requests = ({ replays }: SweptSession) => replays["as-set"].current.totals.requests;
  const other = known.get(id);
  const isLonger = other === undefined || requests(swept) > requests(other);
  if (isLonger) known.set(id, swept);
  const copy = isLonger ? other : swept;
  if (copy !== undefined) leftOut.push({ file: copy.file, why: "copy" });
}
