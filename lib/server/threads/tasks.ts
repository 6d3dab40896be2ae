import type { StoredSession } from "@/lib/agents/shared/session-database";
import type { AdviceTask } from "@/lib/core/advice/adviser";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import type { RequestKeys } from "@/lib/core/columns/request-keys";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { ContextProfile } from "@/lib/core/context/profile";
import type { Recording } from "@/lib/core/context/recording";
import type { StandingOverhead } from "@/lib/core/context/standing";
import type { PriceEntry } from "@/lib/core/prices/model";
import type { RefetchBoundary } from "@/lib/core/refetch/boundaries";
import type { Ledger } from "@/lib/core/refetch/ledger";
import type { CheckedInvariant } from "@/lib/policy-check/check-policy";
import type { ReplayRequest, SessionSummary, Sparkline } from "@/lib/queries/contract/schemas";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import type { WhatIf } from "@/lib/queries/replays/recommendation";
import type { ReplayMetrics, ReplaysQuestion, ReplaysUnder } from "@/lib/queries/replays/session-replays";
import type { PointRange, SweepPlan } from "@/lib/queries/replays/sweep";
import type { WrittenPoints } from "@/lib/queries/replays/swept-rows";
import type { IndexedText } from "../base/config";
import type { Counters } from "../base/counters";
import type { InputError } from "../base/input-error";
import type { BroughtPolicies } from "../policies/own-policies";
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
import { policiesOf, type SessionQuestion } from "./session-questions";

/** Reads a file as it is now. */
export interface IngestTask extends AskedChecks {
  readonly path: string;
  /** Name shown in the summary and in sentences; by default the last part of the path. */
  readonly name?: string;
  /** Leaves the columns out, since a list needs only the summary. */
  readonly summaryOnly?: boolean;
  /** The format to read it as; if absent, the content decides. */
  readonly format?: string | undefined;
  /** Key or id of the session to read, if the file holds several. */
  readonly session?: string | undefined;
  /** Adds what the index keeps, with this much of what is said. */
  readonly indexed?: IndexedText | undefined;
  /** Whether the file may be written to: then the thread that has read it reads it on. */
  readonly growing?: boolean;
  /** Counts it by its agent's own estimator too, unless it is so large that nobody waits for that. */
  readonly counted?: boolean;
}

/** Lists the sessions of an agent's database. */
export interface DatabaseTask {
  readonly path: string;
}

/** Looks at a file's first lines. */
export interface HeadTask {
  readonly path: string;
}

export interface IngestAnswer {
  readonly version: FileVersion;
  readonly summary: SessionSummary;
  readonly sparkline: Sparkline;
  readonly requestKeys: RequestKeys;
  /** Encoded columns, with tokens by the agent's own estimator where these were counted; empty where the columns were left out. */
  readonly columns: Uint8Array<ArrayBuffer>;
  /** Where the texts of the columns' rows are; without rows where the columns were left out. */
  readonly places: ItemPlaces;
  /** What the agent's own report said beyond the file, where that cannot be asked again: in a bundle. */
  readonly reported?: StandingOverhead;
  /** Only where it was asked for. */
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

/** Looks through the texts of a version for what was needed again after some boundaries. */
export interface LedgerTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly boundaries: readonly RefetchBoundary[];
  /** Whether they are the recorded ones. */
  readonly isRecording: boolean;
  /** Tokens of every row. */
  readonly sizes: Int32Array;
  /** Texts to score as summaries of one boundary, by its place in the list. */
  readonly said?: { readonly number: number; readonly texts: readonly string[] } | undefined;
}

/** Loads the texts of items of a version. Their places are known, so the rest of the file is not read. */
export interface ItemsTask extends Pick<ItemRange, "from" | "maxChars"> {
  readonly path: string;
  readonly version: FileVersion;
  /** The format that the version was read as. */
  readonly format: string;
  /** The items from `from` on. */
  readonly items: readonly PlacedItem[];
  /** Whether likely secrets are to be masked; each item then tells where. The answer is `MaskedItem`s. */
  readonly masked?: true;
  /** Whether the first of them is wanted as a picture: the answer is then its payload alone, empty where it has none. */
  readonly picture?: true;
}

/** Looks for a text in all texts of a version, whatever its case. */
export interface SearchTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly query: string;
}

/** Replays some points of a sweep over a recording that was already read: no file is touched. */
export interface SweepTask extends PointRange {
  readonly plan: SweepPlan;
  readonly recording: Recording;
  /** Name of the recording's file, without folders. */
  readonly file: string;
  /** Prices of the session's models, and of the one that was asked for. */
  readonly prices: Readonly<Record<string, PriceEntry>>;
  readonly costTerms: CostTerms;
}

/** Loads the texts of the items at a compaction. */
export interface ContextTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly items: readonly WantedItem[];
  /** The policy whose texts and prompt are wanted; none if absent. */
  readonly policy: string | undefined;
  readonly preset: string;
  /** Settings in force. */
  readonly settings: Settings;
  /** Whether the policy's prompt is wanted, or only what it leaves of texts. */
  readonly asks: boolean;
}

/** A question to be answered in a thread, with the session as it is held here. */
export interface SessionQuestionTask {
  readonly path: string;
  readonly read: IngestAnswer;
  readonly question: SessionQuestion;
  readonly profile?: ContextProfile | undefined;
  /** Prices of the session's models, and of those that were asked for. */
  readonly prices: Readonly<Record<string, PriceEntry>>;
}

/** What is asked of every session of a selection: one policy with a setting varied, or several policies. */
export type AskedOfEach =
  | { readonly kind: "sweep"; readonly question: ReplaysQuestion }
  | { readonly kind: "policies"; readonly runs: readonly ReplayRequest[] };

/** The policies that are asked about. */
export function policiesIn(asked: AskedOfEach): readonly string[] {
  const runs = asked.kind === "sweep" ? [asked.question] : asked.runs;
  return runs.map(({ policy }) => policy);
}

/** One session of many, to be read where no column of it is kept, and replayed. */
export interface SessionReplaysTask {
  readonly path: string;
  /** How many requests with usage it begins with that other sessions count: figures are of those behind them. */
  readonly inherited?: number | undefined;
  /** By default the last part of the path. */
  readonly name?: string | undefined;
  readonly format?: string | undefined;
  readonly session?: string | undefined;
  /** Gives the overhead that the file does not hold. */
  readonly profile?: ContextProfile | undefined;
  readonly asked: AskedOfEach;
  /** A file of the user's own prices, in place of the usual one. */
  readonly pricesFile?: string | undefined;
  /** Where sessions that were opened are kept. */
  readonly kept?: KeptOnDisk | undefined;
}

export interface KeptOnDisk {
  readonly folder: string;
  readonly maxBytes: Bytes;
  /** Identifies the code that made what is kept. */
  readonly madeBy: string;
}

/** Why a session is not replayed. */
export type NotReplayed = "other-agent" | "no-requests" | "copy";

export interface SessionReplays {
  readonly facts: Pick<SessionSummary, "file" | "sessionId" | "agent" | "project" | "requests">;
  readonly notReplayed?: NotReplayed | undefined;
  /** Of a sweep. */
  readonly replays?: ReplaysUnder;
  /** Window that the policy of a sweep worked with. */
  readonly window?: Tokens;
  readonly whatIf?: WhatIf;
  /** Of policies, in their order. */
  readonly runs?: readonly ReplayMetrics[];
}

/** A policy to be tried on random sessions. */
interface PolicyCheckTask {
  readonly policy: string;
  readonly seed: number;
}

/** The heavy work on files, by name: what each task is given and what it answers. A task needs no more than an entry here and a method of `LocalRunner`. */
interface Tasks {
  /** Rejects with `InputError`. */
  ingest: { readonly input: IngestTask; readonly answer: IngestAnswer };
  /** Reads no more than the file's beginning, and nothing of a packed file. Rejects with `InputError`. */
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
  /** Draws sessions again. The kind says which answer it is. */
  advice: { readonly input: AdviceTask; readonly answer: unknown };
  /** Answers a question that names a policy of somebody's own, which runs in threads alone. The kind says which answer it is. */
  question: { readonly input: SessionQuestionTask; readonly answer: unknown };
  /** Tries on random sessions what has to hold for every policy. Rejects with `PolicyError`. */
  checkPolicy: { readonly input: PolicyCheckTask; readonly answer: readonly CheckedInvariant[] };
}

export type TaskName = keyof Tasks;
export type Input<Name extends TaskName> = Tasks[Name]["input"];
export type Answer<Name extends TaskName> = Tasks[Name]["answer"];

/** Functions that do some of the tasks. */
export type SomeWork = { readonly [Name in TaskName]?: (input: Input<Name>) => Promise<Answer<Name>> };

/**
 * The threads for a task: those for work of moments, those for work that takes longer the larger the file is or the more points there are, the one that has read
 * the file before and knows where it ended, or any of those that read files.
 */
export type Threads = "moments" | "long" | "any reader" | { readonly readerOf: string };

interface Scheduling<Name extends TaskName> {
  /** By default those for long work. */
  readonly threads?: (input: Input<Name>, isBackground: boolean) => Threads;
  /** The policies that it names: their sources are sent along where they are somebody's own. */
  readonly policies?: (input: Input<Name>) => readonly string[];
  /** Memory of the answer that is moved to the asking thread; the rest is copied. */
  readonly moved?: (answer: Answer<Name>) => readonly ArrayBufferLike[];
}

const whereRead = ({ path, version }: Pick<CountTask, "path" | "version">): Threads =>
  mayGrow(version) ? { readerOf: path } : "long";

/** Where tasks are done and what goes along with them, for those that differ from the rest. */
export const SCHEDULING: { readonly [Name in TaskName]?: Scheduling<Name> } = {
  ingest: {
    threads: ({ path, summaryOnly, indexed, growing }, isBackground) => {
      const isListed = isBackground && summaryOnly === true && indexed !== undefined;
      return isListed || growing === true ? { readerOf: path } : "long";
    },
    moved: ({ columns, places }) => [columns.buffer, ...placesMemory(places)],
  },
  // In the background by a thread that reads files: another thread would take some 40 MB for what takes a millisecond.
  head: { threads: (_task, isBackground) => (isBackground ? "any reader" : "moments") },
  // The thread may keep the tokens for when the file has grown, so they are copied.
  count: { threads: whereRead },
  measure: { threads: whereRead },
  items: {
    // Looking for secrets takes longer than what is shown may wait for.
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
  question: { policies: ({ question }) => policiesOf(question) },
  checkPolicy: { policies: ({ policy }) => [policy] },
};

/** A task as it is sent to a thread, with the policies of somebody's own that it names. */
export interface PostedTask<Name extends TaskName> {
  readonly name: Name;
  readonly input: Input<Name>;
  readonly own?: BroughtPolicies;
}

/** The answer of a thread. Errors cross threads as values, since a thrown one loses its class on the way. */
export interface PostedAnswer<Name extends TaskName> {
  readonly value?: Answer<Name>;
  readonly refusal?: Pick<InputError, "code" | "message" | "formats" | "program">;
  readonly badChoice?: BadChoice;
  /** Work done by this task. */
  readonly work: Counters;
}

/** Does tasks: in a worker thread or, for a single file on the command line, in the main one. */
export interface TaskRunner {
  /** @param signal ends the task, and the thread that works for it */
  run<Name extends TaskName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Answer<Name>>;
  /** Counts by several estimators in one pass over the texts; absent where each is counted by itself. Rejects with `InputError`. */
  countAll?(task: CountAllTask): Promise<Readonly<Record<string, Int32Array>>>;
  /** True where one of the policies is somebody's own: then only `run` may answer a question that names it. */
  runsApart?(policies: readonly string[]): boolean;
  close(): Promise<void>;
}

/** Who waits for work: `asked` if a person at a page or another program waits for its answer, `background` if nobody waits for this piece. */
export type Lane = "asked" | "background";

/** The runner that does the work of each lane. */
export type Runners = Readonly<Record<Lane, TaskRunner>>;
