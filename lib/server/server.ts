import { statSync } from "node:fs";
import { join } from "node:path";
import type { ContextProfile } from "@/lib/core/context/profile";
import { entriesOf } from "@/lib/core/prices/prices";
import type { SessionAnswer } from "@/lib/queries/contract/schemas";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import { configFrom, type ServerConfig } from "./base/config";
import { endpointOf } from "./base/endpoint";
import { makerOf } from "./base/made-by";
import { ownPricesText, usablePrices } from "./base/prices";
import { RefusedError } from "./base/refusal";
import { say } from "./base/say";
import { Insights } from "./insights/insights";
import { Catalog } from "./list/files/catalog";
import { Databases } from "./list/files/databases";
import type { CatalogEntry } from "./list/files/entries";
import { FolderWatch } from "./list/files/folder-watch";
import { sourcesOf } from "./list/files/sources";
import { findStores } from "./list/files/stores";
import { SearchedFolders } from "./list/files/stores-below";
import { Listing } from "./listing";
import { policiesOf } from "./policies/policy-folder";
import type { AccuracyChoice } from "./read/numbers/accuracy";
import { windowUnderProfile } from "./read/numbers/overhead";
import { versionKey } from "./read/source-file";
import type { OpenedSession } from "./sessions/opened-session";
import { SessionStore } from "./sessions/session-store";
import { sharedServer } from "./shared-server";
import { DiskCache } from "./store/disk-cache";
import { type ChosenProfile, type ProfileScope, ProfileStore, type ProfileSubject } from "./store/profile-store";
import { type Incoming, UploadStore } from "./store/upload-store";
import { Summarizer } from "./summarizer/summarizer";
import { summariesFolder } from "./summarizer/summary-store";
import { AnswerPriority } from "./threads/answer-priority";
import { CachedRunner } from "./threads/cached-runner";
import { keepHeapsSmall } from "./threads/heap";
import { PoolRunner } from "./threads/pool";
import type { IngestAnswer, Priority, TaskRunner } from "./threads/tasks";

/** Everything that the HTTP API uses. There is one per process. */
export class AppServer {
  readonly config: ServerConfig;
  readonly catalog: Catalog;
  readonly listing: Listing;
  readonly store: SessionStore;
  readonly uploads: UploadStore;
  readonly profiles: ProfileStore;
  /** Source of real summaries; absent unless the user named an endpoint. */
  readonly summarizer: Summarizer | undefined;
  readonly insights: Insights;
  /** Changes with the build. It is part of entity tags, since another build may read the same file differently. */
  readonly build: string;
  /** Pauses sweeps while any query is being answered. */
  readonly answerPriority = new AnswerPriority();
  /** Runner of each priority, for opened sessions; results are cached on disk. */
  readonly #runners: Readonly<Record<Priority, CachedRunner>>;
  readonly #watch: FolderWatch;

  constructor(config: ServerConfig) {
    keepHeapsSmall();
    this.config = config;
    this.uploads = new UploadStore(join(config.dataDir, "uploads"), config.maxUploadBytes);
    this.profiles = new ProfileStore(join(config.dataDir, "profiles"));
    this.summarizer =
      config.summarizer && new Summarizer(endpointOf(config.summarizer), summariesFolder(config), config.env);
    const policies = () => this.policies();
    const asked = new PoolRunner(config.root, { policies });
    const background = new PoolRunner(config.root, { background: true, answerPriority: this.answerPriority, policies });
    const databases = new Databases((path) => background.run("database", { path }));
    const watch = new FolderWatch({ say });
    const searched = new SearchedFolders();
    this.catalog = new Catalog(
      sourcesOf(config),
      this.uploads,
      () => findStores(config, searched),
      databases,
      Date.now,
      watch,
    );
    this.#watch = watch;
    const open = (entry: CatalogEntry) => this.store.openFirst(entry);
    const folder = join(config.dataDir, "opened");
    const opened = new DiskCache(folder, config.cacheBytes);
    let maker: string | undefined;
    const madeBy = () => (maker ??= makerOf(config.root, ownPricesText()));
    const keptOnDisk = () => ({ folder, maxBytes: config.cacheBytes, madeBy: madeBy() });
    const pools = { asked, background };
    this.listing = new Listing({ config, catalog: this.catalog, pools, open, kept: keptOnDisk });
    const kept = (runner: PoolRunner) => new CachedRunner(runner, opened, madeBy);
    this.#runners = { asked: kept(asked), background: kept(background) };
    const addResult = (entry: CatalogEntry, answer: IngestAnswer) => this.listing.addResult(entry, answer);
    this.store = new SessionStore(this.#runners, addResult, config.indexText);
    this.insights = new Insights({
      list: () => this.listing.listed(),
      reading: () => this.listing.progress(),
      entry: (id) => this.catalog.get(id),
      profiles: this.profiles,
      pool: background,
      runner: this.#runners.background,
      answers: opened,
      kept: keptOnDisk,
      replaying: () => this.listing.replaying(),
    });
    this.build = buildOf(config.root);
    // A failed cleanup is repeated at the next start.
    void this.uploads.removeStale(Date.now()).catch(() => undefined);
  }

  /** The current policies of the user. They run only in threads. */
  policies(): readonly OwnSource[] {
    return policiesOf(this.config.env);
  }

  /** True for a user's policy, whose settings only a thread can list. */
  isOwnPolicy(id: string): boolean {
    return this.policies().some((policy) => policy.id === id);
  }

  /** The session with this id, after reading it. Rejects with `InputError`. */
  async open(id: string, priority: Priority = "asked"): Promise<OpenedSession> {
    return this.store.open(await this.catalog.get(id), priority);
  }

  /** The session in a version that the client knows, if it is still held, else in its current version. Rejects with `InputError`. */
  async openAt(id: string, version: string | null, isCounted = true): Promise<OpenedSession> {
    const held = version === null ? undefined : this.store.held(id, version);
    return held ?? this.store.open(await this.catalog.get(id), "asked", isCounted);
  }

  /**
   * A session's row with its summary and the estimators' accuracy. Rejects with `InputError` and `UnknownEstimatorError`.
   * @param at the requested version, if it is still held; else the present one is used
   */
  async session(id: string, accuracy: AccuracyChoice = "sizes", at: string | null = null): Promise<SessionAnswer> {
    const entry = await this.catalog.get(id);
    const held = at === null ? undefined : this.store.held(id, at);
    const session = held ?? (await this.store.open(entry));
    const row = await this.listing.rowOf(entry, session);
    const prices = entriesOf(session.columns.tables.models, usablePrices());
    const contextWindow = await windowUnderProfile(session, (await this.profileOf(id, session))?.profile);
    const summary = { ...session.summary, contextWindow, accuracy: await session.accuracy(accuracy) };
    const version = held === undefined || at === null ? versionKey(entry.version) : at;
    return { ...row, summary, version, prices };
  }

  /** The session, and the context profile in force for it. Rejects with `InputError`. */
  async openWithProfile(
    id: string,
    priority: Priority = "asked",
  ): Promise<{ readonly session: OpenedSession; readonly profile: ContextProfile | undefined }> {
    const session = await this.open(id, priority);
    return { session, profile: (await this.profileOf(id, session))?.profile };
  }

  /** The context profile in force for a session; `undefined` if none was chosen. */
  profileOf(id: string, session: OpenedSession): Promise<ChosenProfile | undefined> {
    return this.profiles.chosen(subjectOf(id, session));
  }

  /** Puts a context profile in force for the session, or for its project or agent. Rejects with `RefusedError`. */
  chooseProfile(id: string, session: OpenedSession, scope: ProfileScope, profile: string | null): Promise<void> {
    return this.profiles.choose(scope, subjectOf(id, session), profile);
  }

  /** Stores a file and lists it. Rejects with `RefusedError`. */
  async upload(incoming: Incoming): Promise<{ entry: CatalogEntry; existed: boolean }> {
    const { existed, ...stored } = await this.uploads.receive(incoming);
    const entry = this.catalog.addUpload(stored);
    await this.listing.add(entry);
    return { entry, existed };
  }

  /** Removes an upload; files in mounted folders are never touched. Rejects with `InputError` and `RefusedError`. */
  async removeUpload(id: string): Promise<void> {
    const { id: own, path, sha256 } = await this.catalog.get(id);
    if (sha256 === undefined)
      throw new RefusedError("not-allowed", "Only uploads can be removed here; this session is a file of yours.");
    await this.uploads.remove(sha256);
    await this.#runners.asked.forget(path);
    this.catalog.dropUpload(id);
    await this.listing.drop(own);
  }

  /** Does background work piece by piece. */
  get background(): TaskRunner {
    return this.#runners.background;
  }

  /** Ends the background work and the threads. */
  async close(): Promise<void> {
    this.#watch.close();
    await this.listing.closeReading();
    await Promise.all(Object.values(this.#runners).map((runner) => runner.close()));
    await this.listing.close();
  }
}

function subjectOf(id: string, { summary }: OpenedSession): ProfileSubject {
  return { session: id, project: summary.project, agent: summary.agent };
}

/** The process's server, made from its environment on first use. */
export function getServer(): AppServer {
  return sharedServer(() => new AppServer(configFrom(process.env)));
}

/** Time of the program's build, as a short text. */
function buildOf(root: string): string {
  return Math.round(statSync(join(root, "dist", "worker.mjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0).toString(36);
}
