import type { StoredSession } from "@/lib/agents/shared/session-database";
import type { AdviceTask } from "@/lib/core/advice/adviser";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import type { RequestKeys } from "@/lib/core/columns/request-keys";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { ContextOverhead } from "@/lib/core/context/context-overhead";
import type { ContextProfile } from "@/lib/core/context/profile";
import type { Recording } from "@/lib/core/context/recording";
import type { PriceEntry } from "@/lib/core/prices/model";
import type { RefetchBoundary } from "@/lib/core/refetch/boundaries";
import type { Ledger } from "@/lib/core/refetch/ledger";
import type { CheckedInvariant } from "@/lib/policy-check/check-policy";
import type { ReplayRequest, SessionSummary, Sparkline } from "@/lib/queries/contract/schemas";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import type { WhatIf } from "@/lib/queries/replays/recommendation";
import type { ReplayMetrics, ReplaysQuery, ReplaysUnder } from "@/lib/queries/replays/session-replays";
import type { PointRange, SweepPlan } from "@/lib/queries/replays/sweep";
import type { WrittenPoints } from "@/lib/queries/replays/swept-rows";
import type { IndexedText } from "../base/config";
import type { Counters } from "../base/counters";
import type { InputError } from "../base/input-error";
import type { TaskPolicies } from "../policies/own-policies";
import type { HeadFacts } from "../read/head";
import type { IndexFacts } from "../read/numbers/index-facts";
import type { MeasuresByPolicy } from "../read/numbers/measures";
import type { AskedChecks } from "../read/numbers/summary-checks";
import { type FileVersion, mayGrow } from "../read/source-file";
import type { ContextTexts, WantedItem } from "../read/texts/context-messages";
import { type ItemPlaces, type PlacedItem, placesMemory } from "../read/texts/item-places";
import type { ItemRange } from "../read/texts/load-items";
import type { FoundRows } from "../read/texts/text-search";
import type { BadChoice } from "./bad-choice";
import { policiesOf, type ThreadQuery } from "./thread-queries";

/** Reads the current file. */
export interface IngestTask extends AskedChecks {
  readonly path: string;
  /** Name shown in the summary and in sentences; by default the last part of the path. */
  readonly name?: string;
  /** Omits the columns, since a list needs only the summary. */
  readonly summaryOnly?: boolean;
  /** The format of the file; default: detected from its content. */
  readonly format?: string | undefined;
  /** Key or id of the session to read, if the file holds several. */
  readonly session?: string | undefined;
  /** Adds the index facts, with these searched words. */
  readonly indexed?: IndexedText | undefined;
  /** True if the file may grow: then the same thread continues its reading. */
  readonly growing?: boolean;
  /** Counts it by its agent's own estimator too, unless it is too large to wait for. */
  readonly counted?: boolean;
}

/** Lists the sessions of an agent's database. */
export interface DatabaseTask {
  readonly path: string;
}

/** Reads a file's first lines. */
export interface HeadTask {
  readonly path: string;
}

export interface IngestAnswer {
  readonly version: FileVersion;
  readonly summary: SessionSummary;
  readonly sparkline: Sparkline;
  readonly requestKeys: RequestKeys;
  /** Encoded columns, with tokens by the agent's own estimator if they were counted; empty if the columns were omitted. */
  readonly columns: Uint8Array<ArrayBuffer>;
  /** Positions of the rows' texts; without rows if the columns were omitted. */
  readonly places: ItemPlaces;
  /** The agent's own report of its overhead, for a bundle, from which it cannot be computed. */
  readonly reported?: ContextOverhead;
  /** Only on request. */
  readonly facts?: IndexFacts;
}

/** Counts every item of a version under one estimator. */
export interface CountTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly estimator: string;
}

/** Counts every item of a version under several estimators. */
export interface CountAllTask extends Omit<CountTask, "estimator"> {
  readonly estimators: readonly string[];
}

/** Measures every item of a version for some policies, in one pass over its texts. */
export interface MeasureTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly policies: readonly string[];
}

/** Searches the texts of a version for re-fetches after some boundaries. */
export interface LedgerTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly boundaries: readonly RefetchBoundary[];
  /** True for the recorded ones. */
  readonly isRecording: boolean;
  /** Tokens of every row. */
  readonly sizes: Int32Array;
  /** Texts to score as summaries of one boundary, by its index in the list. */
  readonly scored?: { readonly number: number; readonly texts: readonly string[] } | undefined;
}

/** Loads the texts of items of a version. Their positions are known, so the rest of the file is not read. */
export interface ItemsTask extends Pick<ItemRange, "from" | "maxChars"> {
  readonly path: string;
  readonly version: FileVersion;
  /** The format in which the version was read. */
  readonly format: string;
  /** The items from `from` on. */
  readonly items: readonly PlacedItem[];
  /** True to mask likely secrets; each item then has the mask positions. The answer is `MaskedItem`s. */
  readonly masked?: true;
  /** True for the first item as an image: the answer is then its payload alone, empty without one. */
  readonly image?: true;
}

/** Searches all texts of a version, ignoring case. */
export interface SearchTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly query: string;
}

/** Replays some points of a sweep over a loaded recording: no file is read. */
export interface SweepTask extends PointRange {
  readonly plan: SweepPlan;
  readonly recording: Recording;
  /** Name of the recording's file, without folders. */
  readonly file: string;
  /** Prices of the session's models, and of the requested one. */
  readonly prices: Readonly<Record<string, PriceEntry>>;
  readonly costTerms: CostTerms;
}

/** Loads the texts of the items at a compaction. */
export interface ContextTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly items: readonly WantedItem[];
  /** The policy of the texts and prompt; default: none. */
  readonly policy: string | undefined;
  readonly preset: string;
  /** Settings in force. */
  readonly settings: Settings;
  /** True for the policy's prompt, false for its texts alone. */
  readonly asks: boolean;
}

/** A query for a thread, with the session as held here. */
export interface QueryTask {
  readonly path: string;
  readonly read: IngestAnswer;
  readonly query: ThreadQuery;
  readonly profile?: ContextProfile | undefined;
  /** Prices of the session's models, and of the requested ones. */
  readonly prices: Readonly<Record<string, PriceEntry>>;
}

/** The query for every session of a selection: one policy with a setting varied, or several policies. */
export type AskedOfEach =
  | { readonly kind: "sweep"; readonly query: ReplaysQuery }
  | { readonly kind: "policies"; readonly runs: readonly ReplayRequest[] };

/** The queried policies. */
export function policiesIn(asked: AskedOfEach): readonly string[] {
  const runs = asked.kind === "sweep" ? [asked.query] : asked.runs;
  return runs.map(({ policy }) => policy);
}

/** One session of many, to replay, and to read if no column of it is cached. */
export interface SessionReplaysTask {
  readonly path: string;
  /** Number of leading requests with usage that other sessions count: metrics cover the later ones. */
  readonly inherited?: number | undefined;
  /** Default: the last part of the path. */
  readonly name?: string | undefined;
  readonly format?: string | undefined;
  readonly session?: string | undefined;
  /** Overhead that the file does not hold. */
  readonly profile?: ContextProfile | undefined;
  readonly asked: AskedOfEach;
  /** A price file of the user, in place of the usual one. */
  readonly pricesFile?: string | undefined;
  /** Cache of opened sessions. */
  readonly kept?: KeptOnDisk | undefined;
}

export interface KeptOnDisk {
  readonly folder: string;
  readonly maxBytes: Bytes;
  /** Identifies the code that made the cached data. */
  readonly madeBy: string;
}

/** Reason why a session is not replayed. */
export type NotReplayed = "other-agent" | "no-requests" | "copy";

export interface SessionReplays {
  readonly facts: Pick<SessionSummary, "file" | "sessionId" | "agent" | "project" | "requests">;
  readonly notReplayed?: NotReplayed | undefined;
  /** For a sweep. */
  readonly replays?: ReplaysUnder;
  /** Window of the swept policy. */
  readonly window?: Tokens;
  readonly whatIf?: WhatIf;
  /** For policies, in order. */
  readonly runs?: readonly ReplayMetrics[];
}

/** A policy to check on generated sessions. */
interface PolicyCheckTask {
  readonly policy: string;
  readonly seed: number;
}

/** Heavy work on files by name: input and answer of each task. A task needs only an entry here and a method of `LocalRunner`. */
interface Tasks {
  /** Rejects with `InputError`. */
  ingest: { readonly input: IngestTask; readonly answer: IngestAnswer };
  /** Reads only the file's beginning, and nothing of a packed file. Rejects with `InputError`. */
  head: { readonly input: HeadTask; readonly answer: HeadFacts };
  /** Rejects with `InputError`. */
  database: { readonly input: DatabaseTask; readonly answer: readonly StoredSession[] };
  /** Tokens of every row; the inferred overhead row is 0. Rejects with `InputError`. */
  count: { readonly input: CountTask; readonly answer: Int32Array };
  /** Rejects with `InputError`. */
  measure: { readonly input: MeasureTask; readonly answer: MeasuresByPolicy };
  /** Rejects with `InputError`. */
  ledger: { readonly input: LedgerTask; readonly answer: Ledger };
  /** The answer as JSON in UTF-8, since the caller only passes it on. Rejects with `InputError`. */
  items: { readonly input: ItemsTask; readonly answer: Uint8Array<ArrayBuffer> };
  /** Rejects with `InputError`. */
  search: { readonly input: SearchTask; readonly answer: FoundRows };
  /** Rejects with `InputError`. */
  context: { readonly input: ContextTask; readonly answer: ContextTexts };
  /** Rejects with `ChoiceError` and `SettingError`. */
  sweep: { readonly input: SweepTask; readonly answer: WrittenPoints };
  /** Replays one session of many; it is read and counted by the same thread. Rejects with `InputError`, `ChoiceError` and `SettingError`. */
  replays: { readonly input: SessionReplaysTask; readonly answer: SessionReplays };
  /** Resamples sessions. The kind decides the answer's type. */
  advice: { readonly input: AdviceTask; readonly answer: unknown };
  /** Answers a query that names a user's policy, which runs only in threads. The kind decides the answer's type. */
  query: { readonly input: QueryTask; readonly answer: unknown };
  /** Checks a policy's invariants on generated sessions. Rejects with `PolicyError`. */
  checkPolicy: { readonly input: PolicyCheckTask; readonly answer: readonly CheckedInvariant[] };
}

export type TaskName = keyof Tasks;
export type Input<Name extends TaskName> = Tasks[Name]["input"];
export type Answer<Name extends TaskName> = Tasks[Name]["answer"];

export type SomeWork = { readonly [Name in TaskName]?: (input: Input<Name>) => Promise<Answer<Name>> };

/**
 * The threads for a task: for short work (`moments`), for work that grows with the file or the number of points (`long`), any thread that reads
 * files, or the one that has read this file before and can continue.
 */
export type Threads = "moments" | "long" | "any reader" | { readonly readerOf: string };

interface Scheduling<Name extends TaskName> {
  /** Default: those for long work. */
  readonly threads?: (input: Input<Name>, isBackground: boolean) => Threads;
  /** The policies that it names: sources of users' policies are sent along. */
  readonly policies?: (input: Input<Name>) => readonly string[];
  /** Memory of the answer that is moved to the calling thread; the rest is copied. */
  readonly moved?: (answer: Answer<Name>) => readonly ArrayBufferLike[];
}

const whereRead = ({ path, version }: Pick<CountTask, "path" | "version">): Threads =>
  mayGrow(version) ? { readerOf: path } : "long";

/** Threads and extra data of tasks that differ from the default. */
export const SCHEDULING: { readonly [Name in TaskName]?: Scheduling<Name> } = {
  ingest: {
    threads: ({ path, summaryOnly, indexed, growing }, isBackground) => {
      const isListed = isBackground && summaryOnly === true && indexed !== undefined;
      return isListed || growing === true ? { readerOf: path } : "long";
    },
    moved: ({ columns, places }) => [columns.buffer, ...placesMemory(places)],
  },
  // In the background by a file-reading thread: another thread would take some 40 MB for a millisecond of work.
  head: { threads: (_task, isBackground) => (isBackground ? "any reader" : "moments") },
  // The thread may keep the tokens for when the file has grown, so they are copied.
  count: { threads: whereRead },
  measure: { threads: whereRead },
  items: {
    // Masking secrets takes too long for short work.
    threads: ({ masked }) => (masked === true ? "long" : "moments"),
    moved: (json) => [json.buffer],
  },
  // That thread holds the texts.
  search: { threads: ({ path }) => ({ readerOf: path }) },
  sweep: {
    policies: ({ plan }) => [plan.policy],
    moved: ({ tradeOff }) => tradeOff.map(({ buffer }) => buffer),
  },
  replays: { policies: ({ asked }) => policiesIn(asked) },
  query: { policies: ({ query }) => policiesOf(query) },
  checkPolicy: { policies: ({ policy }) => [policy] },
};

/** A task for a thread, with the users' policies that it names. */
export interface PostedTask<Name extends TaskName> {
  readonly name: Name;
  readonly input: Input<Name>;
  readonly own?: TaskPolicies;
}

/** The answer of a thread. Errors cross threads as values, since a thrown one loses its class on the way. */
export interface PostedAnswer<Name extends TaskName> {
  readonly value?: Answer<Name>;
  readonly refusal?: Pick<InputError, "code" | "message" | "formats" | "program">;
  readonly badChoice?: BadChoice;
  /** Work done by this task. */
  readonly work: Counters;
}

/** Runs tasks: in a worker thread or, for a single file on the command line, in the main one. */
export interface TaskRunner {
  /** @param signal ends the task, and the thread that works for it */
  run<Name extends TaskName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Answer<Name>>;
  /** Counts by several estimators in one pass over the texts; absent if each is counted separately. Rejects with `InputError`. */
  countAll?(task: CountAllTask): Promise<Readonly<Record<string, Int32Array>>>;
  /** True if one of these is a user's policy: then only `run` may answer a query that names it. */
  runsApart?(policies: readonly string[]): boolean;
  close(): Promise<void>;
}

/** Priority of work: `asked` if a client waits for its answer, `background` otherwise. */
export type Priority = "asked" | "background";

export type Runners = Readonly<Record<Priority, TaskRunner>>;
