import { LRUCache } from "lru-cache";
import { sameItems } from "@/lib/core/columns/delta";
import type { OpenTranscript } from "../read-transcript";
import type { KnownRows } from "./count-items";

/** Earlier counts of a file. */
interface Counted<Rule> {
  readonly open: OpenTranscript;
  readonly rule: Rule;
  readonly numbers: KnownRows["numbers"];
}

/** Maximum cached columns of growing files. */
const KEPT = 16;
const NOTHING: KnownRows = { rows: 0, numbers: {} };

/** Numbers of growing files' items: only new items are counted. */
export class CountedRows<Rule> {
  readonly #kept = new LRUCache<string, Counted<Rule>>({ max: KEPT });

  /**
   * A counter, and the known rows.
   * @param key names the count and its file
   * @param newRule makes a counter if the old one cannot continue
   */
  begin(key: string, open: OpenTranscript, newRule: () => Rule): { readonly rule: Rule; readonly known: KnownRows } {
    const kept = this.#kept.get(key);
    const goesOn = kept !== undefined && open.reading !== undefined && kept.open.reading === open.reading;
    if (!goesOn) return { rule: newRule(), known: NOTHING };
    return { rule: kept.rule, known: { rows: sameItems(kept.open.columns, open.columns), numbers: kept.numbers } };
  }

  /** Keeps the numbers of every row, if the file may grow. */
  keep(key: string, open: OpenTranscript, rule: Rule, numbers: KnownRows["numbers"]): void {
    if (open.reading !== undefined) this.#kept.set(key, { open, rule, numbers });
  }
}
