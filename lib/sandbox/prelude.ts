/** Requests from inside to the host, by number: a call across the border is the most expensive step. */
export const ASK = {
  columns: 0,
  buffer: 1,
  list: 2,
  results: 3,
  clearable: 4,
  hasClearable: 5,
  has: 6,
  isWhole: 7,
  tokensOf: 8,
  allTokens: 9,
  countOf: 10,
  allCounts: 11,
  synthetic: 12,
  sent: 13,
  addedCount: 14,
  columnNames: 15,
} as const;

/** The numbers of every call, in this order. */
const FRAME = [
  ...["request", "window", "overhead", "lastInput", "lastOutput", "recordedOutput", "firstInput", "added"],
  ...["history", "turnStart", "compactions", "summaryCalls", "length"],
] as const;

/** Maximum recordings whose columns are held inside. */
const HELD_COLUMNS = 4;
/** Maximum runs held inside: few overlap. */
const HELD_RUNS = 64;
/** Number of sizes requested one by one before all of them are sent at once. */
const ONE_BY_ONE = 12;

/**
 * Code that runs inside before a policy: it builds the view of `ContextView` from the host's numbers, and returns the policy's answers as JSON. It
 * captures the built-ins that it uses first, since a policy may replace them.
 */
export const PRELUDE = `(host) => {
  "use strict";
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const apply = Reflect.apply;
  const [mapGet, mapSet, mapDelete, mapKeys] = [Map.prototype.get, Map.prototype.set, Map.prototype.delete, Map.prototype.keys];
  const nextOf = Object.getPrototypeOf(new Map().keys()).next;
  const TYPES = { Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array };
  const { Int32Array: Int32, Float64Array: Float64 } = TYPES;

  // A policy is deterministic: there is no clock and no randomness inside.
  const refuse = (name) => () => {
    throw new Error("a policy is deterministic, so there is no " + name);
  };
  const noClock = refuse("clock");
  Date.now = noClock;
  globalThis.Date = class extends Date {
    constructor(...of) {
      if (of.length === 0) noClock();
      super(...of);
    }
  };
  delete globalThis.performance;
  Math.random = refuse("Math.random");

  const hold = (map, key, value, most) => {
    apply(mapSet, map, [key, value]);
    if (map.size > most) apply(mapDelete, map, [apply(nextOf, apply(mapKeys, map, []), []).value]);
    return value;
  };
  const get = (map, key) => apply(mapGet, map, [key]);

  const held = new Map();
  const columnsOf = (id) => {
    const known = get(held, id);
    if (known !== undefined) return known;
    const columns = {};
    const names = parse(host(${ASK.columnNames}, id));
    for (let at = 0; at < names.length; at++) {
      const name = names[at];
      const read = () => {
        const json = host(${ASK.columns}, id, at);
        const value = parse(json, (key, one) =>
          one !== null && typeof one === "object" && one["\\u0000type"] !== undefined
            ? new TYPES[one["\\u0000type"]](host(${ASK.buffer}, one.at))
            : one,
        );
        defineProperty(columns, name, { value, enumerable: true, configurable: true, writable: true });
        return value;
      };
      defineProperty(columns, name, { get: read, enumerable: true, configurable: true });
    }
    return hold(held, id, columns, ${HELD_COLUMNS});
  };

  // Data of the current call only.
  let now = {};
  let frame = [];
  const list = () => (now.list ??= new Int32(host(${ASK.list})));
  const items = {
    get length() {
      return frame[${FRAME.indexOf("length")}];
    },
    at: (position) => list()[position] ?? -1,
    list,
    results: () => (now.results ??= new Int32(host(${ASK.results}))),
    clearable: (before) => [...new Int32(host(${ASK.clearable}, before))],
    hasClearable: (before) => host(${ASK.hasClearable}, before) === 1,
    has: (item) => host(${ASK.has}, item) === 1,
    isWhole: (item) => host(${ASK.isWhole}, item) === 1,
  };
  const sizes = (one, all, kept, asked) => (item) => {
    if (now[kept] !== undefined) return now[kept][item] ?? 0;
    now[asked] = (now[asked] ?? 0) + 1;
    if (now[asked] <= ${ONE_BY_ONE}) return host(one, item);
    now[kept] = new Float64(host(all));
    return now[kept][item] ?? 0;
  };
  const view = {
    items,
    tokensOf: sizes(${ASK.tokensOf}, ${ASK.allTokens}, "tokens", "tokensAsked"),
    countOf: sizes(${ASK.countOf}, ${ASK.allCounts}, "counts", "countsAsked"),
    synthetic: (item) => {
      const json = host(${ASK.synthetic}, item);
      return json === undefined ? undefined : parse(json);
    },
    get sent() {
      return (now.sent ??= new Int32(host(${ASK.sent})));
    },
    get addedCount() {
      return host(${ASK.addedCount});
    },
  };
  const names = ${JSON.stringify(FRAME)};
  for (let at = 0; at < names.length - 1; at++) {
    const name = names[at];
    const read =
      name === "turnStart" ? () => frame[at] === 1 :
      name === "recordedOutput" ? () => (frame[at] === frame[at] ? frame[at] : undefined) :
      () => frame[at];
    defineProperty(view, name, { get: read, enumerable: true });
  }

  let policy;
  const planOf = (json, id) => ({ ...parse(json), columns: columnsOf(id) });
  const runs = new Map();
  const lineOf = (one) => (typeof one === "function" && typeof one.lineNumber === "number" ? one.lineNumber : 0);
  // Every answer includes the line of its function: the host checks it.
  const answered = (value, line) => {
    const json = value === undefined ? undefined : stringify(value);
    return stringify({ line, json });
  };
  return {
    take: (exported) => {
      policy = exported.default;
      if (policy === null || typeof policy !== "object") return undefined;
      const functions = {};
      for (const name of ["settings", "begin", "threshold", "looksBack", "pairedTokens"]) functions[name] = typeof policy[name];
      const entryRule = policy.entryRule === undefined ? undefined : { settings: policy.entryRule.settings, tokens: typeof policy.entryRule.tokens };
      return stringify({ ...policy, functions, entryRule });
    },
    settings: (preset, context) => answered(policy.settings(preset, parse(context)), lineOf(policy.settings)),
    threshold: (chosen) => answered(policy.threshold(parse(chosen)), lineOf(policy.threshold)),
    looksBack: (chosen) => answered(policy.looksBack(parse(chosen)), lineOf(policy.looksBack)),
    paired: (plan, id, item, tokens) =>
      answered(policy.pairedTokens(planOf(plan, id), item, tokens), lineOf(policy.pairedTokens)),
    entry: (plan, id, item, tokens) =>
      answered(policy.entryRule.tokens(planOf(plan, id), item, tokens), lineOf(policy.entryRule.tokens)),
    begin: (key, plan, id) => {
      const run = policy.begin(planOf(plan, id));
      if (run === null || typeof run !== "object" || typeof run.before !== "function") return answered("", lineOf(policy.begin));
      hold(runs, key, run, ${HELD_RUNS});
      return answered({ compacts: typeof run.compact === "function" }, lineOf(policy.begin));
    },
    before: (key, id, numbers) => {
      now = {};
      frame = new Float64(numbers);
      view.columns = columnsOf(id);
      const run = get(runs, key);
      return answered(run.before(view), lineOf(run.before));
    },
    compact: (key, id, numbers) => {
      now = {};
      frame = new Float64(numbers);
      view.columns = columnsOf(id);
      const run = get(runs, key);
      return answered(run.compact(view), lineOf(run.compact));
    },
  };
}`;
