import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type {
  IndexingEvent,
  IndexingRequest,
  SessionAnswer,
  SessionPage,
  SessionRow,
  SourceEntry,
} from "@/lib/api/contract";
import type { ContextProfile } from "@/lib/core/context/profile";
import { entriesOf } from "@/lib/core/prices/prices";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import { CachedRunner } from "./cache/cached-runner";
import { DiskCache } from "./cache/disk-cache";
import { Catalog } from "./catalog/catalog";
import { type ChoicesQuery, choicesOf } from "./catalog/choices";
import { Databases } from "./catalog/databases";
import { type CatalogEntry, partsOf, UPLOADS } from "./catalog/entries";
import { type FacetsQuery, facetsOf } from "./catalog/facets";
import { failedFiles } from "./catalog/failed-files";
import { FolderWatch } from "./catalog/folder-watch";
import type { IndexColumns } from "./catalog/index-columns";
import { Indexer } from "./catalog/indexer";
import { type Progress, SessionList } from "./catalog/list";
import type { Listed } from "./catalog/list-filter";
import type { ListQuery } from "./catalog/list-query";
import { inputsAround, relationsOf } from "./catalog/opened-relations";
import { relatedRows, rowOf } from "./catalog/session-list";
import { sourcesOf } from "./catalog/sources";
import { findStores } from "./catalog/stores";
import { configFrom, type ServerConfig } from "./config";
import { HttpError } from "./http/http-error";
import { isInputError } from "./ingest/input-error";
import { versionKey } from "./ingest/source-file";
import { Insights } from "./insights/insights";
import { type InsightsQuery, overviewOf } from "./insights/overview";
import type { IndexTask, Jobs } from "./jobs/jobs";
import { handlersOf, openJobs } from "./jobs/open-jobs";
import { makerOf } from "./made-by";
import { policiesOf } from "./policies/policy-folder";
import { ownPricesText, usablePrices } from "./prices";
import { type ChosenProfile, type ProfileScope, ProfileStore, type ProfileSubject } from "./profiles/profile-store";
import type { AccuracyChoice } from "./session/accuracy";
import type { OpenedSession } from "./session/opened-session";
import { SessionStore } from "./session/session-store";
import { endpointOf } from "./summarizer/endpoint";
import { Summarizer } from "./summarizer/summarizer";
import { summariesFolder } from "./summarizer/summary-store";
import { PoolRunner } from "./threads/pool";
import { RightOfWay } from "./threads/right-of-way";
import type { HeadTask, IngestAnswer, Lane, TaskRunner } from "./threads/tasks";
import { type Incoming, UploadStore } from "./uploads/upload-store";

/** The list of sessions, and who learns what it shows. */
interface KeptList {
  readonly list: SessionList;
  readonly indexer: Indexer;
  readonly jobs: Jobs;
}

/** How many jobs of a queue this process does at a time, and how long a job waits before it looks again whether somebody waits for a thread. */
const OWN_JOBS = 2;
const YIELD_MS = 40;

/** Everything that the HTTP API answers from. There is one per process. */
export class AppServer {
  readonly config: ServerConfig;
  readonly catalog: Catalog;
  readonly store: SessionStore;
  readonly uploads: UploadStore;
  readonly profiles: ProfileStore;
  /** Where real summaries come from; absent unless the user named an endpoint. */
  readonly summarizer: Summarizer | undefined;
  readonly insights: Insights;
  /** Changes with the build. It is part of entity tags, since another build may read the same file differently. */
  readonly build: string;
  /** Answers that are under way: sweeps stand still meanwhile. */
  readonly rightOfWay = new RightOfWay();
  /** The threads of each lane. */
  readonly #pools: Readonly<Record<Lane, PoolRunner>>;
  /** The same, for sessions that are opened: what was opened before is on disk. */
  readonly #runners: Readonly<Record<Lane, CachedRunner>>;
  readonly #watch: FolderWatch;
  #kept: Promise<KeptList> | undefined;
  /** The same once it is there. */
  #opened: KeptList | undefined;

  constructor(config: ServerConfig) {
    this.config = config;
    this.uploads = new UploadStore(join(config.dataDir, "uploads"), config.maxUploadBytes);
    this.profiles = new ProfileStore(join(config.dataDir, "profiles"));
    this.summarizer =
      config.summarizer && new Summarizer(endpointOf(config.summarizer), summariesFolder(config), config.env);
    const policies = () => this.policies();
    const asked = new PoolRunner(config.root, { policies });
    const background = new PoolRunner(config.root, { background: true, rightOfWay: this.rightOfWay, policies });
    const databases = new Databases((path) => background.database({ path }));
    const watch = new FolderWatch({ say });
    this.catalog = new Catalog(sourcesOf(config), this.uploads, () => findStores(config), databases, Date.now, watch);
    this.#watch = watch;
    this.#pools = { asked, background };
    const folder = join(config.dataDir, "opened");
    const opened = new DiskCache(folder, config.cacheBytes);
    let maker: string | undefined;
    const madeBy = () => (maker ??= makerOf(config.root, ownPricesText()));
    const kept = (runner: PoolRunner) => new CachedRunner(runner, opened, madeBy);
    this.#runners = { asked: kept(asked), background: kept(background) };
    const learn = (entry: CatalogEntry, answer: IngestAnswer) => this.#opened?.indexer.learn(entry, answer);
    this.store = new SessionStore(this.#runners, learn, config.indexText);
    this.insights = new Insights({
      list: () => this.#listed(),
      reading: () => this.progress(),
      entry: (id) => this.catalog.get(id),
      ...{ profiles: this.profiles, pool: background, runner: this.#runners.background, answers: opened },
      kept: () => ({ folder, maxBytes: config.cacheBytes, madeBy: madeBy() }),
    });
    this.catalog.listen({
      found: async (entries) => {
        const { list, indexer } = await this.#keep();
        await list.index.found(entries);
        // Whether samples are listed is known when all folders were walked.
        indexer.want(entries.filter(({ kind }) => kind !== "samples"));
      },
      walked: async (entries) => {
        const { list, indexer } = await this.#keep();
        await list.index.keepOnly(this.catalog.sourceIds, entries);
        indexer.rest();
        this.#wantSamples(indexer, entries);
      },
      gone: async (ids, entries) => {
        const { list, indexer } = await this.#keep();
        indexer.drop(ids);
        await list.index.settled();
        await list.index.gone(ids);
        indexer.rest();
        this.#wantSamples(indexer, entries);
      },
    });
    this.build = buildOf(config.root);
    // What cannot be cleaned up now is cleaned up at the next start.
    void this.uploads.removeStale(Date.now()).catch(() => undefined);
  }

  /** Policies of one's own, as their files are now. They run in threads alone. */
  policies(): readonly OwnSource[] {
    return policiesOf(this.config.env);
  }

  /** Whether a policy is somebody's own: what can be chosen of it is found out in a thread. */
  isOwnPolicy(id: string): boolean {
    return this.policies().some((policy) => policy.id === id);
  }

  /** Samples are listed, and so read, only where there is nothing else, or for who asks for them. */
  #wantSamples(indexer: Indexer, entries: ReadonlyMap<string, CatalogEntry>): void {
    const all = [...entries.values()];
    if (all.every(({ kind }) => kind === "samples")) indexer.want(all);
  }

  /** One page of the session list, as JSON; what is not known yet is learnt in the background. Rejects with `HttpError`. */
  async list(query: ListQuery): Promise<Uint8Array<ArrayBuffer>> {
    const { list, indexer } = await this.#keep();
    await this.catalog.refresh(list.hasRows);
    if (query.where.some((one) => one.startsWith("sample"))) {
      indexer.want(this.catalog.all().filter(({ kind }) => kind === "samples"));
    }
    return list.page(query, (ids) => indexer.hurry(ids));
  }

  /** Sums over the sessions of the list, as JSON. Rejects with `HttpError`. */
  async facets(query: FacetsQuery): Promise<Uint8Array<ArrayBuffer>> {
    const { list } = await this.#keep();
    await this.catalog.refresh(list.hasRows);
    const sums = async (listed: Listed) => JSON.stringify(await facetsOf(list.columns, listed, query));
    return list.answer({ facets: query }, sums);
  }

  /** What the list can be narrowed to, as JSON. Rejects with `HttpError`. */
  async choices(query: ChoicesQuery): Promise<Uint8Array<ArrayBuffer>> {
    const { list } = await this.#keep();
    await this.catalog.refresh(list.hasRows);
    const choices = async (listed: Listed) => JSON.stringify(await choicesOf(list.columns, listed, query));
    return list.answer({ choices: query }, choices);
  }

  /** Sums and distributions over sessions of the list, as JSON. Rejects with `HttpError`. */
  async overview(query: InsightsQuery): Promise<Uint8Array<ArrayBuffer>> {
    const { list } = await this.#keep();
    await this.catalog.refresh(list.hasRows);
    return list.answer({ overview: query }, async (listed) =>
      JSON.stringify(await overviewOf(list.columns, listed, query)),
    );
  }

  /** The index as it is now, and what of it is listed. */
  async #listed(): Promise<{ readonly columns: IndexColumns; readonly listed: Listed }> {
    const { list } = await this.#keep();
    await this.catalog.refresh(list.hasRows);
    return { columns: list.columns, listed: list.listed };
  }

  /** The list, opened when it is first needed. */
  #keep(): Promise<KeptList> {
    this.#kept ??= this.#openList();
    return this.#kept;
  }

  async #openList(): Promise<KeptList> {
    const { root, dataDir, env, indexText: text } = this.config;
    const address = env.CONTEXT_REPLAY_DATABASE || undefined;
    const basis = `${text}\0${ownPricesText()}`;
    // What was learnt of their sessions is looked for by their ids.
    await this.catalog.lookForDatabases();
    const list = await SessionList.open(this.catalog, { root, dataDir, address, basis, say });
    const madeBy = makerOf(root, ownPricesText());
    const { asked, background } = this.#pools;
    const handlers = handlersOf(background);
    const mayBegin = async () => {
      while (!asked.idle) await delay(YIELD_MS);
    };
    const jobs = await openJobs({ address, madeBy, say }, handlers, { atOnce: OWN_JOBS, mayBegin });
    const worker = {
      ...{ atOnce: jobs.atOnce, opensLarge: address === undefined, text },
      isAsked: () => !asked.idle,
      head: (task: HeadTask) => asked.head(task),
      index: (task: IndexTask) => jobs.run("index", task).catch((error) => handlers.index(hereOnly(task, error))),
    };
    const indexer = new Indexer(worker, list.index, (entry) => this.store.open(entry, "background"));
    this.#opened = { list, indexer, jobs };
    return this.#opened;
  }

  /** The relations of a session, whether it is listed or one of those in a file. */
  async #kinOf(entry: CatalogEntry, session: OpenedSession): Promise<Pick<SessionRow, "related" | "repeatedRequests">> {
    const { list } = await this.#keep();
    const row = this.catalog.has(entry.id) ? await list.row(entry.id) : undefined;
    if (row !== undefined) return row;
    const { of, titleOf } = relationsOf(inputsAround(entry, session, await list.index.kinship.inputs()));
    return relatedRows(of(entry.id), (id) => titleOf(id) ?? "");
  }

  /** Where sessions are looked for, with what could not be read there. */
  async sources(): Promise<SourceEntry[]> {
    const { list } = await this.#keep();
    const sources = await this.catalog.sources();
    const failed = await failedFiles(list.index.database, this.catalog.sourceIds);
    const told = sources.map((source) => ({ ...source, ...failed.get(source.id) }));
    // The data folder's own source is that of uploads.
    const unwritten = { problems: [{ code: "unwritten" as const, path: "" }], problemsTotal: 1 };
    return told.map((source) =>
      source.id === UPLOADS && list.index.isUnwritten ? { ...source, ...unwritten } : source,
    );
  }

  /** How far the background is with reading files, without the rate, which depends on who looks. */
  async progress(): Promise<Progress & Pick<IndexingEvent, "stopped" | "revision">> {
    const { list, indexer } = await this.#keep();
    return { ...list.progress(), stopped: indexer.isStopped, revision: list.index.generation };
  }

  /** Looks for what has changed in the folders, if it is time. */
  async lookAround(): Promise<void> {
    const { list } = await this.#keep();
    await this.catalog.refresh(list.hasRows);
  }

  /** Stops the reading of files in the background, resumes it, or begins it anew. */
  async steerIndexing(action: IndexingRequest["action"]): Promise<void> {
    const { list, indexer } = await this.#keep();
    if (action === "stop") return indexer.stop();
    if (action === "again") {
      await list.index.readAgain();
      indexer.want(this.catalog.known());
    }
    indexer.resume();
  }

  /** The progress of the background. */
  indexing(): SessionPage["indexing"] {
    return this.#opened?.list.indexing() ?? { done: 0, total: 0 };
  }

  /** The session with this id, after reading it. Rejects with `InputError`. */
  async open(id: string, lane: Lane = "asked"): Promise<OpenedSession> {
    return this.store.open(await this.catalog.get(id), lane);
  }

  /**
   * The session in a version that the caller has already been told about, if that is still held, else as its file is now. Rejects with `InputError`.
   */
  async openAt(id: string, version: string | null): Promise<OpenedSession> {
    return (version === null ? undefined : this.store.held(id, version)) ?? this.open(id);
  }

  /**
   * A session's row with its summary and the estimators' accuracy. Rejects with `InputError` and `UnknownEstimatorError`.
   * @param at the version that is asked about, if it is still held; else the present one is
   */
  async session(id: string, accuracy: AccuracyChoice = "sizes", at: string | null = null): Promise<SessionAnswer> {
    const entry = await this.catalog.get(id);
    const held = at === null ? undefined : this.store.held(id, at);
    const session = held ?? (await this.store.open(entry));
    const { list } = await this.#keep();
    const { related, repeatedRequests } = await this.#kinOf(entry, session);
    const row = rowOf(entry, {
      ...{ kin: { related, repeatedRequests }, projectOf: list.index.projectOf },
      indexed: { summary: session.summary, sparkline: session.sparkline, error: null },
    });
    const prices = entriesOf(session.columns.tables.models, usablePrices());
    const summary = { ...session.summary, accuracy: await session.accuracy(accuracy) };
    const version = held === undefined || at === null ? versionKey(entry.version) : at;
    return { ...row, summary, version, prices };
  }

  /** The session, and the context profile that is in force for it. Rejects with `InputError`. */
  async openWithProfile(
    id: string,
    lane: Lane = "asked",
  ): Promise<{ readonly session: OpenedSession; readonly profile: ContextProfile | undefined }> {
    const session = await this.open(id, lane);
    return { session, profile: (await this.profileOf(id, session))?.profile };
  }

  /** The context profile in force for a session; `undefined` where none was chosen. */
  profileOf(id: string, session: OpenedSession): Promise<ChosenProfile | undefined> {
    return this.profiles.chosen(subjectOf(id, session));
  }

  /** Puts a context profile in force for the session, or for its project or agent. Rejects with `HttpError`. */
  chooseProfile(id: string, session: OpenedSession, scope: ProfileScope, profile: string | null): Promise<void> {
    return this.profiles.choose(scope, subjectOf(id, session), profile);
  }

  /** Stores a file and lists it. Rejects with `HttpError`. */
  async upload(incoming: Incoming): Promise<{ entry: CatalogEntry; existed: boolean }> {
    const { existed, ...stored } = await this.uploads.receive(incoming);
    const entry = this.catalog.addUpload(stored);
    const { list } = await this.#keep();
    await list.index.found([entry]);
    list.renew();
    return { entry, existed };
  }

  /** Removes an upload; files in mounted folders are never touched. Rejects with `InputError` and `HttpError`. */
  async removeUpload(id: string): Promise<void> {
    const { id: own, path, sha256 } = await this.catalog.get(id);
    if (sha256 === undefined)
      throw new HttpError(403, "Only uploads can be removed here; this session is a file of yours.");
    await this.uploads.remove(sha256);
    await this.#runners.asked.forget(path);
    this.catalog.dropUpload(id);
    const { list, indexer } = await this.#keep();
    await list.index.forget(partsOf(own).file);
    list.renew();
    indexer.rest();
  }

  /** Does the heavy work that nobody waits for, piece by piece. */
  get background(): TaskRunner {
    return this.#runners.background;
  }

  /** Ends the background work and the threads. */
  async close(): Promise<void> {
    this.#watch.close();
    const kept = await this.#kept;
    kept?.indexer.close();
    await kept?.jobs.close();
    await Promise.all(Object.values(this.#runners).map((runner) => runner.close()));
    await kept?.list.close();
  }
}

/** Tells a sentence to the person who started the program. */
function say(sentence: string): void {
  process.stderr.write(`context-replay: ${sentence}\n`);
}

/** The task again, for this process, where another one's machine does not have the file or may not read it. Throws any other error. */
function hereOnly(task: IndexTask, error: unknown): IndexTask {
  if (isInputError(error) && (error.code === "not-found" || error.code === "no-permission")) return task;
  throw error;
}

function subjectOf(id: string, { summary }: OpenedSession): ProfileSubject {
  return { session: id, project: summary.project, agent: summary.agent };
}

/** The pages and every API route are separate bundles with their own copies of modules; through this symbol they share one server. */
const PLACE = Symbol.for("context-replay.server");
const shared: typeof globalThis & { [PLACE]?: AppServer } = globalThis;

/** The process's server, made from its environment when it is first asked for. */
export function getServer(): AppServer {
  shared[PLACE] ??= new AppServer(configFrom(process.env));
  return shared[PLACE];
}

/** Ends the process's server, if there is one. */
export async function closeServer(): Promise<void> {
  await shared[PLACE]?.close();
  delete shared[PLACE];
}

/** When the program was built. */
function buildOf(root: string): string {
  return Math.round(statSync(join(root, "dist", "worker.mjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0).toString(36);
}
