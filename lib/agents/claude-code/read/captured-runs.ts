import type { Chars, Tokens } from "@/lib/core/base/units";
import { type JsonObject, objectField } from "@/lib/core/records/fields";
import type { Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { streamedUsage } from "./captured";
import { sentTokens, usageOf } from "./nodes";
import { apiUsageOf } from "./schema";

/** A response of a captured run, over all of its lines. */
interface Response {
  /** The node of its last line. */
  node: number;
  /** Number of the response's message id, or of its key if it has no id. */
  readonly id: number;
  readonly model: string | undefined;
  readonly isSubagents: boolean;
  usage: Usage;
  chars: Chars;
  /** True if a line or an event states its final output. */
  isSettled: boolean;
}

/** A line of a response, before it is added. */
interface ResponseLine extends Omit<Response, "usage"> {
  readonly usage: Usage | undefined;
}

/** Tokens of one model or of all, as stated in `modelUsage` and `usage` of a `result`. */
interface Sums {
  readonly input: Tokens;
  readonly cacheRead: Tokens;
  readonly cacheWrite: Tokens;
  readonly output: Tokens;
}

/** Sums and costs that a `result` states for a run. */
interface Stated {
  /** Sum of the session's own requests. */
  readonly main: Sums | undefined;
  /** By model, the sum of all requests, including subagents and requests without a record. */
  readonly models: ReadonlyMap<string, Sums>;
  /** Dollars. */
  readonly cost: number | undefined;
  /** By model. */
  readonly costs: ReadonlyMap<string, number>;
}

/** Requests without a record of their own in the stream: their sum, by model. */
export interface Unlisted {
  readonly model: string | undefined;
  usage: Usage;
}

/** Corrections that a `result` makes to the run it ends. */
interface EndedRun {
  /** Usages that replace those of the responses' last lines. `isFinal`: their outputs are known to be complete. */
  readonly settled: readonly { readonly node: number; readonly usage: Usage; readonly isFinal: boolean }[];
  readonly unlisted: readonly Unlisted[];
  /** Context window of the session's model. */
  readonly window: Tokens | undefined;
}

/**
 * Relates the responses of a captured stream to the sums at its end. A streamed line counts only the start of its output; the `result` states all of
 * it, but only as a sum. The missing part is divided among the responses by the size of their contents, so that the sum is exact.
 */
export class CapturedRuns {
  #responses: Response[] = [];
  #byId = new Map<number, Response>();
  /** Id of the message being streamed, by the subagent's call. */
  readonly #streamed = new Map<string, string>();
  /** Values of the last result: its costs and sums by model are those of the whole process, which may have several results. */
  #before: Stated = { main: undefined, models: new Map(), cost: undefined, costs: new Map() };

  readonly #numberOf: (id: string) => number;

  /** @param numberOf returns the number of a message id; −1 for none */
  constructor(numberOf: (id: string) => number) {
    this.#numberOf = numberOf;
  }

  /** Adds a line of a response. */
  response({ usage, ...line }: ResponseLine): void {
    if (usage === undefined || sentTokens(usage) === 0) return;
    const known = this.#byId.get(line.id);
    if (known === undefined) {
      const response = { ...line, usage };
      this.#responses.push(response);
      this.#byId.set(line.id, response);
    } else {
      known.node = line.node;
      known.chars += line.chars;
      known.usage = { ...usage, output: Math.max(usage.output ?? 0, known.usage.output ?? 0) };
      known.isSettled ||= line.isSettled;
    }
  }

  /** Adds a partial message; returns the usage that it settles, with its node. */
  streamed(record: JsonObject, numbers: RecordNumbers): EndedRun["settled"] {
    const event = streamedUsage(record);
    if (event === undefined) return [];
    if (event.id !== undefined) this.#streamed.set(event.of, event.id);
    const output = numbers.tokens(event.output, "output_tokens");
    const response = this.#byId.get(this.#numberOf(this.#streamed.get(event.of) ?? ""));
    if (output === undefined || response === undefined || output < (response.usage.output ?? 0)) return [];
    response.usage = { ...response.usage, output };
    response.isSettled = true;
    return [{ ...response, isFinal: true }];
  }

  /** True if the run has no response yet. */
  get isEmpty(): boolean {
    return this.#responses.length === 0;
  }

  /** Ends the run with its `result`. */
  end(record: JsonObject, numbers: RecordNumbers): EndedRun {
    const responses = this.#responses;
    const raw = statedOf(record, numbers);
    const stated = covering(this.#ofThisRun(raw), responses);
    const final = new Set<Response>();
    this.#settleOwn(responses, stated, final);
    const unlisted = settleByModel(responses, stated, final);
    const priced = withCosts(responses, unlisted, stated);
    this.#before = raw;
    this.#responses = [];
    this.#byId = new Map();
    return {
      settled: responses
        .filter((one) => final.has(one) || one.usage.ownCost !== undefined)
        .map((one) => ({ ...one, isFinal: final.has(one) })),
      unlisted: priced,
      window: windowOf(record, responses.findLast(({ isSubagents }) => !isSubagents)?.model, numbers),
    };
  }

  /** The part of the stated sums that belongs to this run. If they are not the previous sums plus this run's, another process stated them. */
  #ofThisRun(raw: Stated): Stated {
    const { models, cost, costs } = this.#before;
    const [now, before] = [total(raw.models.values()), total(models.values())];
    const continues =
      raw.models.size > 0
        ? allTokens(now) >= allTokens(before) + allTokens(raw.main ?? NOTHING)
        : cost !== undefined && raw.cost !== undefined && raw.cost >= cost;
    if (!continues) return raw;
    return {
      main: raw.main,
      models: new Map([...raw.models].map(([name, sums]) => [name, minus(sums, models.get(name) ?? NOTHING)])),
      cost: raw.cost === undefined ? undefined : raw.cost - (cost ?? 0),
      costs: new Map([...raw.costs].map(([name, one]) => [name, one - (costs.get(name) ?? 0)])),
    };
  }

  /** Divides the output of the session's own requests if the result states a sum for exactly these requests. */
  #settleOwn(responses: readonly Response[], { main, models }: Stated, final: Set<Response>): void {
    const own = responses.filter(({ isSubagents }) => !isSubagents);
    const isAll = own.length === responses.length;
    const known = total(own.map(({ usage }) => sumsOf(usage)));
    const everything = total(models.values());
    const fits = [...(isAll && models.size > 0 ? [everything] : []), ...(main === undefined ? [] : [main])];
    const sum = fits.find((one) => isSameSent(one, known));
    if (sum !== undefined) divide(own, sum.output - known.output, final);
  }
}

/** A result's sums and costs, without those smaller than the responses' own input: the result of a failed run states zeros. */
function covering(stated: Stated, responses: readonly Response[]): Stated {
  const { main, models, cost, costs } = stated;
  const own = total(responses.flatMap(({ isSubagents, usage }) => (isSubagents ? [] : sumsOf(usage))));
  const sent = Math.max(...[main ?? NOTHING, total(models.values())].map((sums) => allTokens(sums) - sums.output));
  const isStated = main !== undefined || models.size > 0;
  if (isStated ? sent >= allTokens(own) - own.output : cost !== 0 || responses.length === 0)
    return { main, models, cost, costs };
  return { main: undefined, models: new Map(), cost: undefined, costs: new Map() };
}

const NOTHING: Sums = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/**
 * Compares the known usage of every model with its stated sum. Missing output alone belongs to the known responses; anything else was sent by
 * requests without a record.
 */
function settleByModel(
  responses: readonly Response[],
  { models, main }: Stated,
  final: Set<Response>,
): readonly Unlisted[] {
  const unlisted: Unlisted[] = [];
  const assignRest = (model: string | undefined, sums: Sums, known: readonly Response[]) => {
    const rest = minus(sums, total(known.map(({ usage }) => sumsOf(usage))));
    if (allTokens(rest) > rest.output || known.length === 0) {
      if (allTokens(rest) > 0) unlisted.push({ model, usage: usageOfSums(rest) });
    }
    // A sum below the responses' own does not prove that their outputs are complete.
    else if (allTokens(sums) >= allTokens(total(known.map(({ usage }) => sumsOf(usage)))))
      divide(known, rest.output, final);
  };
  for (const [name, sums] of models) {
    assignRest(
      name,
      sums,
      responses.filter(({ model }) => model !== undefined && plainName(model) === plainName(name)),
    );
  }
  if (models.size === 0 && responses.length === 0 && main !== undefined) assignRest(undefined, main, []);
  return unlisted;
}

/** Adds output to responses whose final output is unknown, in proportion to their contents. The sum is exact, so all outputs are then final. */
function divide(responses: readonly Response[], output: Tokens, final: Set<Response>): void {
  const open = responses.filter(({ isSettled }) => !isSettled);
  const chosen = open.length > 0 ? open : responses;
  if (output < 0) return;
  for (const response of responses) final.add(response);
  const shares = sharesOf(
    output,
    chosen.map(({ chars }) => chars),
  );
  for (const [index, response] of chosen.entries()) {
    response.usage = { ...response.usage, output: (response.usage.output ?? 0) + (shares[index] ?? 0) };
  }
}

/** Splits a sum into whole numbers in proportion to the weights. */
function sharesOf(sum: number, weights: readonly number[]): readonly number[] {
  const whole = weights.reduce((one, other) => one + other, 0);
  let [given, weight] = [0, 0];
  return weights.map((own, index) => {
    weight += whole === 0 ? 1 : own;
    const upTo =
      index === weights.length - 1 ? sum : Math.round((sum * weight) / (whole === 0 ? weights.length : whole));
    const share = upTo - given;
    given = upTo;
    return share;
  });
}

/**
 * Divides the stated cost of every model, or else the whole cost, among the run's requests by their price weight. Only the sums come from the file.
 */
function withCosts(
  responses: readonly Response[],
  unlisted: readonly Unlisted[],
  { cost, costs }: Stated,
): readonly Unlisted[] {
  const requests = [...responses, ...unlisted.map((one) => ({ ...one }))];
  const ofModel = (name: string) => requests.filter(({ model }) => plainName(model ?? "") === plainName(name));
  const isByModel = requests.every(({ model }) =>
    [...costs.keys()].some((one) => plainName(one) === plainName(model ?? "")),
  );
  if (isByModel) for (const [name, one] of costs) divideCost(ofModel(name), one);
  else if (cost !== undefined) divideCost(requests, cost);
  return requests.slice(responses.length);
}

function divideCost(requests: readonly { usage: Usage }[], cost: number): void {
  const weights = requests.map(({ usage }) => priceWeight(usage));
  const whole = weights.reduce((one, other) => one + other, 0);
  if (whole === 0) return;
  let left = cost;
  for (const [index, request] of requests.entries()) {
    const share = index === requests.length - 1 ? left : (cost * (weights[index] ?? 0)) / whole;
    left -= share;
    request.usage = { ...request.usage, ownCost: Math.max(0, share) };
  }
}

/** Cost of a usage, in units of the price of an input token: every Claude model has these ratios. Source: docs/prices.md. */
function priceWeight({ input, cacheRead = 0, cacheWrite = 0, output = 0 }: Usage): number {
  return input + 0.1 * cacheRead + 1.25 * cacheWrite + 5 * output;
}

/**
 * Fields of a model in `modelUsage` that are read or ignored on purpose; the searches are those of the requests, and the output limit is not a usage.
 */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "inputTokens",
  "outputTokens",
  "cacheReadInputTokens",
  "cacheCreationInputTokens",
  "costUSD",
  "contextWindow",
  "webSearchRequests",
  "maxOutputTokens",
]);

function statedOf(record: JsonObject, numbers: RecordNumbers): Stated {
  const usage = usageOf(apiUsageOf(record.usage, numbers));
  const models = new Map<string, Sums>();
  const costs = new Map<string, number>();
  for (const [name, value] of Object.entries(objectField(record.modelUsage) ?? {})) {
    numbers.unknownUsage(value, KNOWN_FIELDS);
    const sum = (field: string) => numbers.sum(objectField(value)?.[field], `modelUsage ${field}`) ?? 0;
    models.set(name, {
      input: sum("inputTokens"),
      output: sum("outputTokens"),
      cacheRead: sum("cacheReadInputTokens"),
      cacheWrite: sum("cacheCreationInputTokens"),
    });
    const cost = numbers.dollars(objectField(value)?.costUSD, "modelUsage costUSD");
    if (cost !== undefined) costs.set(name, cost);
  }
  return {
    main: usage === undefined ? undefined : sumsOf(usage),
    models,
    cost: numbers.dollars(record.total_cost_usd ?? record.cost_usd, "total_cost_usd"),
    costs,
  };
}

/** Context window of the session's model; if none of its responses is known, of the model with the most output. */
function windowOf(record: JsonObject, model: string | undefined, numbers: RecordNumbers): Tokens | undefined {
  const models = objectField(record.modelUsage) ?? {};
  const output = (name: string) => numbers.sum(objectField(models[name])?.outputTokens, "modelUsage outputTokens") ?? 0;
  const names = Object.keys(models).sort((one, other) => output(other) - output(one));
  const name = names.find((one) => model !== undefined && plainName(one) === plainName(model)) ?? names[0];
  return name === undefined
    ? undefined
    : numbers.tokens(objectField(models[name])?.contextWindow, "modelUsage contextWindow");
}

/** A model's name without the suffix in brackets that states a window (`[1m]`). */
function plainName(name: string): string {
  return name.split("[")[0] ?? name;
}

function sumsOf({ input, cacheRead = 0, cacheWrite = 0, output = 0 }: Usage): Sums {
  return { input, cacheRead, cacheWrite, output };
}

function usageOfSums({ input, cacheRead, cacheWrite, output }: Sums): Usage {
  return { input, cacheRead, cacheWrite, output };
}

function total(sums: Iterable<Sums>): Sums {
  let whole = NOTHING;
  for (const one of sums) {
    whole = {
      input: whole.input + one.input,
      cacheRead: whole.cacheRead + one.cacheRead,
      cacheWrite: whole.cacheWrite + one.cacheWrite,
      output: whole.output + one.output,
    };
  }
  return whole;
}

/** The difference of two sums, with negative fields set to 0. */
function minus(one: Sums, other: Sums): Sums {
  return {
    input: Math.max(0, one.input - other.input),
    cacheRead: Math.max(0, one.cacheRead - other.cacheRead),
    cacheWrite: Math.max(0, one.cacheWrite - other.cacheWrite),
    output: Math.max(0, one.output - other.output),
  };
}

function allTokens({ input, cacheRead, cacheWrite, output }: Sums): Tokens {
  return input + cacheRead + cacheWrite + output;
}

function isSameSent(one: Sums, other: Sums): boolean {
  return one.input === other.input && one.cacheRead === other.cacheRead && one.cacheWrite === other.cacheWrite;
}
