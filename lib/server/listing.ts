import { setTimeout as delay } from "node:timers/promises";
import type {
  IndexingEvent,
  IndexingRequest,
  SessionPage,
  SessionRow,
  SourceEntry,
} from "@/lib/queries/contract/schemas";
import type { ServerConfig } from "./base/config";
import { isInputError } from "./base/input-error";
import { makerOf } from "./base/made-by";
import { ownPricesText } from "./base/prices";
import { say } from "./base/say";
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
import type { HeadTask, IngestAnswer, KeptOnDisk, Lane } from "./threads/tasks";

/** The list of sessions, and who learns what it shows. */
interface KeptList {
  readonly list: SessionList;
  readonly indexer: Indexer;
  readonly jobs: Jobs;
  readonly replaying: Replaying;
}

/** How many jobs of a queue this process does at a time, and how long a job waits before it looks again whether somebody waits for a thread. */
const OWN_JOBS = 2;
const YIELD_MS = 40;
/** Whoever sends a session here opens it within this time. */
const OPENED_MS = 1500;

/** What a listing is of, and who does its work. */
interface ListingPlace {
  readonly config: ServerConfig;
  readonly catalog: Catalog;
  readonly pools: Readonly<Record<Lane, PoolRunner>>;
  /** Reads a session whole when nobody waits for a thread. */
  readonly open: (entry: CatalogEntry) => Promise<unknown>;
  /** Where sessions that were opened are kept. */
  readonly kept: () => KeptOnDisk;
}

/** The sessions as they are listed: kept in the index, read in the background, and asked about together. */
export class Listing {
  readonly #place: ListingPlace;
  #kept: Promise<KeptList> | undefined;
  /** The same once it is there. */
  #opened: KeptList | undefined;

  constructor(place: ListingPlace) {
    this.#place = place;
    place.catalog.listen({
      found: async (entries) => {
        const { list, indexer } = await this.#keep();
        await list.index.found(entries);
        // Whether samples are listed is known when all folders were walked.
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

  /** Notes what was learnt of a session when it was opened. */
  learn(entry: CatalogEntry, answer: IngestAnswer): void {
    this.#opened?.indexer.learn(entry, answer);
  }

  /** One page of the session list, as JSON; what is not known yet is learnt in the background. Rejects with `RefusedError`. */
  async list(query: ListQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list, indexer }) => {
      if (query.where.some((one) => one.startsWith("sample"))) {
        indexer.want(this.#place.catalog.all().filter(({ kind }) => kind === "samples"));
      }
      return list.page(query, (ids) => indexer.hurry(ids));
    });
  }

  /** Sums over the sessions of the list, as JSON. Rejects with `RefusedError`. */
  async facets(query: FacetsQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list }) =>
      list.answer({ facets: query }, async (listed) => JSON.stringify(await facetsOf(list.columns, listed, query))),
    );
  }

  /** Number of sessions that match. Rejects with `RefusedError`. */
  async count(filter: ListFilter): Promise<number> {
    return this.#onList(async ({ list }) => (await matching(list.columns, list.listed, filter)).length);
  }

  /** What the list can be narrowed to, as JSON. Rejects with `RefusedError`. */
  async choices(query: ChoicesQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list }) =>
      list.answer({ choices: query }, async (listed) => JSON.stringify(await choicesOf(list.columns, listed, query))),
    );
  }

  /** Sums and distributions over sessions of the list, as JSON. Rejects with `RefusedError`. */
  async overview(query: InsightsQuery): Promise<Uint8Array<ArrayBuffer>> {
    return this.#onList(({ list }) =>
      list.answer({ overview: query }, async (listed) => JSON.stringify(await overviewOf(list.columns, listed, query))),
    );
  }

  /** The index as it is now, and what of it is listed. */
  async listed(): Promise<{ readonly columns: IndexColumns; readonly listed: Listed }> {
    const { list } = await this.#lookedAround();
    return { columns: list.columns, listed: list.listed };
  }

  /** Does work on the list; once more, on a new index, where the present one turns out damaged. */
  async #onList<T>(work: (kept: KeptList) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#lookedAround());
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      return work(await this.#lookedAround());
    }
  }

  /** Closes a list whose index is damaged, opens a new one, and lists and reads all files again. */
  async #renewed(damaged: KeptList): Promise<KeptList> {
    damaged.indexer.close();
    await damaged.jobs.close();
    await damaged.list.close();
    const kept = await this.#openList(true);
    await kept.list.index.found(this.#place.catalog.all());
    kept.indexer.want(this.#place.catalog.known());
    return kept;
  }

  /** The list, opened when it is first needed. */
  #keep(): Promise<KeptList> {
    this.#kept ??= this.#openList();
    return this.#kept;
  }

  async #openList(afterDamage = false): Promise<KeptList> {
    const { root, dataDir, env, indexText: text } = this.#place.config;
    const address = env.CONTEXT_REPLAY_DATABASE || undefined;
    const basis = `${text}\0${ownPricesText()}`;
    // What was learnt of their sessions is looked for by their ids.
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
      // Beginnings give way like files that are read: nobody waits for them who asks for a list or a session.
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
      // The next caller is told if it fails.
      this.#kept.catch(() => undefined);
    });
    return kept;
  }

  /** Samples are listed, and so read, only where there is nothing else, or for who asks for them. */
  #wantSamples(indexer: Indexer, entries: ReadonlyMap<string, CatalogEntry>): void {
    const all = [...entries.values()];
    if (all.every(({ kind }) => kind === "samples")) indexer.want(all);
  }

  /** The row of a session that is open, whether it is listed or one of those in a file. */
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

  /** What a listed session spent over all listed files; `null` where that is not known. */
  async billOf(id: string): Promise<NonNullable<SessionRow["bill"]> | null> {
    const { list } = await this.#keep();
    return (await list.row(id))?.bill ?? null;
  }

  /** The relations of a session, whether it is listed or one of those in a file. */
  async #kinOf(entry: CatalogEntry, session: OpenedSession): Promise<Kin> {
    const { list } = await this.#keep();
    const row = this.#place.catalog.has(entry.id) ? await list.row(entry.id) : undefined;
    if (row !== undefined) return row;
    const { of, titleOf } = relationsOf(inputsAround(entry, session, await list.index.kinship.inputs()));
    return relatedRows(of(entry.id), (id) => titleOf(id) ?? "");
  }

  /** What replays sessions of the list, here or wherever its database's jobs are done. */
  async replaying(): Promise<Replaying> {
    return (await this.#keep()).replaying;
  }

  /** Where sessions are looked for, with what could not be read there. */
  async sources(): Promise<SourceEntry[]> {
    const { list } = await this.#keep();
    const sources = await this.#place.catalog.sources();
    const failed = await failedFiles(list.index.database, list.columns, this.#place.catalog.sourceIds);
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
    await this.#lookedAround();
  }

  async #lookedAround(): Promise<KeptList> {
    const { catalog } = this.#place;
    const kept = await this.#keep();
    if (!catalog.isWalked && kept.list.hasRows) {
      // What is known is listed first: to look at thousands of files meanwhile would hold it up.
      await kept.list.columns.refresh();
      catalog.begin();
    } else await catalog.refresh();
    return kept;
  }

  /** Stops the reading of files in the background, resumes it, or begins it anew. */
  async steerIndexing(action: IndexingRequest["action"]): Promise<void> {
    const { list, indexer } = await this.#keep();
    if (action === "stop") return indexer.stop();
    if (action === "again") {
      await list.index.readAgain();
      indexer.want(this.#place.catalog.known());
    }
    indexer.resume();
  }

  /** The progress of the background. */
  indexing(): SessionPage["indexing"] {
    return this.#opened?.list.indexing() ?? { done: 0, total: 0 };
  }

  /** Lists a session that has just come, and has it read for that a moment later: as a rule whoever sent it opens it, and then it is read already. */
  async add(entry: CatalogEntry): Promise<void> {
    const { list, indexer } = await this.#keep();
    indexer.takeBack(entry.id);
    await list.index.found([entry]);
    list.renew();
    setTimeout(() => {
      if (this.#place.catalog.has(entry.id)) indexer.want([entry]);
    }, OPENED_MS).unref();
  }

  /** Lists a file's sessions no longer. */
  async drop(id: string): Promise<void> {
    const { list, indexer } = await this.#keep();
    const { file } = partsOf(id);
    // Whoever reads it now would list it again.
    indexer.drop([file]);
    await list.index.settled();
    await list.index.forget(file);
    list.renew();
    indexer.rest();
  }

  /** Ends the reading in the background. */
  async closeReading(): Promise<void> {
    const kept = await this.#kept;
    kept?.indexer.close();
    await kept?.jobs.close();
  }

  async close(): Promise<void> {
    await (await this.#kept)?.list.close();
  }
}

/** The task again, for this process, where another one's machine does not have the file or may not read it. Throws any other error. */
function hereOnly<Task>(task: Task, error: unknown): Task {
  if (isInputError(error) && (error.code === "not-found" || error.code === "no-permission")) return task;
  throw error;
}
