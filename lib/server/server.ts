import { statSync } from "node:fs";
import { join } from "node:path";
import type { SessionAnswer, SessionPage, SessionRow } from "@/lib/api/contract";
import type { ContextProfile } from "@/lib/core/context/profile";
import { entriesOf } from "@/lib/core/prices/prices";
import type { AccuracyChoice } from "./accuracy";
import { Catalog, type CatalogEntry } from "./catalog/catalog";
import { Indexer } from "./catalog/indexer";
import { ListPages } from "./catalog/list-pages";
import { inputsAround } from "./catalog/opened-relations";
import { listedInputs, type Relations, RelationsCache, relationsOf } from "./catalog/relations-cache";
import { isShown, type ListQuery, pageOf, projectsByFolder, rowOf } from "./catalog/session-list";
import { sourcesOf } from "./catalog/sources";
import { findStores } from "./catalog/stores";
import { configFrom, type ServerConfig } from "./config";
import { HttpError } from "./http/http-error";
import type { OpenedSession } from "./opened-session";
import { PoolRunner } from "./pool";
import { usablePrices } from "./prices";
import { type ChosenProfile, type ProfileScope, ProfileStore, type ProfileSubject } from "./profiles/profile-store";
import { RightOfWay } from "./right-of-way";
import { SessionStore } from "./session-store";
import type { Lane, TaskRunner } from "./tasks";
import { type Incoming, UploadStore } from "./uploads/upload-store";

/** Everything that the HTTP API answers from. There is one per process. */
export class AppServer {
  readonly config: ServerConfig;
  readonly catalog: Catalog;
  readonly store: SessionStore;
  readonly uploads: UploadStore;
  readonly profiles: ProfileStore;
  /** Changes with the build. It is part of entity tags, since another build may read the same file differently. */
  readonly build: string;
  /** Answers that are under way: sweeps stand still meanwhile. */
  readonly rightOfWay = new RightOfWay();
  readonly #indexer: Indexer;
  readonly #related = new RelationsCache();
  readonly #pages = new ListPages();
  readonly #runners: Readonly<Record<Lane, PoolRunner>>;

  constructor(config: ServerConfig) {
    this.config = config;
    this.uploads = new UploadStore(join(config.dataDir, "uploads"), config.maxUploadBytes);
    this.profiles = new ProfileStore(join(config.dataDir, "profiles"));
    this.catalog = new Catalog(sourcesOf(config), this.uploads, () => findStores(config));
    const asked = new PoolRunner(config.root);
    const background = new PoolRunner(config.root, { background: true, rightOfWay: this.rightOfWay });
    this.#runners = { asked, background };
    this.#indexer = new Indexer(
      {
        isAsked: () => !asked.idle,
        head: (task) => asked.head(task),
        ingest: (task) => background.ingest(task),
      },
      (entry) => this.store.open(entry, "background"),
    );
    this.store = new SessionStore(this.#runners, (entry, answer) => this.#indexer.learn(entry, answer));
    this.build = buildOf(config.root);
    // What cannot be cleaned up now is cleaned up at the next start.
    void this.uploads.removeStale(Date.now()).catch(() => undefined);
  }

  /** One page of the session list, as JSON; what is not known yet is learnt in the background. Rejects with `HttpError`. */
  async list(query: ListQuery): Promise<Uint8Array<ArrayBuffer>> {
    await this.catalog.list();
    return this.#pages.get(`${this.catalog.revision} ${this.#indexer.revision}`, query, () => {
      const page = this.#page(this.catalog.known(), query);
      return { page, isFinal: this.#related.isCurrent };
    });
  }

  #page(entries: CatalogEntry[], query: ListQuery): SessionPage {
    entries.sort((a, b) => b.version.mtimeMs - a.version.mtimeMs);
    this.#indexer.want(entries);
    const rows = this.#rows(entries);
    const page = pageOf(rows, query);
    const shown = new Set(page.sessions.map((row) => row.id));
    this.#indexer.hurry(entries.filter((entry) => shown.has(entry.id)));
    return { ...page, indexing: this.#indexer.progress(entries) };
  }

  #rows(entries: readonly CatalogEntry[]): SessionRow[] {
    const known = entries.map((entry) => ({
      entry,
      indexed: this.#indexer.of(entry),
      head: this.#indexer.headOf(entry),
    }));
    const projectOf = projectsByFolder(known.map(({ indexed }) => indexed?.summary ?? null));
    const { of, titleOf } = this.#relations(entries);
    return known
      .map(({ entry, ...rest }) => rowOf(entry, { ...rest, projectOf, related: of(entry.id), titleOf }))
      .filter(isShown);
  }

  /** The relations between the sessions, as far as they were read. */
  #relations(entries: readonly CatalogEntry[]): Relations {
    return this.#related.of(entries, this.#indexer);
  }

  /** The relations of a session, whether it is listed or one of those in a file. */
  #relationsOf(entry: CatalogEntry, session: OpenedSession): Relations {
    const entries = this.catalog.known();
    if (entries.some(({ id }) => id === entry.id)) return this.#relations(entries);
    return relationsOf(inputsAround(entry, session, listedInputs(entries, this.#indexer)));
  }

  /** The progress of the background. */
  indexing(): SessionPage["indexing"] {
    return this.#indexer.progress(this.catalog.known());
  }

  /** The session with this id, after reading it. Rejects with `InputError`. */
  async open(id: string, lane: Lane = "asked"): Promise<OpenedSession> {
    return this.store.open(await this.catalog.get(id), lane);
  }

  /** A session's row with its summary and the estimators' accuracy. Rejects with `InputError` and `UnknownEstimatorError`. */
  async session(id: string, accuracy: AccuracyChoice = "sizes"): Promise<SessionAnswer> {
    const entry = await this.catalog.get(id);
    const session = await this.store.open(entry);
    const { of, titleOf } = this.#relationsOf(entry, session);
    const known = this.catalog.known().map((each) => this.#indexer.of(each)?.summary ?? null);
    const row = rowOf(entry, {
      ...{ related: of(id), titleOf, projectOf: projectsByFolder(known) },
      indexed: { summary: session.summary, sparkline: session.sparkline, error: null },
    });
    const prices = entriesOf(session.columns.tables.models, usablePrices());
    return { ...row, summary: { ...session.summary, accuracy: await session.accuracy(accuracy) }, prices };
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
    return { entry: this.catalog.addUpload(stored), existed };
  }

  /** Removes an upload; files in mounted folders are never touched. Rejects with `InputError` and `HttpError`. */
  async removeUpload(id: string): Promise<void> {
    const { sha256 } = await this.catalog.get(id);
    if (sha256 === undefined)
      throw new HttpError(403, "Only uploads can be removed here; this session is a file of yours.");
    await this.uploads.remove(sha256);
    this.catalog.dropUpload(id);
  }

  /** Does the heavy work that nobody waits for, piece by piece. */
  get background(): TaskRunner {
    return this.#runners.background;
  }

  /** Ends the background work and the threads. */
  async close(): Promise<void> {
    this.#indexer.close();
    await Promise.all(Object.values(this.#runners).map((runner) => runner.close()));
  }
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
