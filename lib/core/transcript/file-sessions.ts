import { Integers } from "../base/growing";
import { IdTable } from "../base/id-table";
import type { LineNumber } from "../base/units";
import type { SourceRecord } from "../records/fields";
import type { Reader, SessionMark } from "./reader";

/** One of the sessions in a file. */
export interface FileSession {
  /** Name within the file: the id if it can be part of a URL, else the number, from 1. */
  readonly key: string;
  readonly id?: string;
  /** Line of its first record. */
  readonly line: LineNumber;
  readonly records: number;
  /** First records, from which the title is read. Empty for all but the first sessions of a file. */
  readonly head: readonly SourceRecord[];
}

/** Records of one session, to be read alone. */
export interface ChosenRecords {
  readonly key: string;
  /** Returns a function to call for each record from the first on: true if the record belongs to the session. Records may be added meanwhile. */
  readonly newSelector: () => () => boolean;
  /** Becomes another object when earlier records may have moved to another session. */
  readonly grouping: object;
}

/** Number of sessions whose first records are kept, and the records and bytes kept of each. */
const HEADS = 100;
const HEAD_RECORDS = 30;
const HEAD_BYTES = 256 << 10;

/** Ids that can be part of a URL as they are. */
const PLAIN_ID = /^[\w-][\w.-]{0,79}$/;

const NONE = -1;

/** Prefix of subagents' keys. */
const SUBAGENT = "agent-";

/** Name within its file of a subagent whose records are in another session's file; `undefined` for an id that cannot be part of a URL. */
export function subagentKey(agentId: string): string | undefined {
  return PLAIN_ID.test(agentId) ? `${SUBAGENT}${agentId}` : undefined;
}

/** True if a session's name within its file is that of a subagent. */
export function isSubagentKey(key: string): boolean {
  return key.startsWith(SUBAGENT);
}

/**
 * Separates the sessions in one file. Takes every record, in order; memory grows with the number of session changes. Results can be read at any time
 * and hold for the records so far; adding may continue.
 */
export class FileSessions {
  readonly #markOf: (record: SourceRecord) => SessionMark;
  readonly #byId = new Map<string, number>();
  readonly #parts: Part[] = [];
  /** For every part, the part that it was joined to; itself if it represents its whole session. */
  readonly #joined = new Integers();
  /** Part of every record. */
  readonly #owners = new RunLengths();
  /** Subagent of every record. */
  readonly #agents = new RunLengths();
  readonly #agentOf: (record: SourceRecord["value"]) => string | undefined;
  readonly #knownAgents = new Map<string, { readonly number: number; readonly grouping: object }>();
  readonly #records = new IdTable();
  readonly #partOfRecord = new Integers();
  /** Parts that follow a record which has not appeared yet, and that record. */
  #waiting: (readonly [part: number, record: number])[] = [];
  /** Keyed by the part that represents a session; cleared when parts are joined. */
  readonly #groupings = new Map<number, object>();
  #current = NONE;

  /**
   * @param markOf reads a record's mark; the reader supplies it, and it may hold state over the records of the file
   * @param agentOf returns the subagent of a record, if any
   */
  constructor(
    markOf: (record: SourceRecord) => SessionMark,
    agentOf: ReturnType<NonNullable<Reader["subagentMarks"]>> = () => undefined,
  ) {
    this.#markOf = markOf;
    this.#agentOf = agentOf;
  }

  add(record: SourceRecord): void {
    const mark = this.#markOf(record);
    const before = this.#current;
    const part = this.#partOf(mark, record);
    this.#current = part;
    if (mark.continues === true && before !== NONE) this.#join(before, part);
    this.#link(mark, part);
    this.#keep(part, record);
    this.#owners.push(part);
    this.#agents.push(this.#agentNumber(this.#agentOf(record.value)));
  }

  #agentNumber(agent: string | undefined): number {
    if (agent === undefined) return NONE;
    const known = this.#knownAgents.get(agent) ?? { number: this.#knownAgents.size, grouping: {} };
    this.#knownAgents.set(agent, known);
    return known.number;
  }

  /** Sessions in the order of their first records. */
  sessions(): readonly FileSession[] {
    return this.#found().map(({ session }) => session);
  }

  /**
   * Finds the session with this key or id, or with an id that some of its records had, or the subagent with this key; `undefined` if there is none.
   */
  choose(wanted: string): ChosenRecords | undefined {
    const found = this.#found();
    const part = this.#byId.get(wanted);
    const chosen =
      found.find(({ session }) => session.key === wanted) ??
      found.find(({ session }) => session.id === wanted) ??
      found.find(({ root }) => part !== undefined && root === this.#root(part));
    if (chosen === undefined) return this.#chooseAgent(wanted);
    const { root, session } = chosen;
    const grouping = this.#groupings.get(root) ?? {};
    this.#groupings.set(root, grouping);
    return { key: session.key, newSelector: () => this.#selectorOf(root), grouping };
  }

  /** Chooses a subagent's records, at any position in the file. */
  #chooseAgent(key: string): ChosenRecords | undefined {
    const agent = isSubagentKey(key) ? this.#knownAgents.get(key.slice(SUBAGENT.length)) : undefined;
    if (agent === undefined) return undefined;
    const newSelector = () => {
      const next = this.#agents.walk();
      return () => next() === agent.number;
    };
    return { key, newSelector, grouping: agent.grouping };
  }

  #selectorOf(root: number): () => boolean {
    const next = this.#owners.walk();
    return () => this.#root(next()) === root;
  }

  #partOf({ session, begins }: SessionMark, { line }: SourceRecord): number {
    if (session === undefined && begins !== true && this.#current !== NONE) return this.#current;
    const known = session === undefined || begins === true ? undefined : this.#byId.get(session);
    if (known !== undefined) return known;
    // Records before the first one with a session belong to the first session.
    const first = this.#parts[0];
    if (first !== undefined && this.#parts.length === 1 && first.id === undefined && !first.began) {
      this.#parts[0] = { ...first, id: session, began: true };
      if (session !== undefined) this.#byId.set(session, 0);
      return 0;
    }
    const part = this.#parts.length;
    const began = session !== undefined || begins === true;
    this.#parts.push({ id: session, line, began, records: 0, bytes: 0, head: [] });
    this.#joined.push(part);
    if (session !== undefined) this.#byId.set(session, part);
    return part;
  }

  #link({ id, follows = [] }: SessionMark, part: number): void {
    for (const followed of follows) {
      if (followed === undefined) continue;
      const record = this.#records.index(followed);
      const owner = this.#ownerOf(record);
      if (owner === NONE) this.#waiting.push([part, record]);
      else this.#join(owner, part);
    }
    if (id === undefined) return;
    const record = this.#records.index(id);
    const owner = this.#ownerOf(record);
    if (owner === NONE) this.#partOfRecord.set(record, part + 1);
    else this.#join(owner, part);
  }

  #ownerOf(record: number): number {
    while (this.#partOfRecord.length <= record) this.#partOfRecord.push(0);
    return this.#partOfRecord.at(record) - 1;
  }

  #keep(part: number, record: SourceRecord): void {
    const one = this.#parts[part];
    if (one === undefined) return;
    one.records += 1;
    const isSmall = one.head.length < HEAD_RECORDS && one.bytes + record.length <= HEAD_BYTES;
    if (part >= HEADS || (one.head.length > 0 && !isSmall)) return;
    one.head.push(record);
    one.bytes += record.length;
  }

  #root(part: number): number {
    let root = part;
    while (this.#joined.at(root) !== root) root = this.#joined.at(root);
    // Path compression: the next lookup takes one step.
    for (let at = part; at !== root; ) {
      const next = this.#joined.at(at);
      this.#joined.set(at, root);
      at = next;
    }
    return root;
  }

  /** Joins two parts; the earlier one represents both. */
  #join(a: number, b: number): void {
    const [first, second] = [this.#root(a), this.#root(b)].sort((x, y) => x - y);
    if (first === undefined || second === undefined || first === second) return;
    this.#joined.set(second, first);
    this.#groupings.clear();
  }

  #found(): readonly { readonly root: number; readonly session: FileSession }[] {
    this.#waiting = this.#waiting.filter(([part, record]) => {
      const owner = this.#ownerOf(record);
      if (owner !== NONE) this.#join(owner, part);
      return owner === NONE;
    });
    const groups = new Map<number, Part[]>();
    for (const [part, one] of this.#parts.entries()) {
      const root = this.#root(part);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [one]);
      else group.push(one);
    }
    const taken = new Set<string>();
    return [...groups].map(([root, parts], index) => ({ root, session: sessionOf(parts, index + 1, taken) }));
  }
}

/** A number per record, run-length encoded: most records have the number of the one before. */
class RunLengths {
  /** Index after the last record of every run, and the run's number. */
  readonly #ends = new Integers();
  readonly #values = new Integers();

  push(value: number): void {
    const last = this.#values.length - 1;
    if (last >= 0 && this.#values.at(last) === value) this.#ends.set(last, this.#ends.at(last) + 1);
    else {
      this.#ends.push((last < 0 ? 0 : this.#ends.at(last)) + 1);
      this.#values.push(value);
    }
  }

  /** Returns a function that yields the records' numbers in order. More may be added meanwhile. */
  walk(): () => number {
    let record = 0;
    let run = 0;
    return () => {
      while (run < this.#ends.length - 1 && record >= this.#ends.at(run)) run += 1;
      record += 1;
      return this.#values.at(run);
    };
  }
}

/** Records with one id, or between two session starts. */
interface Part {
  readonly id: string | undefined;
  readonly line: LineNumber;
  /** True if a record named its session or started one. */
  readonly began: boolean;
  records: number;
  bytes: number;
  readonly head: SourceRecord[];
}

/** Combines the parts of one session. The part with the most records supplies the id, since the other parts are copies from elsewhere. */
function sessionOf(parts: readonly Part[], number: number, taken: Set<string>): FileSession {
  const [first] = parts;
  const id = parts.reduce((most, part) => (part.records > most.records ? part : most)).id;
  let key = id !== undefined && PLAIN_ID.test(id) && !taken.has(id) ? id : `${number}`;
  while (taken.has(key)) key = `${key}-${number}`;
  taken.add(key);
  return {
    key,
    ...(id === undefined ? {} : { id }),
    line: first?.line ?? 1,
    records: parts.reduce((sum, part) => sum + part.records, 0),
    head: parts.flatMap(({ head }) => head).slice(0, HEAD_RECORDS),
  };
}
