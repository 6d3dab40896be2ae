import { serverOfTool } from "../base/mcp-server";
import { NameTable } from "../base/name-table";
import type { RequestTermsRow, SessionColumns } from "../columns/columns";
import { isFreeVariant, plainModelId, spellingsOf } from "../prices/model-id";
import { LISTED_PRICES } from "../prices/price-list";
import { windowIds } from "../prices/windows";
import { vocabularyPrefix } from "../tokens/model-tokenizer";

/**
 * Anonymised names of a session: words of closed lists stay, all others become numbers. A number is as long as the name it replaces and keeps the
 * parts that rules look at (the server of a tool, the kind of a file, the family of a model), so that every metric stays the same. Source:
 * docs/interfaces.md, "Bundle".
 */
export class PublicNames {
  readonly #shippedTools: ReadonlySet<string>;
  readonly #tools = new Map<string, string>();
  readonly #servers = new Map<string, string>();
  readonly #publicModels = new Map<string, string>();
  /** Number of each model, by its plain id. */
  readonly #models = new Map<string, number>();

  /** @param shippedTools names of tools that agents come with, in lower case */
  constructor(shippedTools: ReadonlySet<string>) {
    this.#shippedTools = shippedTools;
  }

  /** The tables of the columns with public names. */
  tables({ tools, files, models, terms, overhead }: SessionColumns["tables"]): SessionColumns["tables"] {
    return {
      tools: tools.map((name) => this.tool(name)),
      files: files.map(publicPath),
      models: models.map((name) => this.model(name)),
      terms: publicTerms(terms),
      overhead: overhead.map((name) => (name === "" ? "" : this.tool(name))),
    };
  }

  /** A tool, or another named declaration. Equal names stay equal, so that a declared tool still matches its calls. */
  tool(name: string): string {
    if (this.#shippedTools.has(name.toLowerCase())) return name;
    const known = this.#tools.get(name) ?? this.#numbered(name);
    this.#tools.set(name, known);
    return known;
  }

  #numbered(name: string): string {
    const number = this.#tools.size + 1;
    const server = serverOfTool(name);
    if (server === undefined) return ofLength("t", number, name.length);
    const known = this.#servers.get(server) ?? ofLength("s", this.#servers.size + 1, server.length);
    this.#servers.set(server, known);
    const before = /^mcp__?/.exec(name)?.[0] ?? "";
    const between = before === "mcp_" ? "_" : "__";
    const rest = name.length - before.length - server.length - between.length;
    return rest <= 0 ? `${before}${known}` : `${before}${known}${between}${ofLength("t", number, rest)}`;
  }

  /** A model: its id in the public lists of prices and windows, else a number after the name of the model family, which decides its vocabulary. */
  model(name: string): string {
    const known = this.#publicModels.get(name) ?? this.#publicModel(name);
    this.#publicModels.set(name, known);
    return known;
  }

  #publicModel(name: string): string {
    const plain = plainModelId(name);
    const number = this.#models.get(plain) ?? this.#models.size + 1;
    const isTaken = this.#models.has(plain);
    this.#models.set(plain, number);
    const listed = spellingsOf(name).find((spelling) => LISTED_IDS.has(spelling));
    const id = listed ?? `${vocabularyPrefix(name) ?? ""}model${number}${isFreeVariant(name) ? ":free" : ""}`;
    // Two names of one model stay distinct: the part before a slash does not belong to a model's id.
    return isTaken || isFreeVariant(name) ? `${this.#publicModels.size + 1}/${id}` : id;
  }
}

const LISTED_IDS: ReadonlySet<string> = new Set([...LISTED_PRICES.ids, ...windowIds()]);

/** Beginnings and ends of paths that rules look at. */
const PATH_START = /^(?:https?:\/\/|node_modules\/|\.git\/)/;
const PLANS = /([\\/]\.claude[\\/]plans[\\/])[^\\/]+\.md$/;
const PATH_END = /\.(?:png|jpe?g|gif|svg|ico|webp|mp4|mp3|wav|pdf|zip|tar|gz|md)$/i;
/** Longer paths are shortened: no rule distinguishes such lengths. */
const MAX_PATH = 1000;

/** A path as a number of the same length. @param index of the path in its table */
function publicPath(path: string, index: number): string {
  const start = PATH_START.exec(path)?.[0] ?? "";
  const [, plans = ""] = PLANS.exec(path) ?? [];
  const end = (PATH_END.exec(path)?.[0] ?? "").toLowerCase();
  const middle = Math.min(path.length, MAX_PATH) - start.length - plans.length - end.length;
  return `${start}${plans}${ofLength("f", index + 1, middle)}${end}`;
}

/** A letter and a number, padded with zeros; longer if the number does not fit. */
function ofLength(letter: string, number: number, length: number): string {
  const digits = number.toString(36);
  // If there is no space for the letter, upper case keeps the result distinct from numbers with one.
  return digits.length >= length
    ? digits.toUpperCase()
    : `${letter}${digits.padStart(Math.min(length, MAX_PATH) - 1, "0")}`;
}

/** Words from the providers' documents for the terms that decide a price. */
const TERMS: readonly (readonly [
  key: "speed" | "serviceTier" | "inferenceGeo" | "effort",
  words: ReadonlySet<string>,
])[] = [
  ["speed", new Set(["fast", "standard"])],
  ["serviceTier", new Set(["standard", "priority", "batch", "flex", "default", "auto", "scale"])],
  ["inferenceGeo", new Set(["us", "eu", "global", "not_available"])],
  ["effort", new Set(["none", "off", "minimal", "low", "medium", "high", "xhigh", "max", "auto"])],
];

/** Other words become numbers, so that a changed term stays visible. Of a cache miss's reason only its presence is kept. */
function publicTerms(rows: readonly RequestTermsRow[]): readonly RequestTermsRow[] {
  const others = new NameTable();
  return rows.map((row) => {
    const { process, missReason } = row;
    const words = TERMS.flatMap(([key, listed]) => {
      const word = row[key];
      return word === undefined ? [] : [[key, listed.has(word) ? word : `other${others.index(word)}`] as const];
    });
    return {
      ...Object.fromEntries(words),
      ...(process === undefined ? {} : { process }),
      ...(missReason === undefined ? {} : { missReason: "other" }),
    };
  });
}
