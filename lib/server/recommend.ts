import { profileOf } from "@/lib/agents/profiles";
import type { SweepRow } from "@/lib/api/contract";
import type { ContextProfile } from "@/lib/core/context/profile";
import {
  type AdvisedBy,
  ASSUMPTIONS,
  type Assumption,
  figureOf,
  type Replays,
  type SweptSession,
} from "@/lib/questions/recommendation";
import type { OpenedSession } from "./opened-session";
import { type SweepListener, type SweepQuestion, sweepAll } from "./sweep";
import type { TaskRunner } from "./tasks";

/** The smallest and the largest summary that is known to have been recorded. Source: docs/method.md, "Simulating". */
const RECORDED_SUMMARIES = { "small-summaries": 995, "large-summaries": 6143 } as const;

/** Why a session is no part of a recommendation. */
export type LeftOut = "other-agent" | "no-requests" | "no-figure";

/**
 * Replays one session under the current setting and at every point of a sweep, under every assumption that the question leaves open. It is read and
 * counted once. Rejects with `SettingError`.
 */
export async function sweptForAdvice(
  session: OpenedSession,
  profile: ContextProfile | undefined,
  question: SweepQuestion,
  by: AdvisedBy,
  runner: TaskRunner,
  listener: SweepListener = {},
): Promise<SweptSession | LeftOut> {
  const { file, agent, project, requests } = session.summary;
  if (profileOf(question.policy) !== undefined && agent !== question.policy) return "other-agent";
  if (requests === 0) return "no-requests";
  const rows = async (vary: SweepQuestion["vary"], assumption: Assumption): Promise<readonly SweepRow[]> => {
    const asked = { ...question, ...termsUnder(assumption, question), vary };
    const input = {
      id: file,
      use: <T>(work: (one: OpenedSession, own?: ContextProfile) => Promise<T>) => work(session, profile),
    };
    for await (const { result } of sweepAll([input], asked, runner, listener)) {
      if (result instanceof Error) throw result;
      return Array.from(result, (row): SweepRow => JSON.parse(row));
    }
    return [];
  };
  const replays: Partial<Record<Assumption, Replays>> = {};
  for (const assumption of assumptionsOf(question, by)) {
    const [current] = await rows([], assumption);
    if (current === undefined) return "no-figure";
    replays[assumption] = { current, swept: await rows(question.vary, assumption) };
  }
  const asSet = replays["as-set"];
  if (asSet === undefined || [asSet.current, ...asSet.swept].some((row) => figureOf(row, by) === null))
    return "no-figure";
  return { file, project: project ?? "", replays: { ...replays, "as-set": asSet } };
}

/** How many replays that takes for one session. */
export function advisedReplays(points: number, question: Omit<SweepQuestion, "vary">, by: AdvisedBy): number {
  return (points + 1) * assumptionsOf(question, by).length;
}

/** What the question leaves open. */
function assumptionsOf(
  { settings = {}, vary, ttl }: Partial<Pick<SweepQuestion, "settings" | "vary" | "ttl">>,
  by: AdvisedBy,
) {
  const isSized = Object.hasOwn(settings, "summaryTokens") || vary?.some(({ key }) => key === "summaryTokens") === true;
  return ASSUMPTIONS.filter((assumption) => {
    if (Object.hasOwn(RECORDED_SUMMARIES, assumption)) return !isSized;
    return assumption === "as-set" || (by === "cost" && ttl === undefined);
  });
}

function termsUnder(assumption: Assumption, { settings }: Pick<SweepQuestion, "settings">): Partial<SweepQuestion> {
  switch (assumption) {
    case "as-set":
      return {};
    case "5m":
    case "1h":
      return { ttl: assumption };
    default:
      return { settings: { ...settings, summaryTokens: RECORDED_SUMMARIES[assumption] } };
  }
}
