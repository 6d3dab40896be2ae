import { assertDefined } from "@/lib/core/base/assert";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyChosen,
  PolicyContext,
  PolicyPlan,
  PolicyRun,
} from "@/lib/core/compaction/policy/policy";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";
import { checkedCompaction, checkedLabel, checkedPresets, checkedSpecs, InvalidAnswer } from "./checked-answers";
import { type Interpreter, newInterpreter } from "./interpreter";
import { ASK } from "./prelude";
import { type Limits, Realm } from "./realm";

/** The source of a user's policy. */
export interface OwnSource {
  /** Its id in replays: the file name without the suffix. */
  readonly id: string;
  /** Its file name without folders, for messages. */
  readonly file: string;
  readonly text: string;
}

/** A user's policy, ready for replays like a built-in one: all its code runs in a separate realm. */
export interface OwnPolicy extends Policy {
  /** Its file name, for messages. */
  readonly own: string;
  /** True after it was stopped; it cannot be called again. */
  readonly isEnded: () => boolean;
  /** Releases its memory; it cannot be called again. */
  readonly dispose: () => void;
}

/**
 * Loads a policy from its source. Rejects with `PolicyError` if that is invalid.
 * @param wasm the interpreter's code; by default it is read from the package
 */
export async function ownPolicy(source: OwnSource, limits: Limits, wasm?: ArrayBuffer): Promise<OwnPolicy> {
  return new Loaded(await newInterpreter(limits.megabytes, wasm), source, limits).policy();
}

/** The prelude's description of a module's exports. */
interface Exported {
  readonly label?: unknown;
  readonly presets?: unknown;
  readonly summarises?: unknown;
  readonly clearsBy?: unknown;
  readonly functions: Readonly<Record<"settings" | "begin" | "threshold" | "looksBack" | "pairedTokens", string>>;
  readonly entryRule?: { readonly settings?: unknown; readonly tokens: string };
}

/** Maximum recordings held for a policy. */
const HELD_RECORDINGS = 8;
/** Maximum cached answers about settings. */
const KNOWN_ANSWERS = 200;

class Loaded {
  readonly #source: OwnSource;
  readonly #limits: Limits;
  readonly #realm: Realm;
  /** The inputs of the current call. */
  #view: ContextView | undefined;
  /** The current recordings, by their numbers inside. */
  readonly #columns = new Map<number, SessionColumns>();
  readonly #numberOf = new WeakMap<SessionColumns, number>();
  #recordings = 0;
  /** Arrays of the column in transfer. */
  #buffers: readonly ArrayBuffer[] = [];
  readonly #answers = new Map<string, unknown>();
  #runs = 0;

  constructor(interpreter: Interpreter, source: OwnSource, limits: Limits) {
    this.#source = source;
    this.#limits = limits;
    this.#realm = new Realm(interpreter, source.file, (...asked) => this.#answer(...asked), limits);
  }

  policy(): OwnPolicy {
    const { id, file } = this.#source;
    const answer = this.#realm.load(this.#source.text);
    const exported: Exported | undefined = answer === undefined ? undefined : JSON.parse(answer);
    if (exported === undefined || exported.functions.begin !== "function") {
      throw this.#realm.failure(0, "there is no policy in it: its default export must be an object with begin.");
    }
    const { functions, entryRule } = exported;
    return {
      id,
      own: file,
      label: this.#checked(0, "as it was loaded", () => checkedLabel(exported.label, id)),
      presets: this.#checked(0, "as it was loaded", () => checkedPresets(exported.presets)),
      settings: functions.settings === "function" ? (preset, context) => this.#settings(preset, context) : () => [],
      ...(exported.summarises === false ? { summarises: false } : {}),
      ...(exported.clearsBy === "pruning" || exported.clearsBy === "masking" ? { clearsBy: exported.clearsBy } : {}),
      ...(functions.threshold === "function" ? { threshold: (chosen) => this.#threshold(chosen) } : {}),
      ...(functions.looksBack === "function" ? { looksBack: (chosen) => this.#looksBack(chosen) } : {}),
      ...(entryRule?.tokens === "function" && Array.isArray(entryRule.settings)
        ? {
            entryRule: {
              settings: entryRule.settings.map(String),
              tokens: (plan, item, tokens) => this.#sizeOf("entry", plan.columns, chosenText(plan), item, tokens),
            },
          }
        : {}),
      ...(functions.pairedTokens === "function"
        ? {
            pairedTokens: ({ columns, preset, own }, item, tokens) =>
              this.#sizeOf("paired", columns, JSON.stringify({ preset, own }), item, tokens),
          }
        : {}),
      begin: (plan) => this.#begin(plan),
      isEnded: () => this.#realm.isEnded,
      dispose: () => this.#realm.dispose(),
    };
  }

  #settings(preset: string, context: PolicyContext): readonly SettingSpec[] {
    return this.#asked("settings", [preset, JSON.stringify(context)], "asked for its settings", checkedSpecs);
  }

  #threshold(chosen: PolicyChosen): number {
    return this.#asked("threshold", [chosenText(chosen)], "asked for its threshold", (value) => {
      if (typeof value !== "number") throw new InvalidAnswer("a threshold must be a number of tokens");
      return value;
    });
  }

  #looksBack(chosen: PolicyChosen): boolean {
    return this.#asked("looksBack", [chosenText(chosen)], "asked whether it looks back", (value) => value === true);
  }

  /** The sent size of an item, by the policy. */
  #sizeOf(name: "entry" | "paired", columns: SessionColumns, plan: string, item: number, tokens: number): number {
    const when = name === "entry" ? `as item ${item} entered` : `as item ${item} was paired`;
    const { value } = this.#realm.call(name, [plan, this.#numberFor(columns), item, tokens], when);
    return this.#answerOf(value, when, (size) => {
      if (typeof size !== "number" || !(size >= 0))
        throw new InvalidAnswer("a size must be a number of tokens, 0 or more");
      return Math.floor(size);
    });
  }

  /** Equal calls have equal answers, so each is made once. */
  #asked<T>(
    name: "settings" | "threshold" | "looksBack",
    args: readonly string[],
    when: string,
    check: (value: unknown) => T,
  ): T {
    const key = `${name}\0${args.join("\0")}`;
    const known = this.#answers.get(key);
    // Only this function stores answers there, each under a key that names its check.
    if (known !== undefined) return known as T;
    const whenAsked = `when it was ${when}`;
    const answer = this.#answerOf(this.#realm.call(name, args, whenAsked).value, whenAsked, check);
    if (this.#answers.size >= KNOWN_ANSWERS) this.#answers.clear();
    this.#answers.set(key, answer);
    return answer;
  }

  #begin(plan: PolicyPlan): PolicyRun {
    const key = this.#runs++;
    const columns = this.#numberFor(plan.columns);
    const { value, ms } = this.#realm.call("begin", [key, chosenText(plan), columns], "as a replay began");
    const compacts = this.#answerOf(value, "as a replay began", (begun) => {
      if (typeof begun !== "object" || begun === null)
        throw new InvalidAnswer("begin must answer an object with before");
      return "compacts" in begun && begun.compacts === true;
    });
    let left = this.#limits.ms - ms;
    const ask = (name: "before" | "compact", view: ContextView): Compaction | undefined => {
      const when = `before request ${view.request}`;
      this.#view = view;
      const answer = this.#realm.call(name, [key, columns, frameOf(view)], when, Math.max(1, left));
      left -= answer.ms;
      return this.#answerOf(answer.value, when, (value) =>
        value === undefined ? undefined : checkedCompaction(value, view.items.length),
      );
    };
    const before = (view: ContextView) => ask("before", view);
    return compacts ? { before, compact: (view) => ask("compact", view) } : { before };
  }

  /** A checked answer of the prelude. Throws `PolicyError`. */
  #answerOf<T>(text: string | undefined, when: string, check: (value: unknown) => T): T {
    const { line, json }: { line: number; json?: string } = JSON.parse(
      assertDefined(text, "the answer of the prelude"),
    );
    return this.#checked(line, when, () => check(json === undefined ? undefined : JSON.parse(json)));
  }

  #checked<T>(line: number, when: string, check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof InvalidAnswer)) throw error;
      throw this.#realm.failure(line, `the policy's answer ${when} is invalid: ${error.message}.`);
    }
  }

  #numberFor(columns: SessionColumns): number {
    const number = this.#numberOf.get(columns) ?? this.#recordings++;
    this.#numberOf.set(columns, number);
    this.#columns.delete(number);
    this.#columns.set(number, columns);
    const [oldest] = this.#columns.keys();
    if (this.#columns.size > HELD_RECORDINGS && oldest !== undefined) this.#columns.delete(oldest);
    return number;
  }

  /** A request of the policy. The numbers come from inside, so they are untrusted. */
  #answer(ask: number, one: number, other: number): number | string | ArrayBuffer | undefined {
    if (ask === ASK.columnNames) return JSON.stringify(Object.keys(this.#columns.get(one) ?? {}));
    if (ask === ASK.columns) return this.#columnText(one, other);
    if (ask === ASK.buffer) return this.#buffers[one];
    const view = this.#view;
    if (view === undefined) return undefined;
    const { items, columns } = view;
    const item = Number.isInteger(one) && one >= 0 ? one : -1;
    switch (ask) {
      case ASK.list:
        return copyOf(items.list());
      case ASK.results:
        return copyOf(items.results());
      case ASK.sent:
        return copyOf(view.sent);
      case ASK.clearable:
        return copyOf(Int32Array.from(items.clearable(one)));
      case ASK.hasClearable:
        return items.hasClearable(one) ? 1 : 0;
      case ASK.has:
        return items.has(item) ? 1 : 0;
      case ASK.isWhole:
        return item < columns.length && items.isWhole(item) ? 1 : 0;
      case ASK.tokensOf:
        return item < 0 ? 0 : view.tokensOf(item);
      case ASK.countOf:
        return item < 0 ? 0 : view.countOf(item);
      case ASK.allTokens:
        return sizesOf(view, (each) => view.tokensOf(each));
      case ASK.allCounts:
        return sizesOf(view, (each) => view.countOf(each));
      case ASK.addedCount:
        return view.addedCount;
      case ASK.synthetic: {
        const added = item < 0 ? undefined : view.synthetic(item);
        return added === undefined ? undefined : JSON.stringify(added);
      }
      default:
        return undefined;
    }
  }

  /** One column of a recording as JSON, in which a name and a number replace each array of numbers: its bytes are requested by that. */
  #columnText(recording: number, at: number): string {
    const buffers: ArrayBuffer[] = [];
    const text = JSON.stringify(
      Object.values(this.#columns.get(recording) ?? {})[at] ?? null,
      (_key, value: unknown) => {
        if (!ArrayBuffer.isView(value)) return value;
        const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        return { "\u0000type": value.constructor.name, at: buffers.push(copyOf(bytes)) - 1 };
      },
    );
    this.#buffers = buffers;
    return text;
  }
}

/** The numbers of a view, in the order of `FRAME`. */
function frameOf(view: ContextView): ArrayBuffer {
  const { request, window, overhead, lastInput, lastOutput, recordedOutput = Number.NaN, firstInput, added } = view;
  const { history, turnStart, compactions, summaryCalls, items } = view;
  const numbers = Float64Array.of(
    ...[request, window, overhead, lastInput, lastOutput, recordedOutput, firstInput, added],
    ...[history, turnStart ? 1 : 0, compactions, summaryCalls, items.length],
  );
  return numbers.buffer;
}

/** A policy's choice without the rest of a plan. */
function chosenText({ preset, settings, window }: PolicyChosen): string {
  return JSON.stringify({ preset, settings, window });
}

/** The bytes of one array. */
function copyOf(array: Int32Array | Uint8Array): ArrayBuffer {
  const copy = new Uint8Array(array.byteLength);
  copy.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return copy.buffer;
}

/** The sizes of the context's items, each at its index. */
function sizesOf(view: ContextView, sizeOf: (item: number) => number): ArrayBuffer {
  const list = view.items.list();
  const sizes = new Float64Array(list.reduce((most, item) => Math.max(most, item), view.columns.length - 1) + 1);
  for (const item of list) sizes[item] = sizeOf(item);
  return sizes.buffer;
}
