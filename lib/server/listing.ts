import { setTimeout as delay } from "node:timers/promises";
import type {
  IndexingEvent,
  IndexingRequest,
  SessionPage,
  SessionRow,
  SourceEntry,
} from "@/lib/queries/contract/schemas";
import { byCost, subagentPart } from "@/lib/queries/wire/subagent-part";
import { readApplied } from "./agent-settings/applied-settings";
import type { ServerConfig } from "./base/config";
import { isInputError } from "./base/input-error";
import { makerOf } from "./base/made-by";
import { ownPricesText } from "./base/prices";
import { say } from "./base/say";
import { type OutcomeQuery, outcomesOf } from "./insights/outcome";
import { type InsightsQuery, overviewOf } from "./insights/overview";
import type { IndexTask, Jobs, Replaying } from "./jobs/jobs";
import { handlersOf, openJobs } from "./jobs/open-jobs";
import { type ChoicesQuery, choicesOf } from "./list/choices";
import { type FacetsQuery, facetsOf } from "./list/facets";
import type { Catalog } from "./list/files/catalog";
import { type CatalogEntry, partsOf, UPLOADS } from "./list/files/entries";
import { failedFiles } from "./list/index/failed-files";
import type { IndexColumns } from "./list/index/index-columns";
import { Indexer } from "./list/index/indexer";
import { type Kin, relatedRows, rowOf } from "./list/index/session-list";
import { type Progress, SessionList } from "./list/list";
import { type Listed, type ListFilter, matching } from "./list/list-filter";
import type { ListQuery } from "./list/list-query";
import { inputsAround, relationsOf, subagentsInFile } from "./sessions/opened-relations";
import type { OpenedSession } from "./sessions/opened-session";
import { DamagedError } from "./store/database/statement";
import type { PoolRunner } from "./threads/pool";
import type { HeadTask, IngestAnswer, KeptOnDisk, Priority } from "./threads/tasks";

/** The session list, and the background work that fills it. */
interface KeptList {
  readonly list: SessionList;
  readonly indexer: Indexer;
  readonly jobs: Jobs;
  readonly replaying: Replaying;
}

/** Number of parallel queue jobs in this process, and the delay before a job checks again for waiting clients. */
const OWN_JOBS = 2;
const YIELD_MS = 40;
/** Usual time between an upload and its opening. */
const OPENED_MS = 1500;

/** Inputs of a listing, and its workers. */
interface ListingPlace {
  readonly config: ServerConfig;
  readonly catalog: Catalog;
  readonly pools: Readonly<Record<Priority, PoolRunner>>;
  /** Reads a session whole while no client waits for a thread. */
  readonly open: (entry: CatalogEntry) => Promise<boolean>;
  /** Cache of opened sessions. */
  readonly kept: () => KeptOnDisk;
}

/** The listed sessions: stored in the index, read in the background, and queried together. */
export class Listing {
  readonly #place: ListingPlace;
  #kept: Promise<KeptList> | undefined;
  /** The list once it is open. */
  #opened: KeptList | undefined;

  constructor(place: ListingPlace) {
    this.#place = place;
    place.catalog.listen({
      found: async (entries) => {
        const { list, indexer } = await this.#keep();
        await list.index.found(entries);
        // A walk of all folders decides whether samples are listed.
        indexer.want(entries.filter(({ kind }) => kind !== "samples"));
      },
      walked: async (entries) => {
        const { list, indexer } = await this.#keep();
        await list.index.keepOnly(this.#place.catalog.sourceIds, entries);
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
  }

  /** Records the facts of an opened session. */
  addResult(entry: CatalogEntry, answer: IngestAnswer): void {
    this.#opened?.indexer.addResult(entry, answer);
  }

  /** One page of the session list, as JSON; unknown facts are read in the background. Rejects with `RefusedError`. */
  async list(query: ListQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list, indexer }) => {
      if (query.where.some((one) => one.startsWith("sample"))) {
        indexer.want(this.#place.catalog.all().filter(({ kind }) => kind === "samples"));
      }
      return list.page(query, (ids) => indexer.hurry(ids));
    });
  }

  /** Sums over listed sessions, as JSON. Rejects with `RefusedError`. */
  async facets(query: FacetsQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list }) =>
      list.answer({ facets: query }, async (listed) => JSON.stringify(await facetsOf(list.columns, listed, query))),
    );
  }

  /** Number of matching sessions. Rejects with `RefusedError`. */
  async count(filter: ListFilter): Promise<number> {
    return this.#onList(async ({ list }) => (await matching(list.columns, list.listed, filter)).length);
  }

  /** Values that can narrow the list, as JSON. Rejects with `RefusedError`. */
  async choices(query: ChoicesQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list }) =>
      list.answer({ choices: query }, async (listed) => JSON.stringify(await choicesOf(list.columns, listed, query))),
    );
  }

  /** Sums and distributions over listed sessions, as JSON. Rejects with `RefusedError`. */
  async overview(query: InsightsQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list }) =>
      list.answer({ overview: query }, async (listed) => JSON.stringify(await overviewOf(list.columns, listed, query))),
    );
  }

  /** Applied settings with the sessions before and after each, as JSON. Rejects with `RefusedError`. */
  async outcome(query: OutcomeQuery): Promise<Uint8Array<ArrayBuffer>> {
    const applied = readApplied(this.#place.config.dataDir);
    return this.#onList(({ list }) =>
      list.answer({ outcome: query, applied }, async (listed) =>
        JSON.stringify(await outcomesOf(list.columns, listed, applied, query)),
      ),
    );
  }

  /** The current index, and its listed part. */
  async listed(): Promise<{ readonly columns: IndexColumns; readonly listed: Listed }> {
    const { list } = await this.#lookedAround();
    return { columns: list.columns, listed: list.listed };
  }

  /** Does work on the list; repeats it on a new index if the present one is damaged. */
  async #onList<T>(work: (kept: KeptList) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#lookedAround());
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      return work(await this.#lookedAround());
    }
  }

  /** Closes a list with a damaged index, opens a new one, and lists and reads all files again. */
  async #renewed(damaged: KeptList): Promise<KeptList> {
    damaged.indexer.close();
    await damaged.jobs.close();
    await damaged.list.close();
    const kept = await this.#openList(true);
    await kept.list.index.found(this.#place.catalog.all());
    kept.indexer.want(this.#place.catalog.known());
    return kept;
  }

  /** The list, opened on first use. */
  #keep(): Promise<KeptList> {
    this.#kept ??= this.#openList();
    return this.#kept;
  }

  async #openList(afterDamage = false): Promise<KeptList> {
    const { root, dataDir, env, indexText: text } = this.#place.config;
    const address = env.CONTEXT_REPLAY_DATABASE || undefined;
    const basis = `${text}\0${ownPricesText()}`;
    // Facts of their sessions are looked up by id.
    await this.#place.catalog.lookForDatabases();
    const list = await SessionList.open(this.#place.catalog, { root, dataDir, address, basis, say }, afterDamage);
    const madeBy = makerOf(root, ownPricesText());
    const { asked, background } = this.#place.pools;
    const handlers = handlersOf(background, this.#place.kept);
    const mayBegin = async () => {
      while (!asked.idle) await delay(YIELD_MS);
    };
    const jobs = await openJobs({ address, madeBy, say }, handlers, { atOnce: OWN_JOBS, mayBegin });
    const worker = {
      atOnce: jobs.atOnce,
      opensLarge: address === undefined,
      text,
      isAsked: () => !asked.idle,
      // Reading beginnings yields like reading files: no client that requests a list or a session waits for them.
      head: (task: HeadTask) => background.run("head", task),
      index: (task: IndexTask) => jobs.run("index", task).catch((error) => handlers.index(hereOnly(task, error))),
    };
    const replaying: Replaying = {
      atOnce: jobs.atOnce,
      replays: (task, signal) =>
        jobs.run("replays", task, signal).catch((error) => handlers.replays(hereOnly(task, error), signal)),
    };
    const indexer = new Indexer(worker, list.index, this.#place.open);
    const kept = { list, indexer, jobs, replaying };
    this.#opened = kept;
    list.index.database.whenDamaged(() => {
      this.#kept = this.#renewed(kept);
      // The next caller gets the error.
      this.#kept.catch(() => undefined);
    });
    return kept;
  }

  /** Samples are listed, and so read, only without other sessions, or on request. */
  #wantSamples(indexer: Indexer, entries: ReadonlyMap<string, CatalogEntry>): void {
    const all = [...entries.values()];
    if (all.every(({ kind }) => kind === "samples")) indexer.want(all);
  }

  /** The row of an open session, listed or one of several in a file. */
  async rowOf(entry: CatalogEntry, session: OpenedSession): Promise<SessionRow> {
    const { related: others, repeatedRequests, bill } = await this.#kinOf(entry, session);
    const { list } = await this.#keep();
    const related = [...others, ...subagentsInFile(entry.id, session.summary, others)];
    return rowOf(entry, {
      kin: { related, repeatedRequests, bill },
      projectOf: list.index.projectOf,
      indexed: { summary: session.summary, sparkline: session.sparkline, error: null },
    });
  }

  /** A listed session's spending over all listed files; `null` if unknown. */
  async billOf(id: string): Promise<NonNullable<SessionRow["bill"]> | null> {
    const { list } = await this.#keep();
    return (await list.row(id))?.bill ?? null;
  }

  /** Costs of the subagents with files of their own that a listed session started, the most expensive first. */
  async subagentParts(id: string): Promise<ReturnType<typeof subagentPart>[]> {
    const { list } = await this.#keep();
    const started = ((await list.row(id))?.related ?? []).filter(({ kind }) => kind === "has-subagent");
    const rows = await Promise.all(started.map((one) => list.row(one.id)));
    return rows
      .flatMap((row) => (row?.bill == null ? [] : [subagentPart(row.id, row.title ?? row.name, row.bill)]))
      .sort(byCost);
  }

  /** The relations of a session, listed or one of several in a file. */
  async #kinOf(entry: CatalogEntry, session: OpenedSession): Promise<Kin> {
    const { list } = await this.#keep();
    const row = this.#place.catalog.has(entry.id) ? await list.row(entry.id) : undefined;
    if (row !== undefined) return row;
    const { of, titleOf } = relationsOf(inputsAround(entry, session, await list.index.kinship.inputs()));
    return relatedRows(of(entry.id), (id) => titleOf(id) ?? "");
  }

  /** Runner that replays listed sessions, here or in other workers of the database. */
  async replaying(): Promise<Replaying> {
    return (await this.#keep()).replaying;
  }

  /** The sources, with their unreadable paths. */
  async sources(): Promise<SourceEntry[]> {
    const { list } = await this.#keep();
    const sources = await this.#place.catalog.sources();
    const failed = await failedFiles(list.index.database, list.columns, this.#place.catalog.sourceIds);
    const all = sources.map((source) => {
      const { unlisted = 0, ...files } = failed.get(source.id) ?? {};
      return { ...source, ...files, sessions: Math.max(0, source.sessions - unlisted) };
    });
    // The data folder's own source is that of uploads.
    const unwritten = { problems: [{ code: "unwritten" as const, path: "" }], problemsTotal: 1 };
    return all.map((source) =>
      source.id === UPLOADS && list.index.isUnwritten ? { ...source, ...unwritten } : source,
    );
  }

  /** Progress of the background reading, without the rate, which depends on the observer. */
  async progress(): Promise<Progress & Pick<IndexingEvent, "stopped" | "revision">> {
    const { list, indexer } = await this.#keep();
    return { ...list.progress(), stopped: indexer.isStopped, revision: list.index.generation };
  }

  /** Checks the folders for changes, if due. */
  async lookAround(): Promise<void> {
    await this.#lookedAround();
  }

  async #lookedAround(): Promise<KeptList> {
    const { catalog } = this.#place;
    const kept = await this.#keep();
    if (!catalog.isWalked && kept.list.hasRows) {
      // Known sessions are listed first: checking thousands of files meanwhile would delay the list.
      await kept.list.columns.refresh();
      catalog.begin();
    } else await catalog.refresh();
    return kept;
  }

  /** Stops, resumes or restarts background reading. */
  async steerIndexing(action: IndexingRequest["action"]): Promise<void> {
    const { list, indexer } = await this.#keep();
    if (action === "stop") return indexer.stop();
    if (action === "again") {
      await list.index.readAgain();
      indexer.want(this.#place.catalog.known());
    }
    indexer.resume();
  }

  /** Progress of the background reading; zeros before the list is open. */
  indexing(): SessionPage["indexing"] {
    return this.#opened?.list.indexing() ?? { done: 0, total: 0 };
  }

  /** Lists a new upload, and starts reading it a moment later: usually the sender opens it, and then it has been read already. */
  async add(entry: CatalogEntry): Promise<void> {
    const { list, indexer } = await this.#keep();
    indexer.reappeared(entry.id);
    await list.index.found([entry]);
    list.renew();
    setTimeout(() => {
      if (this.#place.catalog.has(entry.id)) indexer.want([entry]);
    }, OPENED_MS).unref();
  }

  /** Removes a file's sessions from the list. */
  async drop(id: string): Promise<void> {
    const { list, indexer } = await this.#keep();
    const { file } = partsOf(id);
    // A concurrent reader would list it again.
    indexer.drop([file]);
    await list.index.settled();
    await list.index.forget(file);
    list.renew();
    indexer.rest();
  }

  /** Ends background reading. */
  async closeReading(): Promise<void> {
    const kept = await this.#kept;
    kept?.indexer.close();
    await kept?.jobs.close();
  }

  async close(): Promise<void> {
    await (await this.#kept)?.list.close();
  }
}

/** The task for this process, if another machine lacks the file or may not read it. Throws any other error. */
function hereOnly<Task>(task: Task, error: unknown): Task {
  if (isInputError(error) && (error.code === "not-found" || error.code === "no-permission")) return task;
  throw error;
}
