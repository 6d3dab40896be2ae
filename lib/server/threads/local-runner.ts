import { basename } from "node:path";
import { readerOf, serverProfileOf } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import type { StoredSession } from "@/lib/agents/shared/session-database";
import { assert, assertDefined } from "@/lib/core/base/assert";
import { encodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { requestKeys } from "@/lib/core/columns/request-keys";
import { sizeTokenColumn, tokenColumn, withTokenColumn } from "@/lib/core/columns/token-columns";
import type { WrittenBy } from "@/lib/core/context/recording";
import { pricesOfModels } from "@/lib/core/prices/prices";
import type { RefetchIndexBuilder } from "@/lib/core/refetch/index-builder";
import { type Ledger, ledgerOf } from "@/lib/core/refetch/ledger";
import { refetchMeasures, replayIndex } from "@/lib/core/refetch/replay-index";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import type { Transcript } from "@/lib/core/transcript/model";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { sparklineOf, summarise } from "@/lib/queries/boundaries/summarise";
import type { ItemsAnswer } from "@/lib/queries/contract/schemas";
import { costOfSummary } from "@/lib/queries/cost/cost";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { sweepRange } from "@/lib/queries/replays/sweep";
import { type WrittenPoints, writtenPoints } from "@/lib/queries/replays/swept-rows";
import { counters } from "../base/counters";
import { withinTokens } from "../base/input-error";
import { usablePrices } from "../base/prices";
import { withAgentDatabase } from "../read/agent-database";
import { isBundle, noTextsError } from "../read/bundle/is-bundle";
import type { Bundles } from "../read/bundle/read-bundle";
import { CompactionFiles } from "../read/compaction-files";
import { fileSessions } from "../read/file-sessions";
import { type HeadFacts, headFacts } from "../read/head";
import type { AccuracySource } from "../read/numbers/accuracy";
import { countingPass, MAX_COUNTED_AT_ONCE, measuringPass, TOKENS } from "../read/numbers/count-items";
import { CountedRows } from "../read/numbers/counted-rows";
import { estimatorOf } from "../read/numbers/estimators";
import type { FidelitySource } from "../read/numbers/fidelity";
import { indexFacts } from "../read/numbers/index-facts";
import type { MeasuresByPolicy } from "../read/numbers/measures";
import { measuresOf, OUTPUTS, REFETCH_MEASURE } from "../read/numbers/measures";
import { type OwnNumbers, ownNumbers, ownRules } from "../read/numbers/own-numbers";
import { refetchesOf, refetchPass, resultTextOf } from "../read/numbers/refetches";
import { requestPlaces } from "../read/numbers/request-places";
import { asksTexts, withChecks } from "../read/numbers/summary-checks";
import { type OpenTranscript, OpenTranscripts } from "../read/read-transcript";
import { SessionFiles } from "../read/session-files";
import { type FileVersion, SourceFile, versionKey } from "../read/source-file";
import { type ContextTexts, contextTexts } from "../read/texts/context-messages";
import { eachMessageOf } from "../read/texts/each-message";
import { loadImage } from "../read/texts/image";
import { itemPlaces, NO_PLACES } from "../read/texts/item-places";
import { loadItems } from "../read/texts/load-items";
import { maskedItems } from "../read/texts/masked-items";
import { outputsPass } from "../read/texts/outputs";
import { searchText } from "../read/texts/search-text";
import { sentTextsOf } from "../read/texts/sent-texts";
import { shellCommands } from "../read/texts/shell-commands";
import { type FoundRows, TextSearch } from "../read/texts/text-search";
import { wasteTexts } from "../read/texts/waste-texts";
import { windowsBeside } from "../read/windows-beside";
import type { BackgroundYield } from "./answer-priority";
import type {
  Answer,
  ContextTask,
  CountAllTask,
  CountTask,
  DatabaseTask,
  HeadTask,
  IngestAnswer,
  IngestTask,
  Input,
  ItemsTask,
  LedgerTask,
  MeasureTask,
  SearchTask,
  SomeWork,
  SweepTask,
  TaskName,
  TaskRunner,
} from "./tasks";

export class LocalRunner implements TaskRunner {
  readonly #files = new SessionFiles();
  readonly #open = new OpenTranscripts();
  readonly #callFiles = new CompactionFiles(this.#files);
  readonly #counted = new CountedRows<undefined>();
  readonly #measured = new CountedRows<MessageMeasures>();
  readonly #search = new TextSearch();
  #bundles: Promise<Bundles> | undefined;
  readonly #yield: BackgroundYield | undefined;
  readonly #further: SomeWork;

  /**
   * @param backgroundYield is called between two replays of a sweep, to yield to answers; without it a sweep never
   * pauses
   * @param further tasks that build on opened sessions
   */
  constructor(backgroundYield?: BackgroundYield, further: SomeWork = {}) {
    this.#yield = backgroundYield;
    this.#further = further;
  }

  async run<Name extends TaskName>(name: Name, input: Input<Name>): Promise<Answer<Name>> {
    return assertDefined(this.#further[name]?.(input) ?? (this as SomeWork)[name]?.(input), "a task that is done here");
  }

  async ingest(task: IngestTask): Promise<IngestAnswer> {
    const { path, name = basename(path), summaryOnly = false, format, session, indexed } = task;
    // Texts of a session that is only indexed are read at most once more: see `indexFacts`.
    const isBrief = indexed !== undefined && summaryOnly;
    const keep = (transcript: Transcript) => !isBrief || asksTexts(transcript);
    const opened = await this.#files.use(
      path,
      (file) => {
        if (format === undefined && isBundle(file)) return undefined;
        const as = format ?? file.storedAs;
        const open = this.#open.read(path, file, { name, format: as, session }, keep);
        return {
          ...open,
          sessions: fileSessions(file, open.transcript, open.version.session, { name, format: as }),
          text: indexed === undefined ? "" : searchText(file, open.reader, open.transcript, indexed),
        };
      },
      name,
    );
    if (opened === undefined) return this.#ofBundle(task);
    const { transcript, version, sessions, text } = opened;
    const columns = await this.#callFiles.withCalls(path, opened, version.session !== undefined);
    const summarised = summarise(transcript, name, await windowsBeside(path, transcript));
    // Refuses a session with more tokens than columns hold.
    withinTokens(name, () => sizeTokenColumn(columns, "bytes-4"));
    const costs = costOfSummary(summarised, columns, usablePrices());
    const summary = { ...summarised, ...costs, fileSessions: sessions };
    // All index queries of the texts are computed in one pass; a growing file continues the counts of its earlier part.
    const isOneOff = indexed !== undefined && opened.reading === undefined && asksTexts(transcript);
    const own = isOneOff ? this.#own(path, opened, summary) : undefined;
    const texts = (all: SourceFile) => {
      const file = all.asOf(version);
      const grows = opened.reading !== undefined;
      return {
        commands: shellCommands(file, opened.reader, transcript, columns),
        waste: wasteTexts({ ...opened, file }, columns, grows),
      };
    };
    const read = { version, summary, columns, ...this.#numbersOf(path, name, version, columns, own) };
    const places = requestPlaces(transcript, columns);
    const facts = indexed !== undefined && {
      facts: await indexFacts({ ...read, ...(await this.#files.use(path, texts, name)), requestPlaces: places }, text),
    };
    const answer = { ...(await answerOf(read, task)), ...facts };
    if (isBrief) this.#open.forget(path, version);
    return summaryOnly ? answer : { ...answer, places: itemPlaces(transcript) };
  }

  /** As `ingest`, for a bundle, which holds its own index facts. */
  async #ofBundle(task: IngestTask): Promise<IngestAnswer> {
    const { path, name = basename(path), indexed } = task;
    const { bundleSummary, reportedBy, indexFactsOf } = await import("../read/bundle/read-bundle");
    const bundles = await this.#openBundles();
    const { bundle, version } = await this.#files.use(path, (file) => bundles.open(file, name), name);
    const { columns, header } = bundle;
    const summary = bundleSummary(bundle, name);
    const read = { version, summary, columns, ...this.#numbersOf(path, name, version, columns) };
    const facts = indexed === undefined ? {} : { facts: { ...(await indexFacts(read, "")), ...indexFactsOf(header) } };
    return { ...(await answerOf(read, task)), ...facts, reported: reportedBy(header) };
  }

  /** Readers of bundles, which are rare, are loaded on first use: loading takes longer than reading a small recording. */
  #openBundles(): Promise<Bundles> {
    this.#bundles ??= import("../read/bundle/read-bundle").then(({ Bundles }) => new Bundles(this.#files));
    return this.#bundles;
  }

  /** Own numbers of a file that was just read, by its agent's rules, in one pass over it on first use. */
  #own(path: string, { version, columns: _, ...open }: OpenTranscript, session: WrittenBy): () => Promise<OwnNumbers> {
    let numbers: Promise<OwnNumbers> | undefined;
    const made = async () => {
      const rules = await ownRules(session);
      return this.#files.use(path, (file) => ownNumbers({ file: file.asOf(version), ...open }, rules));
    };
    return () => (numbers ??= made());
  }

  /**
   * Token columns and measures of a file that was just read; each token column is counted once.
   * @param own data from texts by the agent's rules, if it is known or will be
   */
  #numbersOf(
    path: string,
    name: string,
    version: FileVersion,
    columns: SessionColumns,
    own?: () => Promise<OwnNumbers>,
  ) {
    const found = new Map<string, Promise<Int32Array>>();
    const count = async (estimator: string): Promise<Int32Array> => {
      if (isSizeEstimator(estimator)) return withinTokens(name, () => sizeTokenColumn(columns, estimator));
      const perItem = (await own?.())?.tokens.get(estimator) ?? (await this.count({ path, version, estimator }));
      return withinTokens(name, () => tokenColumn(columns, perItem));
    };
    return {
      isCounted: (estimator: string): boolean => found.has(estimator),
      tokens: (estimator: string): Promise<Int32Array> => {
        const tokens = found.get(estimator) ?? count(estimator);
        found.set(estimator, tokens);
        return tokens;
      },
      columnsFor: async (policy: string): Promise<SessionColumns> => ({
        ...columns,
        measures:
          (await own?.())?.measures.get(policy) ??
          (await this.measure({ path, version, policies: [policy] }))[policy] ??
          {},
      }),
      ledger: async (asked: Pick<LedgerTask, "boundaries" | "isRecording" | "sizes">): Promise<Ledger> => {
        const numbers = await own?.();
        if (numbers === undefined) return this.ledger({ path, version, ...asked });
        return ledgerOf(columns, numbers.needs.finish(), asked.boundaries, asked.sizes, asked.isRecording);
      },
    };
  }

  async database({ path }: DatabaseTask): Promise<readonly StoredSession[]> {
    return withAgentDatabase(path, ({ rules, query }) => [...rules.sessions(query)]);
  }

  async head({ path }: HeadTask): Promise<HeadFacts> {
    return SourceFile.use(path, headFacts);
  }

  async count({ estimator, ...of }: CountTask): Promise<Int32Array> {
    const { [estimator]: tokens } = await this.countAll({ ...of, estimators: [estimator] });
    return assertDefined(tokens, "the tokens that were counted");
  }

  async countAll({ path, version, estimators }: CountAllTask): Promise<Readonly<Record<string, Int32Array>>> {
    if (version.isBundle) {
      const bundles = await this.#openBundles();
      return entriesBy(estimators, (estimator) => bundles.tokens(path, version, estimator));
    }
    const rules = await entriesBy(estimators, estimatorOf);
    return this.#files.use(path, (file) => {
      const open = this.#open.at(path, file, version);
      const begun = Object.entries(rules).map(([estimator, rule]) => {
        const key = `${estimator} ${path}`;
        const { known } = this.#counted.begin(key, open, () => undefined);
        return { estimator, key, from: known.rows, pass: countingPass(open.transcript, rule, known) };
      });
      eachMessageOf({ file, ...open }, begun);
      const counted = begun.map(({ estimator, key, pass }) => {
        const tokens = pass.result();
        this.#counted.keep(key, open, undefined, { [TOKENS]: tokens });
        return [estimator, tokens] as const;
      });
      return Object.fromEntries(counted);
    });
  }

  async measure({ path, version, policies }: MeasureTask): Promise<MeasuresByPolicy> {
    if (version.isBundle) return (await this.#openBundles()).measures(path, version, policies);
    const rules = new Map<string, MessageMeasures>();
    for (const policy of policies) {
      const rule = await measuresOf(policy);
      if (rule !== undefined) rules.set(policy, rule);
    }
    const asksRefetches = policies.includes(REFETCH_MEASURE);
    const asksOutputs = policies.includes(OUTPUTS);
    const resultText = asksRefetches ? await this.#resultText(path, version) : undefined;
    return this.#files.use(path, (file) => {
      const open = this.#open.at(path, file, version);
      const { transcript } = open;
      const begun = Array.from(rules, ([policy, newRule]) => {
        const key = `${policy} ${path}`;
        const { rule, known } = this.#measured.begin(key, open, () => newRule);
        return { policy, key, rule, from: known.rows, pass: measuringPass(transcript, rule, known) };
      });
      const needs = asksRefetches ? [{ from: 0, pass: refetchPass(transcript, resultText) }] : [];
      const outputs = asksOutputs ? [{ from: 0, pass: outputsPass(transcript) }] : [];
      eachMessageOf({ file, ...open }, [...begun, ...needs, ...outputs]);
      const measured = begun.map(({ policy, key, rule, pass }) => {
        const numbers = pass.result();
        this.#measured.keep(key, open, rule, numbers);
        return [policy, { ...numbers }] as const;
      });
      const index = needs[0]?.pass.result().finish();
      const needed = index === undefined || index.unknown !== undefined ? {} : refetchMeasures(replayIndex(index));
      return {
        ...Object.fromEntries(measured),
        ...(asksRefetches && { [REFETCH_MEASURE]: needed }),
        ...(asksOutputs && { [OUTPUTS]: outputs[0]?.pass.result() ?? {} }),
      };
    });
  }

  async ledger({ path, version, boundaries, isRecording, sizes, scored }: LedgerTask): Promise<Ledger> {
    if (version.isBundle) throw noTextsError(path, "re-fetched content cannot be named");
    const builder = await this.#needs(path, version, isRecording || scored !== undefined);
    const named = scored && { number: scored.number, texts: scored.texts.map((text) => builder.namesIn(text)) };
    const { columns } = await this.#files.use(path, (file) => this.#open.at(path, file, version));
    return ledgerOf(columns, builder.finish(), boundaries, sizes, isRecording, named);
  }

  async #needs(path: string, version: FileVersion, hasNames = false): Promise<RefetchIndexBuilder> {
    const resultText = await this.#resultText(path, version);
    return this.#files.use(path, (file) =>
      refetchesOf({ file, ...this.#open.at(path, file, version) }, resultText, hasNames),
    );
  }

  async #resultText(path: string, version: FileVersion): ReturnType<typeof resultTextOf> {
    return await this.#files.use(path, (file) => resultTextOf(this.#open.at(path, file, version).transcript.agent));
  }

  async context({ path, version, items, policy, preset, settings, asks }: ContextTask): Promise<ContextTexts> {
    if (version.isBundle) throw noTextsError(path, "there is no text of a compaction");
    const rule = policy === undefined || !asks ? undefined : await serverProfileOf(policy)?.summaryPrompt?.();
    const texts = policy === undefined ? {} : await sentTextsOf(policy, preset, settings);
    return this.#files.use(path, (file) =>
      contextTexts({ file, ...this.#open.at(path, file, version) }, items, { preset, settings, rule, texts }),
    );
  }

  async items({ path, version, format, items, image, masked, ...shown }: ItemsTask): Promise<Uint8Array<ArrayBuffer>> {
    const reader = readerOf(format);
    assert(reader !== undefined, "a format that a file was read as");
    if (image === true) return this.#files.use(path, (file) => loadImage(file.asOf(version), reader, items[0]));
    const loaded = await this.#files.use(path, (file) => loadItems(file.asOf(version), reader, items, shown));
    const answered = masked === true ? await maskedItems(loaded) : loaded;
    const answer: ItemsAnswer = { from: shown.from, to: shown.from + loaded.length, items: [...answered] };
    return new TextEncoder().encode(JSON.stringify(answer));
  }

  async search({ path, version, query }: SearchTask): Promise<FoundRows> {
    if (version.isBundle) throw noTextsError(path, "there is nothing to search in");
    return this.#files.use(path, (file) => {
      const open = this.#open.at(path, file, version);
      return this.#search.find(`${versionKey(version)} ${path}`, { file, ...open }, query);
    });
  }

  async sweep({ plan, file, recording, prices, costTerms, ...range }: SweepTask): Promise<WrittenPoints> {
    const costs = new ReplayCosts(recording, pricesOfModels(prices), costTerms);
    return writtenPoints(
      file,
      sweepRange(plan, recording, costs, range, () => this.#yield?.yieldToAnswers()),
      plan.spent,
    );
  }

  async close(): Promise<void> {
    this.#files.close();
  }
}

/** A session that was just read, with its numbers. */
interface JustRead extends AccuracySource, FidelitySource {
  readonly version: FileVersion;
  /** True if these tokens were requested before. */
  readonly isCounted: (estimator: string) => boolean;
}

/** The answer to a task that has read a file, without optional parts. */
async function answerOf(read: JustRead, task: IngestTask): Promise<IngestAnswer> {
  const { version, summary, columns, tokens, isCounted } = read;
  const own = ownEstimator(summary);
  const withOwn = isCounted(own) || (task.counted === true && version.bytes <= MAX_COUNTED_AT_ONCE);
  const encoded = async () => {
    counters.columnsEncoded += 1;
    return encodeColumns(withOwn ? withTokenColumn(columns, own, await tokens(own)) : columns);
  };
  return {
    version,
    summary: await withChecks(read, task),
    requestKeys: requestKeys(columns),
    sparkline: sparklineOf(columns, summary.contextWindow.tokens),
    columns: task.summaryOnly ? new Uint8Array(0) : await encoded(),
    places: NO_PLACES,
  };
}

/** All results for each name. */
async function entriesBy<T>(names: readonly string[], find: (name: string) => Promise<T>): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await find(name)] as const)));
}
