/**
 * The package as a library: `import { open, replay } from "context-replay"`. docs/library.md shows its use; exports keep their meaning within a major
 * version.
 */
import { addPolicy, addReader, POLICIES, READERS } from "@/lib/agents/registry";
import type { EstimatorEntry } from "@/lib/agents/shared/server-profile";
import type { VaryRange } from "@/lib/core/analysis/grid";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import type { Reader } from "@/lib/core/transcript/reader";
import { compareSession, replaySession } from "@/lib/queries/answers/session-answers";
import { sweepAll } from "@/lib/queries/answers/sweep";
import type {
  CompareAnswer,
  CompareRun,
  ReplayRequest,
  ReplayResult,
  SessionSummary,
  SweepRow,
} from "@/lib/queries/contract/types";
import { VERSION } from "@/lib/server/base/version";
import { addEstimator, ESTIMATOR_IDS, requireEstimator } from "@/lib/server/read/numbers/estimators";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";

export type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyContext,
  PolicyRun,
} from "@/lib/core/compaction/policy/policy";
export type { SettingSpec, Settings, SettingValue } from "@/lib/core/compaction/policy/settings";
export type { SourceRecord } from "@/lib/core/records/fields";
export type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
export type { Reader, RecordParser } from "@/lib/core/transcript/reader";
export type { CompareAnswer, EstimatorEntry, ReplayRequest, ReplayResult, SessionSummary, SweepRow, VaryRange };

/** The version of the package. */
export const version: string = VERSION;

/** Options of reading a file. */
export interface OpenOptions {
  /** The file's format; default: detected from its content. */
  readonly format?: string;
  /** The session to read, if the file holds several; default: all of them. */
  readonly session?: string;
}

/** A loaded recording. It holds numbers and no text; texts stay in the file. */
export interface Session {
  readonly path: string;
  /** Output of `inspect` for it. */
  readonly summary: SessionSummary;
}

/** A replay request; the default estimator is that of the recording's own agent. */
export type ReplayChoice = ReplayRequest;

/** The same in a comparison, which may also use the best timing in hindsight. */
export type ComparedChoice = CompareRun;

/** A sweep request, over all values of one setting or two. */
export interface SweepChoice extends ReplayRequest {
  readonly vary: readonly VaryRange[];
}

const opened = new WeakMap<Session, OpenedSession>();

/** Reads a recording, in this thread. Rejects with an error named `InputError`, whose message is one sentence, if there is no session in the file. */
export async function open(path: string, options: OpenOptions = {}): Promise<Session> {
  const runner = new LocalRunner();
  const session = new OpenedSession(path, await runner.ingest({ path, ...options }), runner);
  const answer: Session = { path, summary: session.summary };
  opened.set(answer, session);
  return answer;
}

/** Replays a recording under a policy. Rejects with `ChoiceError`, `SettingError` or `UnknownEstimatorError` for an invalid choice. */
export function replay(session: Session, choice: ReplayChoice): Promise<ReplayResult> {
  return replaySession(openedOf(session), choice);
}

/** Replays a recording under two to six policies, and returns their differences. Rejects as `replay`. */
export function compare(session: Session, choices: readonly ComparedChoice[]): Promise<CompareAnswer> {
  return compareSession(openedOf(session), { runs: [...choices] });
}

/** The rows of a sweep, in the order of the points. Rejects as `replay`. */
export async function sweep(session: Session, choice: SweepChoice): Promise<readonly SweepRow[]> {
  const of = openedOf(session);
  const input = { id: session.path, use: <T>(work: (session: OpenedSession) => Promise<T>) => work(of) };
  const rows: SweepRow[] = [];
  for await (const { result } of sweepAll([input], choice, new LocalRunner())) {
    if (result instanceof Error) throw result;
    // This program wrote the rows, so their type is known.
    for (const row of result) rows.push(JSON.parse(row) as SweepRow);
  }
  return rows;
}

/** A registry by id, of built-in and added entries. */
export interface Registry<T> {
  /** The ids, in registry order. */
  ids(): readonly string[];
  /** The entry of an id; `undefined` without one. */
  get(id: string): T | undefined;
  /** Registers one more, for this process. Throws if its id is taken. */
  add(one: T): void;
}

/** Compaction policies. */
export const policies: Registry<Policy> = {
  ids: () => POLICIES.map(({ id }) => id),
  get: (id) => POLICIES.find((policy) => policy.id === id),
  add: addPolicy,
};

/** Readers of recordings. A file is offered to them in this order. */
export const readers: Registry<Reader> = {
  ids: () => READERS.map(({ format }) => format),
  get: (id) => READERS.find(({ format }) => format === id),
  add: addReader,
};

/** Token rules, by id. Each is loaded on first use. */
export const estimators = {
  ids: (): readonly string[] => [...ESTIMATOR_IDS],
  get: (id: string): EstimatorEntry | undefined => (ESTIMATOR_IDS.includes(id) ? requireEstimator(id) : undefined),
  /** Registers one more, for this process. Throws if its id is taken. */
  add: addEstimator,
};

function openedOf(session: Session): OpenedSession {
  const of = opened.get(session);
  if (of === undefined) throw new TypeError("Only what open() has answered can be asked.");
  return of;
}
