import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { sweepReplays } from "@/lib/core/analysis/grid";
import { adviceOver, type LeftOutSession, type ReplayedSession, settingsToType } from "@/lib/queries/answers/recommend";
import type { AdviceAnswer, adviceRequest, PoliciesAnswer, policiesRequest } from "@/lib/queries/contract/schemas";
import { metricsBy } from "@/lib/queries/replays/session-replays";
import { together } from "../base/in-order";
import { isInputError } from "../base/input-error";
import type { Replaying } from "../jobs/jobs";
import type { CatalogEntry } from "../list/files/entries";
import type { IndexColumns } from "../list/index/index-columns";
import type { Listed } from "../list/list-filter";
import type { DiskCache } from "../store/disk-cache";
import type { ChosenProfile, ProfileStore } from "../store/profile-store";
import type { CachedRunner } from "../threads/cached-runner";
import type { PoolRunner } from "../threads/pool";
import { type AskedOfEach, type KeptOnDisk, policiesIn, type SessionReplays } from "../threads/tasks";
import { type AskedSession, askedOf, type Selected, selected } from "./asked-sessions";
import { policiesOver } from "./policies";

/** Data sources of queries over sessions. */
interface InsightsPlace {
  /** The updated list. */
  readonly list: () => Promise<{ readonly columns: IndexColumns; readonly listed: Listed }>;
  /** Progress of reading its files. */
  readonly reading: () => Promise<{ readonly done: number; readonly total: number; readonly stopped: boolean }>;
  readonly entry: (id: string) => Promise<CatalogEntry>;
  readonly profiles: ProfileStore;
  /** Threads that replay, and the cache of their answers. */
  readonly pool: PoolRunner;
  readonly runner: CachedRunner;
  readonly answers: DiskCache;
  readonly kept: () => KeptOnDisk;
  /** Runner of sessions under built-in policies. */
  readonly replaying: () => Promise<Replaying>;
}

export interface InsightsListener {
  readonly onFiles: (done: number, total: number) => void;
  readonly onSessions: (done: number, total: number) => void;
  /** Cancels it, and the threads that work for it: the answer rejects. Results of finished sessions are kept. */
  readonly signal: AbortSignal;
}

/** Interval between checks that all files are read. */
const POLL_MS = 100;

/** Replays per point: one for each size of summaries. */
const SIZES = 3;

/** The folder of whole answers in the cache. */
const ANSWERS = "insights";

/** A session to query, with its current file. */
interface CurrentSession extends AskedSession {
  readonly entry: CatalogEntry;
  readonly profile: ChosenProfile | undefined;
}

/**
 * Answers queries over selected sessions. Threads' results are cached by the state of each session's file, and answers by the states of all files: a
 * repeated query replays nothing.
 */
export class Insights {
  /** The last answers: a recent one may not be on disk yet. */
  readonly #given = new LRUCache<string, object>({ max: 32 });

  constructor(private readonly place: InsightsPlace) {}

  /** Recommends a setting. Rejects with `RefusedError`, `ChoiceError` and `SettingError`. */
  advice(request: z.output<typeof adviceRequest>, listener: InsightsListener): Promise<AdviceAnswer> {
    const { q, where, tz, sessions, seed, by, ...choice } = request;
    const asked: AskedOfEach = { kind: "sweep", query: { ...choice, metrics: metricsBy(by) } };
    return this.#answer({ filter: { q, where, tz }, sessions, asked, more: [by, seed] }, listener, async (replayed) => {
      const { found, leftOut } = await adviceOver(replayed, by, seed, this.place.pool.adviser(listener.signal));
      const toType = settingsToType(choice, found, replayed);
      return { found: found ?? null, settingToType: toType, leftOut: leftOut.map(toSession) };
    });
  }

  /** Compares policies. Rejects with `RefusedError`, `ChoiceError` and `SettingError`. */
  policies(request: z.output<typeof policiesRequest>, listener: InsightsListener): Promise<PoliciesAnswer> {
    const { q, where, tz, sessions, seed, runs } = request;
    const asked: AskedOfEach = { kind: "policies", runs };
    return this.#answer({ filter: { q, where, tz }, sessions, asked, more: [seed] }, listener, async (replayed) => {
      const adviser = this.place.pool.adviser(listener.signal);
      const { leftOut, ...found } = await policiesOver(replayed, runs, seed, adviser);
      return { ...found, leftOut: leftOut.map(toSession) };
    });
  }

  async #answer<Found extends object>(
    { filter, sessions, asked, more }: ReplayQuery,
    listener: InsightsListener,
    answer: (replayed: readonly ReplayedSession[]) => Promise<Found>,
  ): Promise<Found & { readonly asked: ReturnType<typeof askedOf> }> {
    const unread = await this.#whenRead(listener);
    const { columns, listed } = await this.place.list();
    const chosen = await selected(columns, listed, filter, sessions);
    const current = await this.#currentSessions(chosen);
    const about = askedOf(
      chosen,
      current.map(({ entry }) => entry),
      unread,
    );
    const { madeBy } = this.place.kept();
    const profiles = current.map(({ profile, inherited }) => [profile?.id ?? "", inherited]);
    const key = JSON.stringify([madeBy, about, asked, more, profiles, this.place.pool.codeOf(policiesIn(asked))]);
    const known = this.#given.get(key) ?? (await this.#kept(key));
    // The key names the code that made it, so it has this type.
    if (known !== undefined) return known as Found & { readonly asked: typeof about };
    const found = { asked: about, ...(await answer(await this.#replayed(current, asked, listener))) };
    listener.signal.throwIfAborted();
    this.#given.set(key, found);
    this.place.answers.put(ANSWERS, key, new TextEncoder().encode(JSON.stringify(found)));
    return found;
  }

  /** Waits until all files of the list are read, or the user stopped indexing. Returns the number of unread ones. */
  async #whenRead({ onFiles, signal }: InsightsListener): Promise<number> {
    await this.place.list();
    for (;;) {
      const { done, total, stopped } = await this.place.reading();
      if (done >= total || stopped) return Math.max(0, total - done);
      onFiles(done, total);
      await delay(POLL_MS, undefined, { signal });
    }
  }

  async #kept(key: string): Promise<object | undefined> {
    const found = await this.place.answers.get(ANSWERS, key);
    return found === undefined ? undefined : JSON.parse(new TextDecoder().decode(found));
  }

  /** Sessions with existing files, with the context profiles in force. */
  async #currentSessions({ sessions }: Selected): Promise<readonly CurrentSession[]> {
    const hasProfiles = (await this.place.profiles.list()).length > 0;
    const currentSession = async (session: AskedSession): Promise<readonly CurrentSession[]> => {
      const { id, project, agent } = session;
      try {
        const entry = await this.place.entry(id);
        const profile = hasProfiles ? await this.place.profiles.chosen({ session: id, project, agent }) : undefined;
        return [{ ...session, entry, profile }];
      } catch (error) {
        // It vanished since the list was made.
        if (isInputError(error)) return [];
        throw error;
      }
    };
    return (await Promise.all(sessions.map(currentSession))).flat();
  }

  async #replayed(
    sessions: readonly CurrentSession[],
    asked: AskedOfEach,
    { signal, onSessions }: InsightsListener,
  ): Promise<readonly ReplayedSession[]> {
    if (asked.kind === "sweep") sweepReplays(asked.query.vary, sessions.length * SIZES);
    onSessions(0, sessions.length);
    const replaying = await this.#replaying(asked);
    const work = async (session: CurrentSession): Promise<ReplayedSession> => {
      signal.throwIfAborted();
      const answer = await this.#replay(session, asked, replaying, signal).catch(asInputError);
      return { file: session.id, answer };
    };
    return await together(sessions, work, (done) => onSessions(done, sessions.length), replaying.atOnce);
  }

  /** A user's own policies are files of this machine, so sessions are replayed under them here. */
  async #replaying(asked: AskedOfEach): Promise<Replaying> {
    const { pool, kept, replaying } = this.place;
    const jobs = await replaying();
    if (pool.codeOf(policiesIn(asked)) === "") return jobs;
    return { atOnce: jobs.atOnce, replays: (task, signal) => pool.run("replays", { ...task, kept: kept() }, signal) };
  }

  #replay(
    { entry, profile, inherited }: CurrentSession,
    asked: AskedOfEach,
    replaying: Replaying,
    signal: AbortSignal,
  ): Promise<SessionReplays> {
    const { path, name, version } = entry;
    const { format, session: part } = version;
    const code = this.place.pool.codeOf(policiesIn(asked));
    const what = [
      "replays",
      JSON.stringify(asked),
      name,
      format ?? "",
      part ?? "",
      profile?.id ?? "",
      code,
      `${inherited}`,
    ];
    const { bytes, mtimeMs } = version;
    const task = {
      path,
      name,
      format,
      session: part,
      inherited,
      profile: profile?.profile,
      asked,
      version: { bytes, mtimeMs },
    };
    return this.place.runner.keep(path, what, () => replaying.replays(task, signal));
  }
}

/** A query that is answered from replays of the selected sessions. */
interface ReplayQuery {
  readonly filter: { readonly q?: string | undefined; readonly where: string[]; readonly tz?: string | undefined };
  readonly sessions: readonly string[] | undefined;
  readonly asked: AskedOfEach;
  /** Other inputs of the answer. */
  readonly more: readonly (string | number)[];
}

/** Throws errors of the query itself, which every session would report. */
function asInputError(error: unknown): Error {
  if (error instanceof Error && isInputError(error)) return error;
  throw error;
}

function toSession({ file, ...reason }: LeftOutSession) {
  return { session: file, ...reason };
}
