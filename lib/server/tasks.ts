import { basename } from "node:path";
import { readerOf } from "@/lib/agents/readers";
import type { MessageMeasures } from "@/lib/agents/server-half";
import { serverHalfOf } from "@/lib/agents/server-halves";
import type { StoredSession } from "@/lib/agents/session-database";
import type { ItemsAnswer, SessionSummary, Sparkline } from "@/lib/api/contract";
import { assert } from "@/lib/core/base/assert";
import { encodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn, tokenColumn } from "@/lib/core/columns/token-columns";
import type { Settings } from "@/lib/core/compaction/settings/settings";
import type { ContextProfile } from "@/lib/core/context/profile";
import { type Recording, recordingOf } from "@/lib/core/context/recording";
import type { StandingOverhead } from "@/lib/core/context/standing";
import type { NeedBoundary } from "@/lib/core/needs/boundaries";
import type { NeedsIndexBuilder } from "@/lib/core/needs/index-builder";
import { type Ledger, ledgerOf } from "@/lib/core/needs/ledger";
import { needMeasures, replayIndex } from "@/lib/core/needs/replay-index";
import type { PriceEntry } from "@/lib/core/prices/model";
import { pricesOfModels } from "@/lib/core/prices/prices";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import type { Transcript } from "@/lib/core/transcript/model";
import { columnKeys, type RequestKeys, requestKeys } from "@/lib/core/transcript/request-keys";
import { costOfSummary } from "@/lib/questions/cost";
import type { CostTerms } from "@/lib/questions/cost-terms";
import { sessionResume } from "@/lib/questions/resume";
import { ReplayCosts } from "@/lib/questions/simulated-cost";
import { sparklineOf, summarise } from "@/lib/questions/summarise";
import { type PointRange, type SweepPlan, sweepRange } from "@/lib/questions/sweep";
import { type WrittenPoints, writtenPoints } from "@/lib/questions/swept-rows";
import {
  Bundles,
  bundleSummary,
  isBundle,
  needsTexts,
  type OpenBundle,
  reportedBy,
  toldOf,
} from "./bundle/read-bundle";
import { estimatorOf } from "./estimators";
import { type IndexFacts, indexFacts } from "./index-facts";
import { withAgentDatabase } from "./ingest/agent-database";
import { type ContextTexts, contextTexts, type WantedItem } from "./ingest/context-messages";
import { countItems, type KnownRows, measureItems, TOKENS } from "./ingest/count-items";
import { CountedRows } from "./ingest/counted-rows";
import { fileSessions } from "./ingest/file-sessions";
import { type HeadFacts, headFacts } from "./ingest/head";
import { withinTokens } from "./ingest/input-error";
import { type ItemPlaces, itemPlaces, NO_PLACES, type PlacedItem } from "./ingest/item-places";
import { type ItemRange, loadItems } from "./ingest/load-items";
import { loadPicture } from "./ingest/picture";
import { type IndexedText, searchText } from "./ingest/search-text";
import { SessionFiles } from "./ingest/session-files";
import { type FileVersion, SourceFile, versionKey } from "./ingest/source-file";
import { type FoundRows, TextSearch } from "./ingest/text-search";
import { measuresOf, NEEDS } from "./measures";
import { needsOf, resultTextOf } from "./needs";
import { OpenTranscripts } from "./open-transcripts";
import { usablePrices } from "./prices";
import type { GivingWay } from "./right-of-way";
import { sentTextsOf } from "./sent-texts";
import type { SessionQuestion } from "./session-questions";
import { type AskedChecks, withChecks } from "./summary-checks";

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
  /** Encoded columns without token columns; empty where they were left out. */
  readonly columns: Uint8Array;
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

/** Measures every item of a version for one policy. */
export interface MeasureTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly policy: string;
}

/** Looks through the texts of a version for what was needed again after some boundaries. */
export interface LedgerTask {
  readonly path: string;
  readonly version: FileVersion;
  readonly boundaries: readonly NeedBoundary[];
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

/** The heavy work on files. Runs in a worker thread or, for a single file on the command line, in the main one. */
export interface TaskRunner {
  /** Rejects with `InputError`. */
  ingest(task: IngestTask): Promise<IngestAnswer>;
  /** Reads no more than the file's beginning, and nothing of a packed file. Rejects with `InputError`. */
  head(task: HeadTask): Promise<HeadFacts>;
  /** Rejects with `InputError`. */
  database(task: DatabaseTask): Promise<readonly StoredSession[]>;
  /** Tokens of every row; the inferred overhead row is 0. Rejects with `InputError`. */
  count(task: CountTask): Promise<Int32Array>;
  /** The policy's measures of every row, by name; none where it asks for none. Rejects with `InputError`. */
  measure(task: MeasureTask): Promise<Record<string, Int32Array>>;
  /** Rejects with `InputError`. */
  ledger(task: LedgerTask): Promise<Ledger>;
  /** The answer as JSON in UTF-8, since the caller only passes it on. Rejects with `InputError`. */
  items(task: ItemsTask): Promise<Uint8Array<ArrayBuffer>>;
  /** Rejects with `InputError`. */
  search(task: SearchTask): Promise<FoundRows>;
  /** Rejects with `InputError`. */
  context(task: ContextTask): Promise<ContextTexts>;
  /** Rejects with `ChoiceError` and `SettingError`. */
  sweep(task: SweepTask): Promise<WrittenPoints>;
  /** Answers a question in a thread where that names a policy of somebody's own, which runs nowhere else; `undefined` where it names none. */
  question?(policies: readonly string[], task: () => SessionQuestionTask): Promise<unknown> | undefined;
  close(): Promise<void>;
}

/** Who waits for work: `asked` if a person at a page or another program waits for its answer, `background` if nobody waits for this piece. */
export type Lane = "asked" | "background";

/** The runner that does the work of each lane. */
export type Runners = Readonly<Record<Lane, TaskRunner>>;

/** Does the work in this thread. */
export class LocalRunner implements TaskRunner {
  readonly #files = new SessionFiles();
  readonly #open = new OpenTranscripts();
  readonly #counted = new CountedRows<undefined>();
  readonly #measured = new CountedRows<MessageMeasures>();
  readonly #search = new TextSearch();
  readonly #bundles = new Bundles(this.#files);
  readonly #way: GivingWay | undefined;

  /** @param way is asked between two replays of a sweep, to let answers go first; without it a sweep stands still for nobody */
  constructor(way?: GivingWay) {
    this.#way = way;
  }

  async ingest(task: IngestTask): Promise<IngestAnswer> {
    const { path, name = basename(path), summaryOnly = false, format, session, indexed } = task;
    // Of what is only indexed, texts are asked for once more at most: see `indexFacts`.
    const isBrief = indexed !== undefined && summaryOnly;
    const keep = ({ boundaries }: Transcript) => !isBrief || boundaries.some(({ kind }) => kind === "compaction");
    const opened = await this.#files.use(path, (file) => {
      if (format === undefined && isBundle(file)) return this.#bundles.open(file, name);
      const as = format ?? file.storedAs;
      const open = this.#open.read(path, file, { name, format: as, session }, keep);
      return {
        ...open,
        sessions: fileSessions(file, open.transcript, open.version.session, { name, format: as }),
        text: indexed === undefined ? "" : searchText(file, open.reader, open.transcript, indexed),
      };
    });
    if ("bundle" in opened) return this.#ofBundle(opened, task);
    const { transcript, columns, version, sessions, text } = opened;
    const summarised = summarise(transcript, name);
    const sizes = withinTokens(name, () => sizeTokenColumn(columns, "bytes-4"));
    const resume = sessionResume(recordingOf(summarised, { columns, tokens: sizes }));
    const costUsd = costOfSummary(summarised.agent, columns, usablePrices());
    const summary = { ...summarised, costUsd, fileSessions: sessions, resume };
    const read = { summary, columns, ...this.#numbersOf(path, name, version, columns) };
    const facts = indexed !== undefined ? { facts: await indexFacts(read, text) } : {};
    if (isBrief) this.#open.forget(path, version);
    return {
      version,
      summary: await withChecks(read, task),
      ...facts,
      requestKeys: requestKeys(transcript),
      sparkline: sparklineOf(columns, summary.contextWindow.tokens),
      columns: summaryOnly ? new Uint8Array(0) : encodeColumns(columns),
      places: summaryOnly ? NO_PLACES : itemPlaces(transcript),
    };
  }

  /** The same of a bundle, which says by itself what only texts can tell. */
  async #ofBundle({ bundle, version }: OpenBundle, task: IngestTask): Promise<IngestAnswer> {
    const { path, name = basename(path), summaryOnly = false, indexed } = task;
    const { columns, header } = bundle;
    const summary = bundleSummary(bundle, name);
    const read = { summary, columns, ...this.#numbersOf(path, name, version, columns) };
    const facts = indexed === undefined ? {} : { facts: { ...(await indexFacts(read, "")), ...toldOf(header) } };
    return {
      version,
      summary: await withChecks(read, task),
      ...facts,
      requestKeys: columnKeys(columns),
      sparkline: sparklineOf(columns, summary.contextWindow.tokens),
      columns: summaryOnly ? new Uint8Array(0) : encodeColumns(columns),
      places: NO_PLACES,
      reported: reportedBy(header),
    };
  }

  /** Token columns and measures of a file that was just read; each token column is counted once. */
  #numbersOf(path: string, name: string, version: FileVersion, columns: SessionColumns) {
    const counted = new Map<string, Promise<Int32Array>>();
    const count = async (estimator: string): Promise<Int32Array> => {
      if (isSizeEstimator(estimator)) return withinTokens(name, () => sizeTokenColumn(columns, estimator));
      const perItem = await this.count({ path, version, estimator });
      return withinTokens(name, () => tokenColumn(columns, perItem));
    };
    return {
      tokens: (estimator: string): Promise<Int32Array> => {
        const tokens = counted.get(estimator) ?? count(estimator);
        counted.set(estimator, tokens);
        return tokens;
      },
      columnsFor: async (policy: string): Promise<SessionColumns> => ({
        ...columns,
        measures: await this.measure({ path, version, policy }),
      }),
      ledger: (asked: Pick<LedgerTask, "boundaries" | "isRecording" | "sizes">): Promise<Ledger> =>
        this.ledger({ path, version, ...asked }),
    };
  }

  async database({ path }: DatabaseTask): Promise<readonly StoredSession[]> {
    return withAgentDatabase(path, ({ rules, query }) => [...rules.sessions(query)]);
  }

  async head({ path }: HeadTask): Promise<HeadFacts> {
    return SourceFile.use(path, headFacts);
  }

  async count({ path, version, estimator }: CountTask): Promise<Int32Array> {
    if (version.isBundle) return this.#bundles.tokens(path, version, estimator);
    const rule = await estimatorOf(estimator);
    const { [TOKENS]: tokens } = await this.#files.use(path, (file) => {
      const open = this.#open.at(path, file, version);
      const count = (_rule: undefined, known: KnownRows) => ({ [TOKENS]: countItems({ file, ...open }, rule, known) });
      return this.#counted.of(`${estimator} ${path}`, open, () => undefined, count);
    });
    assert(tokens !== undefined, "the tokens that were counted");
    return tokens;
  }

  async measure({ path, version, policy }: MeasureTask): Promise<Record<string, Int32Array>> {
    if (version.isBundle) return this.#bundles.measures(path, version, policy);
    if (policy === NEEDS) {
      const index = (await this.#needs(path, version)).finish();
      return index.unknown === undefined ? needMeasures(replayIndex(index)) : {};
    }
    const measures = await measuresOf(policy);
    if (measures === undefined) return {};
    return this.#files.use(path, (file) => {
      const open = this.#open.at(path, file, version);
      const measure = (rule: MessageMeasures, known: KnownRows) => measureItems({ file, ...open }, rule, known);
      return { ...this.#measured.of(`${policy} ${path}`, open, () => measures, measure) };
    });
  }

  async ledger({ path, version, boundaries, isRecording, sizes, said }: LedgerTask): Promise<Ledger> {
    if (version.isBundle) throw needsTexts(path, "it cannot be told by name what was needed again");
    const builder = await this.#needs(path, version, isRecording || said !== undefined);
    const there = said && { number: said.number, said: said.texts.map((text) => builder.said(text)) };
    const { columns } = await this.#files.use(path, (file) => this.#open.at(path, file, version));
    return ledgerOf(columns, builder.finish(), boundaries, sizes, isRecording, there);
  }

  async #needs(path: string, version: FileVersion, hasNames = false): Promise<NeedsIndexBuilder> {
    const resultText = await this.#files.use(path, (file) =>
      resultTextOf(this.#open.at(path, file, version).transcript.agent),
    );
    return this.#files.use(path, (file) =>
      needsOf({ file, ...this.#open.at(path, file, version) }, resultText, hasNames),
    );
  }

  async context({ path, version, items, policy, preset, settings, asks }: ContextTask): Promise<ContextTexts> {
    if (version.isBundle) throw needsTexts(path, "there is no text of a compaction");
    const rule = policy === undefined || !asks ? undefined : await serverHalfOf(policy)?.summaryPrompt?.();
    const texts = policy === undefined ? {} : await sentTextsOf(policy, preset, settings);
    return this.#files.use(path, (file) =>
      contextTexts({ file, ...this.#open.at(path, file, version) }, items, { preset, settings, rule, texts }),
    );
  }

  async items({ path, version, format, items, picture, ...shown }: ItemsTask): Promise<Uint8Array<ArrayBuffer>> {
    const reader = readerOf(format);
    assert(reader !== undefined, "a format that a file was read as");
    if (picture === true) return this.#files.use(path, (file) => loadPicture(file.asOf(version), reader, items[0]));
    const loaded = await this.#files.use(path, (file) => loadItems(file.asOf(version), reader, items, shown));
    const answer: ItemsAnswer = { from: shown.from, to: shown.from + loaded.length, items: loaded };
    return new TextEncoder().encode(JSON.stringify(answer));
  }

  async search({ path, version, query }: SearchTask): Promise<FoundRows> {
    if (version.isBundle) throw needsTexts(path, "there is nothing to search in");
    return this.#files.use(path, (file) => {
      const open = this.#open.at(path, file, version);
      return this.#search.find(`${versionKey(version)} ${path}`, { file, ...open }, query);
    });
  }

  async sweep({ plan, file, recording, prices, costTerms, ...range }: SweepTask): Promise<WrittenPoints> {
    const costs = new ReplayCosts(recording, pricesOfModels(prices), costTerms);
    return writtenPoints(
      file,
      sweepRange(plan, recording, costs, range, () => this.#way?.giveWay()),
      plan.spent,
    );
  }

  async close(): Promise<void> {
    this.#files.close();
  }
}
