import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { assertDefined } from "@/lib/core/base/assert";
import type { Bytes } from "@/lib/core/base/units";
import { decodeColumns, encodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { type ItemFilter, itemFilter } from "@/lib/core/columns/item-filter";
import type { RequestKeys } from "@/lib/core/columns/request-keys";
import { sizeTokenColumn, tokenColumn, withTokenColumn } from "@/lib/core/columns/token-columns";
import type { ContextOverhead } from "@/lib/core/context/context-overhead";
import type { ContextProfile } from "@/lib/core/context/profile";
import { entriesOf, type Prices } from "@/lib/core/prices/prices";
import type { Ledger } from "@/lib/core/refetch/ledger";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { withShortLists } from "@/lib/queries/boundaries/summarise";
import type { AccuracyRow, ItemText, SearchAnswer, SessionSummary, Sparkline } from "@/lib/queries/contract/schemas";
import { counters } from "../base/counters";
import { withinTokens } from "../base/input-error";
import { ResultCache } from "../base/once";
import { type AccuracyChoice, accuracyOfSession } from "../read/numbers/accuracy";
import { MAX_COUNTED_AT_ONCE } from "../read/numbers/count-items";
import { requireEstimator } from "../read/numbers/estimators";
import { hasMeasures } from "../read/numbers/measures";
import type { FileVersion } from "../read/source-file";
import type { ContextTexts, WantedItem } from "../read/texts/context-messages";
import { type ItemPlaces, placedItems, placesBytes } from "../read/texts/item-places";
import type { ItemRange } from "../read/texts/load-items";
import type { MaskedItem } from "../read/texts/masked-items";
import type { ContextTask, IngestAnswer, LedgerTask, TaskRunner } from "../threads/tasks";
import { modelsOf, policiesOf, type ThreadQueries, type ThreadQuery } from "../threads/thread-queries";

/** Maximum bytes of a file next to a recording. */
const COMPANION_BYTES = 16 << 20;

/** Maximum items returned by one search; the total covers all matches. */
const MAX_FOUND = 50_000;

/** A session as numbers, in the state of its file when it was read. It answers every query about it. */
export class OpenedSession {
  readonly summary: SessionSummary;
  readonly sparkline: Sparkline;
  readonly version: FileVersion;
  readonly requestKeys: RequestKeys;
  /** The columns as the reading thread encoded them, and the estimators whose tokens they include. */
  readonly encoded: { readonly bytes: Uint8Array<ArrayBuffer>; readonly tokens: readonly string[] };
  /** Without token columns. */
  readonly columns: SessionColumns;
  /** The agent's own report of its overhead, if the file alone is not enough to compute it. */
  readonly reported: ContextOverhead | undefined;
  readonly #places: ItemPlaces;
  readonly #path: string;
  readonly #runner: TaskRunner;
  readonly #tokens: ResultCache<Int32Array>;
  readonly #accuracy: ResultCache<AccuracyRow[] | null>;
  readonly #measures: ResultCache<Record<string, Int32Array>>;
  readonly #ledgers: ResultCache<Ledger>;

  /** @param read result of reading the file, or the session as another runner holds it */
  constructor(path: string, read: IngestAnswer | OpenedSession, runner: TaskRunner) {
    const isOpen = read instanceof OpenedSession;
    this.summary = isOpen ? read.summary : withShortLists(read.summary);
    this.sparkline = read.sparkline;
    this.version = read.version;
    this.requestKeys = read.requestKeys;
    const decoded = isOpen ? read.columns : decodeColumns(read.columns);
    this.columns = isOpen ? read.columns : { ...decoded, tokens: {} };
    this.encoded = isOpen ? read.encoded : { bytes: read.columns, tokens: Object.keys(decoded.tokens) };
    this.reported = read.reported;
    this.#places = isOpen ? read.#places : read.places;
    this.#tokens = new ResultCache(isOpen ? read.#tokens : decoded.tokens);
    this.#accuracy = new ResultCache(isOpen ? read.#accuracy : undefined);
    this.#measures = new ResultCache(isOpen ? read.#measures : undefined);
    this.#ledgers = new ResultCache(isOpen ? read.#ledgers : undefined);
    this.#path = path;
    this.#runner = runner;
  }

  /** The same session, answered by another runner. Each uses the other's finished counts, but does not wait for unfinished ones. */
  by(runner: TaskRunner): OpenedSession {
    return runner === this.#runner ? this : new OpenedSession(this.#path, this, runner);
  }

  /** Approximate memory; it grows with every requested estimator. */
  get bytes(): number {
    const perRow = 60;
    return (
      4096 + placesBytes(this.#places) + this.columns.length * perRow + this.columns.length * 4 * this.#tokens.size
    );
  }

  /** The token column of an estimator, counted once for all callers. Rejects with `UnknownEstimatorError` and, if the file has changed, `InputError`. */
  async tokens(estimator: string): Promise<Int32Array> {
    return this.#tokens.get(estimator, () => this.#count(estimator));
  }

  /** Counts by new estimators, in one pass over the texts if the runner can. Rejects as `tokens` does. */
  async countTogether(estimators: readonly string[]): Promise<void> {
    const open = estimators.filter((estimator) => !isSizeEstimator(estimator) && !this.#tokens.has(estimator));
    const counting = this.#runner.countAll?.({ path: this.#path, version: this.version, estimators: open });
    if (counting === undefined) return;
    const tokensOf = async (estimator: string) =>
      this.#tokensOf(assertDefined((await counting)[estimator], "the tokens that were counted"));
    await Promise.all(open.map((estimator) => this.#tokens.get(estimator, () => tokensOf(estimator))));
  }

  /** Accuracy of estimators, computed once. Rejects with `UnknownEstimatorError` and, if the file has changed, `InputError`. */
  accuracy(choice: AccuracyChoice): Promise<AccuracyRow[] | null> {
    const { summary, columns } = this;
    const tokens = (estimator: string) => this.tokens(estimator);
    return this.#accuracy.get(String(choice), () => accuracyOfSession(choice, { summary, columns, tokens }));
  }

  /** The columns with a policy's data beyond tokens, measured once. Rejects with `InputError`. */
  async columnsFor(policies: readonly string[]): Promise<SessionColumns> {
    const wanted = [...new Set(policies)].filter(hasMeasures);
    // New measures are made in one pass.
    const open = wanted.filter((policy) => !this.#measures.has(policy));
    const measuring =
      open.length === 0
        ? undefined
        : this.#runner.run("measure", { path: this.#path, version: this.version, policies: open });
    const found = await Promise.all(
      wanted.map((policy) => this.#measures.get(policy, async () => (await measuring)?.[policy] ?? {})),
    );
    return { ...this.columns, measures: Object.assign({}, ...found) };
  }

  /**
   * Re-fetches after some boundaries, which need every text. Rejects with `InputError`.
   * @param key names a repeated query, such as the recording's: it is computed once
   */
  ledger(asked: Omit<LedgerTask, "path" | "version">, key?: string): Promise<Ledger> {
    const ask = () => this.#runner.run("ledger", { path: this.#path, version: this.version, ...asked });
    return key === undefined ? ask() : this.#ledgers.get(key, ask);
  }

  /** Texts of the items at a compaction, and the policy's prompt over them. Rejects with `InputError`. */
  contextTexts(
    items: readonly WantedItem[],
    choice: Pick<ContextTask, "policy" | "preset" | "settings" | "asks">,
  ): Promise<ContextTexts> {
    return this.#runner.run("context", { path: this.#path, version: this.version, items, ...choice });
  }

  /** Text of a file next to the recording; `undefined` if there is no readable file of that name, or it is too large. */
  async companion(name: string): Promise<string | undefined> {
    const path = join(dirname(this.#path), name);
    try {
      const info = await stat(path);
      return !info.isFile() || info.size > COMPANION_BYTES ? undefined : await readFile(path, "utf8");
    } catch {
      // The file is optional: a recording copied from its folder has none.
      return undefined;
    }
  }

  /** Texts of some items, as the JSON of the answer; items beyond the last are omitted. Rejects with `InputError`. */
  items({ from, to, maxChars }: ItemRange): Promise<Uint8Array<ArrayBuffer>> {
    const items = placedItems(this.columns, this.#places, { from, to });
    const { format } = this.summary;
    return this.#runner.run("items", { path: this.#path, version: this.version, format, items, from, maxChars });
  }

  /** As `items`, with whole texts. Rejects with `InputError`. */
  async texts({ from, to }: Pick<ItemRange, "from" | "to">): Promise<readonly ItemText[]> {
    const json = await this.items({ from, to, maxChars: Number.MAX_SAFE_INTEGER });
    // The runner's result type of this task.
    return (JSON.parse(new TextDecoder().decode(json)) as { readonly items: readonly ItemText[] }).items;
  }

  /** As `texts`, with likely secrets masked. Rejects with `InputError`. */
  async maskedItems({ from, to }: Pick<ItemRange, "from" | "to">): Promise<readonly MaskedItem[]> {
    const items = placedItems(this.columns, this.#places, { from, to });
    const task = { path: this.#path, version: this.version, format: this.summary.format, items, from };
    const json = await this.#runner.run("items", { ...task, maxChars: Number.MAX_SAFE_INTEGER, masked: true });
    // The runner's result type of this task.
    return (JSON.parse(new TextDecoder().decode(json)) as { readonly items: readonly MaskedItem[] }).items;
  }

  /** The payload of an image item; empty for every other one. Rejects with `InputError`. */
  image(item: number): Promise<Uint8Array<ArrayBuffer>> {
    const items = placedItems(this.columns, this.#places, { from: item, to: item + 1 });
    const task = { path: this.#path, version: this.version, format: this.summary.format, items };
    return this.#runner.run("items", { ...task, from: item, maxChars: 0, image: true });
  }

  /**
   * The items that meet the conditions and contain the query in their text or file path, ignoring case. A match in the path counts only without one
   * in the text. Without a query, every item that meets the conditions is found. Rejects with `InputError`.
   */
  async search(query: string | undefined, filter: ItemFilter = {}): Promise<SearchAnswer> {
    const passes = itemFilter(this.columns, filter);
    const items: number[] = [];
    const found: number[] = [];
    for (const [item, count] of query === undefined ? this.#eachItem() : await this.#holding(query)) {
      if (!passes(item)) continue;
      items.push(item);
      found.push(count);
    }
    const matches = found.reduce((sum, count) => sum + count, 0);
    const total = items.length;
    return { total, matches, items: items.slice(0, MAX_FOUND), counts: found.slice(0, MAX_FOUND) };
  }

  /** A thread's answer to a query that names a user's policy, which runs nowhere else; `undefined` if it names none. */
  inThread<Kind extends keyof ThreadQueries>(
    query: ThreadQuery & { readonly kind: Kind },
    profile: ContextProfile | undefined,
    prices: Prices,
  ): Promise<ThreadQueries[Kind]["answer"]> | undefined {
    const policies = policiesOf(query);
    if (this.#runner.runsApart?.(policies) !== true) return undefined;
    const { version, summary, sparkline, requestKeys, encoded } = this;
    const read = { version, summary, sparkline, requestKeys, columns: encoded.bytes, places: this.#places };
    const models = [...this.columns.tables.models, ...modelsOf(query)];
    const task = { path: this.#path, read, query, profile, prices: entriesOf(models, prices) };
    // The thread answers the query of that kind.
    return this.#runner.run("query", task) as ReturnType<typeof this.inThread<Kind>>;
  }

  /** Name of the file, without folders. */
  get fileName(): string {
    return basename(this.#path);
  }

  /** Every item except overhead. */
  #eachItem(): readonly (readonly [item: number, count: number])[] {
    const { length, overheadRows } = this.columns;
    return Array.from({ length: length - overheadRows }, (_, at) => [overheadRows + at, 1] as const);
  }

  /** The items that contain a text, each with its number of matches. */
  async #holding(query: string): Promise<readonly (readonly [item: number, count: number])[]> {
    const { file, tables, length } = this.columns;
    const { rows, counts } = await this.#runner.run("search", { path: this.#path, version: this.version, query });
    const named = tables.files.map((path) => path.toLowerCase().includes(query.toLowerCase()));
    const found: (readonly [item: number, count: number])[] = [];
    for (let item = 0, at = 0; item < length; item++) {
      const inText = rows[at] === item ? (counts[at++] ?? 0) : 0;
      const count = inText > 0 ? inText : Number(named[file[item] ?? -1] === true);
      if (count > 0) found.push([item, count]);
    }
    return found;
  }

  async #count(estimator: string): Promise<Int32Array> {
    const { file } = this.summary;
    if (isSizeEstimator(estimator)) return withinTokens(file, () => sizeTokenColumn(this.columns, estimator));
    requireEstimator(estimator);
    return this.#tokensOf(await this.#runner.run("count", { path: this.#path, version: this.version, estimator }));
  }

  #tokensOf(perItem: Int32Array): Int32Array {
    return withinTokens(this.summary.file, () => tokenColumn(this.columns, perItem));
  }
}

/** Columns beyond the basic ones. */
export interface WantedColumns {
  /** Estimators of the requested token columns; `OWN` for the estimator of the recording's agent. */
  readonly estimators: readonly string[];
  /** Policies of the requested measures. */
  readonly policies: readonly string[];
}

/** Stands for the estimator of the recording's own agent, for callers that do not know it before the file is read. */
const OWN = "own";

/** The requested columns as a string, for keys and entity tags. */
export function wantedKey({ estimators, policies }: WantedColumns): string {
  return `${estimators.join("+")}~${policies.join("+")}`;
}

/** The encoded requested columns. Rejects with `InputError` and `UnknownEstimatorError`. */
export async function encodedColumns(session: OpenedSession, wanted: WantedColumns): Promise<Uint8Array<ArrayBuffer>> {
  const estimators = idsOf(wanted.estimators, session.summary, session.version.bytes);
  const { bytes, tokens } = session.encoded;
  if (wanted.policies.length === 0 && estimators.join() === tokens.join()) return bytes;
  const columns = await columnsOf(session, { ...wanted, estimators });
  counters.columnsEncoded += 1;
  return encodeColumns(columns);
}

/** Ids of the requested estimators, each once. That of the recording's agent is omitted for a large file, unless it is named. */
export function idsOf(wanted: readonly string[], summary: SessionSummary, bytes: Bytes): string[] {
  const own = bytes <= MAX_COUNTED_AT_ONCE ? [ownEstimator(summary)] : [];
  return [...new Set(wanted.flatMap((id) => (id === OWN ? own : [id])))];
}

/** The columns with the requested additions. Rejects with `InputError` and `UnknownEstimatorError`. */
export async function columnsOf(
  session: OpenedSession,
  { estimators, policies }: WantedColumns,
): Promise<SessionColumns> {
  let columns = await session.columnsFor(policies);
  const counted = await Promise.all(estimators.map(async (id) => [id, await session.tokens(id)] as const));
  for (const [id, tokens] of counted) columns = withTokenColumn(columns, id, tokens);
  return columns;
}

/** The columns of a query, each once, in a fixed order. Throws `UnknownEstimatorError`. */
export function wantedBy(query: URLSearchParams): WantedColumns {
  const estimators = listOf(query.get("tokens"));
  for (const id of estimators) if (id !== OWN) requireEstimator(id);
  // A policy without measures of its own needs none.
  return { estimators, policies: listOf(query.get("measures")).filter(hasMeasures) };
}

function listOf(text: string | null): string[] {
  return [...new Set((text ?? "").split(","))].filter((id) => id !== "").sort();
}
