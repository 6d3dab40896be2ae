import { chainLength } from "@/lib/core/columns/request-keys";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { type CountedElsewhere, countedElsewhere, type Lineage } from "./counted-once";
import type { RelatedInput } from "./related-input";

/** Relation of another session to this one. */
type RelationKind = keyof typeof OPPOSITE;

const OPPOSITE = {
  /** The other session contains everything of this one: this is an earlier state or a duplicate of it. */
  "copy-of": "has-copy",
  "has-copy": "copy-of",
  /** Begins with all of the other session, under another id, and continues. */
  continues: "continued-by",
  "continued-by": "continues",
  /** Begins with a part of the other session and then diverges. */
  "fork-of": "has-fork",
  "has-fork": "fork-of",
  /** A call in the other session started it. */
  "subagent-of": "has-subagent",
  "has-subagent": "subagent-of",
} as const;

interface Relation {
  readonly kind: RelationKind;
  readonly id: string;
  /** The call that started the subagent. */
  readonly callId?: string;
  /** The item of that call in the session that made it. */
  readonly item?: number;
}

export interface Related {
  readonly relations: readonly Relation[];
  /** Requests of this session that another one counts: in a family, every request counts once. */
  readonly elsewhere: readonly CountedElsewhere[];
}

/** Finds the families of copies, continuations, forks and subagents. Linear in the sessions' requests. */
export function relate(sessions: readonly RelatedInput[]): ReadonlyMap<string, Related> {
  const family = new Family(sessions);
  family.byRequests();
  family.byLinks();
  return family.result();
}

/** The subagents of a session, and theirs. Every surface takes the files of a session's subagents from here. */
export function subagentsBelow(all: ReadonlyMap<string, Related>, id: string): readonly string[] {
  return reached(all, id, "has-subagent");
}

/** The sessions that started a subagent, up to the root. */
export function startersOf(all: ReadonlyMap<string, Related>, id: string): readonly string[] {
  return reached(all, id, "subagent-of");
}

function reached(all: ReadonlyMap<string, Related>, id: string, wanted: RelationKind): readonly string[] {
  const found = new Set<string>();
  for (let next = [id]; next.length > 0; ) {
    const others = next.flatMap((one) => all.get(one)?.relations ?? []).filter(({ kind }) => kind === wanted);
    next = others.map((one) => one.id).filter((one) => one !== id && !found.has(one));
    for (const one of next) found.add(one);
  }
  return [...found];
}

/** Order in which relations of the sessions are searched: main sessions before subagents, then larger before smaller, then earlier before later. */
function relatingOrder(a: RelatedInput, b: RelatedInput): number {
  return (
    Number(isSubagent(a)) - Number(isSubagent(b)) ||
    chainLength(b.keys.classes) - chainLength(a.keys.classes) ||
    compareText(a.summary.startedAt ?? "", b.summary.startedAt ?? "") ||
    compareText(a.id, b.id)
  );
}

class Family {
  readonly #sessions: readonly RelatedInput[];
  readonly #bySession = new Map<string, RelatedInput>();
  readonly #relations = new Map<string, Map<string, Relation>>();

  constructor(sessions: readonly RelatedInput[]) {
    this.#sessions = [...sessions].sort(relatingOrder);
    for (const session of this.#sessions) {
      for (const name of namesOf(session)) {
        const key = sessionKey(session.summary.format, name);
        if (!this.#bySession.has(key)) this.#bySession.set(key, session);
      }
    }
  }

  result(): ReadonlyMap<string, Related> {
    const elsewhere = countedElsewhere(this.#lineage());
    return new Map(
      this.#sessions.map((session) => [
        session.id,
        {
          relations: [...(this.#relations.get(session.id)?.values() ?? [])],
          elsewhere: elsewhere.get(session) ?? NONE,
        },
      ]),
    );
  }

  /**
   * The sessions in the order of counting a shared request: those without an origin first, main sessions before subagents, then the one that ended
   * first. Of several files of one session the largest comes first.
   */
  #lineage(): Lineage {
    const parents = new Map(this.#sessions.map((session) => [session, this.#parentsOf(session)]));
    const depths = depthsOf(parents);
    const places = new Map(this.#sessions.map((session, place) => [session, place]));
    const ends = new Map<string, string>();
    for (const session of this.#sessions) {
      const name = nameOf(session);
      if (!ends.has(name)) ends.set(name, session.summary.endedAt ?? "");
    }
    const endOf = (session: RelatedInput) => ends.get(nameOf(session)) ?? "";
    const sessions = [...this.#sessions].sort(
      (a, b) =>
        (depths.get(a) ?? 0) - (depths.get(b) ?? 0) ||
        Number(isSubagent(a)) - Number(isSubagent(b)) ||
        compareText(endOf(a), endOf(b)) ||
        (places.get(a) ?? 0) - (places.get(b) ?? 0),
    );
    const named = (kinds: readonly string[]) => (session: RelatedInput) =>
      session.summary.links.parents.filter(({ kind }) => kinds.includes(kind)).map(({ session: name }) => name);
    const nameFork = named(["fork"]);
    return {
      sessions,
      parents,
      forkedFrom: new Map(this.#sessions.map((session) => [session, this.#sessionsOf(session, nameFork(session))])),
    };
  }

  /** The sessions that a session names as its origin, by its records or by its path. */
  #parentsOf(session: RelatedInput): readonly RelatedInput[] {
    const { summary, placed } = session;
    const names = [...summary.links.parents.map(({ session: name }) => name), placed.parentSession].filter(
      (name) => name != null,
    );
    return this.#sessionsOf(session, names);
  }

  #sessionsOf(session: RelatedInput, names: readonly string[]): readonly RelatedInput[] {
    const found = names.flatMap((name) => this.#bySession.get(sessionKey(session.summary.format, name)) ?? []);
    return [...new Set(found)].filter((other) => other !== session);
  }

  /** Relates sessions with the same requests. */
  byRequests(): void {
    const counted = new Map<number, RelatedInput>();
    for (const session of this.#sessions) {
      const shared = new Map<RelatedInput, number>();
      const { exact } = session.keys;
      for (let row = 0, end = chainLength(session.keys.classes); row < end; row++) {
        const key = exact[row] ?? Number.NaN;
        // A request without a time cannot be distinguished from others.
        if (Number.isNaN(key)) continue;
        const owner = counted.get(key);
        if (owner === undefined) counted.set(key, session);
        else if (owner !== session) shared.set(owner, (shared.get(owner) ?? 0) + 1);
      }
      const [owner, count] = [...shared].sort((a, b) => b[1] - a[1])[0] ?? [];
      if (owner !== undefined && count !== undefined && !isSubagent(session))
        this.#relateSharing(session, owner, count);
    }
  }

  #relateSharing(session: RelatedInput, owner: RelatedInput, shared: number): void {
    const own = chainLength(session.keys.classes);
    const isSame = session.summary.sessionId === owner.summary.sessionId;
    // The last response of an earlier state may be incomplete.
    if (shared === own || (isSame && shared === own - 1)) {
      const isCopy = isSame || own === chainLength(owner.keys.classes);
      this.#add(session, isCopy ? "copy-of" : "continued-by", owner);
    } else if (isLater(session, owner)) this.#add(session, "fork-of", owner);
    else this.#add(session, "has-fork", owner);
  }

  /** Relates sessions that name others, or are in their folders. */
  byLinks(): void {
    for (const session of this.#sessions) {
      const { format, links } = session.summary;
      for (const { session: name, kind } of links.parents) {
        const parent = this.#bySession.get(sessionKey(format, name));
        if (parent !== undefined && parent !== session) this.#link(session, kind, parent);
      }
      const placedIn = session.placed.parentSession;
      const above = placedIn === undefined ? undefined : this.#bySession.get(sessionKey(format, placedIn));
      if (above !== undefined && above !== session) this.#link(session, "subagent", above);
    }
    for (const session of this.#sessions) this.#linkStarted(session);
  }

  /** Relates subagents that do not name their parent. They belong to the first session that names them, since copies name them too. */
  #linkStarted(session: RelatedInput): void {
    const { format, links } = session.summary;
    for (const { agentId, ...call } of links.subagents) {
      const started = this.#bySession.get(sessionKey(format, agentId));
      if (started === undefined || started === session) continue;
      const known = [...this.#relationsFor(started).values()].some(({ kind }) => kind === "subagent-of");
      if (!known) this.#add(started, "subagent-of", session, call);
    }
  }

  #link(session: RelatedInput, kind: "fork" | "resume" | "subagent", parent: RelatedInput): void {
    if (kind === "subagent") {
      const agentId = session.summary.links.agentId ?? session.placed.agentId;
      const call = parent.summary.links.subagents.find((started) => started.agentId === agentId);
      this.#add(session, "subagent-of", parent, call);
      return;
    }
    this.#add(session, kind === "fork" ? "fork-of" : "continues", parent);
  }

  /** Adds both directions. The first relation of a pair stays, unless a later one knows the call. */
  #add(session: RelatedInput, kind: RelationKind, other: RelatedInput, made?: Call): void {
    const { callId, item } = made ?? {};
    const call = { ...(callId == null ? {} : { callId }), ...(item == null ? {} : { item }) };
    const known = this.#relationsFor(session).get(other.id);
    if (known !== undefined && (known.callId !== undefined || callId == null)) return;
    this.#relationsFor(session).set(other.id, { kind, id: other.id, ...call });
    this.#relationsFor(other).set(session.id, { kind: OPPOSITE[kind], id: session.id, ...call });
  }

  #relationsFor({ id }: RelatedInput): Map<string, Relation> {
    const known = this.#relations.get(id) ?? new Map<string, Relation>();
    this.#relations.set(id, known);
    return known;
  }
}

/** The call that started a subagent, if its parent's file names it. */
type Call = Pick<SessionSummary["links"]["subagents"][number], "callId" | "item">;

/** Names by which others may refer to a session. A subagent's file may carry its parent's id, which is not a name of its own. */
export function namesOf({ summary, placed }: Omit<RelatedInput, "keys">): readonly string[] {
  const { sessionId, links } = summary;
  const isParents = links.parents.some(({ session, kind }) => kind === "subagent" && session === sessionId);
  const names = [isParents ? null : sessionId, placed.sessionId, links.agentId, placed.agentId];
  return names.filter((name) => name != null);
}

function sessionKey(format: string, name: string): string {
  return `${format}\0${name}`;
}

function isSubagent({ summary, placed }: RelatedInput): boolean {
  return summary.links.agentId !== null || placed.agentId !== undefined;
}

/** True if a session went on after the other had ended, or names it as its origin. */
function isLater(session: RelatedInput, other: RelatedInput): boolean {
  if (session.summary.links.parents.some((parent) => parent.session === other.summary.sessionId)) return true;
  if (other.summary.links.parents.some((parent) => parent.session === session.summary.sessionId)) return false;
  return (session.summary.endedAt ?? "") > (other.summary.endedAt ?? "");
}

const NONE: readonly never[] = [];

/** A session's own name, which all its files share; a subagent's file may carry its parent's. */
function nameOf(session: RelatedInput): string {
  const { id, summary } = session;
  return isSubagent(session) || summary.sessionId === null ? id : sessionKey(summary.format, summary.sessionId);
}

/** Length of each session's chain of origins. */
function depthsOf(parents: ReadonlyMap<RelatedInput, readonly RelatedInput[]>): ReadonlyMap<RelatedInput, number> {
  const depths = new Map<RelatedInput, number>();
  const depthOf = (session: RelatedInput): number => {
    const known = depths.get(session);
    if (known !== undefined) return known;
    // Ends if sessions name each other in a circle.
    depths.set(session, 0);
    const above = (parents.get(session) ?? []).map((parent) => 1 + depthOf(parent));
    const depth = Math.max(0, ...above);
    depths.set(session, depth);
    return depth;
  };
  for (const session of parents.keys()) depthOf(session);
  return depths;
}

/** Orders texts by their UTF-16 units. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
