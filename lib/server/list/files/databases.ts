import { stat } from "node:fs/promises";
import type { StoredSession } from "@/lib/agents/shared/session-database";
import type { Milliseconds } from "@/lib/core/base/units";
import { databaseState } from "../../read/stored-path";
import type { FoundStore } from "./stores";

/** Minimum pause before a growing database is listed again, as a multiple of the listing's duration. */
const PAUSE = 10;

interface Listing {
  readonly state: string;
  readonly sessions: readonly StoredSession[];
  /** Time of the next check. */
  readonly until: Milliseconds;
}

/** The sessions in agents' databases. An unchanged database is not opened again. */
export class Databases {
  readonly #list: (path: string) => Promise<readonly StoredSession[]>;
  readonly #listings = new Map<string, Listing>();

  /** @param list lists the sessions of a database; rejects for an unreadable one */
  constructor(list: (path: string) => Promise<readonly StoredSession[]>) {
    this.#list = list;
  }

  /** Contents of a store; `undefined` if it cannot be read. Earlier contents stay listed while it is unreadable. */
  async sessionsOf(store: FoundStore): Promise<readonly StoredSession[] | undefined> {
    const known = this.#listings.get(store.path);
    // A folder is a store of another kind.
    if (!(await stat(store.path).catch(() => undefined))?.isFile()) return undefined;
    const { key: state } = databaseState(store.path);
    const began = Date.now();
    if (known !== undefined && (known.state === state || began < known.until)) return known.sessions;
    const sessions = await this.#list(store.path).catch(() => undefined);
    if (sessions === undefined) return known?.sessions;
    const ended = Date.now();
    this.#listings.set(store.path, { state, sessions, until: ended + PAUSE * (ended - began) });
    return sessions;
  }
}
