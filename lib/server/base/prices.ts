import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { BASE_TABLE } from "@/lib/core/prices/base-table";
import { OWN_TABLE } from "@/lib/core/prices/own-table";
import { LISTED_PRICES, PriceList } from "@/lib/core/prices/price-list";
import type { PricesAnswer } from "@/lib/queries/contract/types";
import { InputError } from "./input-error";
import { PricesError, parsePrices } from "./prices-file";
import { regularFileText } from "./regular-file";

/** Variable with the path of another price file than the usual one; `serve --prices` sets it for its threads. */
export const PRICES_VARIABLE = "CONTEXT_REPLAY_PRICES";

/** Path of the user's own price list. */
export function usualPricesFile(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME ?? homedir();
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "context-replay", "prices.json");
}

/** The list prices merged with a user's file. Throws `PricesError`, which names the file, and `InputError`. */
export function pricesWith(file: string): PriceList {
  const text = regularFileText(file);
  const seen = new Date().toISOString().slice(0, 10);
  try {
    return new PriceList([BASE_TABLE, OWN_TABLE, parsePrices(text, LISTED_PRICES, seen)]);
  } catch (error) {
    if (error instanceof PricesError) throw new PricesError(`${basename(file)}: ${error.message}`);
    throw error;
  }
}

/** The prices in force, and the state of the user's own list. */
interface DefaultPrices {
  readonly prices: PriceList;
  /** The user's own list as read; empty without one. */
  readonly text: string;
  readonly ownList: PricesAnswer["ownList"];
  readonly error?: PricesError | InputError;
}

let defaults: DefaultPrices | undefined;

function defaultPricesOnce(): DefaultPrices {
  defaults ??= defaultPricesFrom(process.env);
  return defaults;
}

function defaultPricesFrom(env: Readonly<Record<string, string | undefined>>): DefaultPrices {
  const named = env[PRICES_VARIABLE];
  const file = named || usualPricesFile(env);
  if (!named && !existsSync(/* turbopackIgnore: true */ file))
    return { prices: LISTED_PRICES, text: "", ownList: null };
  const name = basename(file);
  try {
    return { prices: pricesWith(file), text: regularFileText(file), ownList: { name, problem: null } };
  } catch (error) {
    if (!(error instanceof PricesError || error instanceof InputError)) throw error;
    return { prices: LISTED_PRICES, text: "", ownList: { name, problem: error.message.replace(/\.?$/, ".") }, error };
  }
}

/** The default prices: the list prices, merged with the usual file if it exists. Throws as `pricesWith`. */
export function defaultPrices(): PriceList {
  const { prices, error } = defaultPricesOnce();
  if (error !== undefined) throw error;
  return prices;
}

/** As `defaultPrices`, but the list prices if the user's list is invalid, instead of an error: the console and the page report it. */
export function usablePrices(): PriceList {
  return defaultPricesOnce().prices;
}

/** The user's own list if it is in force, else an empty text: cached costs of another list are recomputed. */
export function ownPricesText(): string {
  return defaultPricesOnce().text;
}

/** State of the user's own list; `null` if there is none. */
export function ownPriceList(): PricesAnswer["ownList"] {
  return defaultPricesOnce().ownList;
}

/** Models with a price, with the row of one of them. */
export function pricesAnswerFor(model: string | undefined): PricesAnswer {
  const { prices, ownList } = defaultPricesOnce();
  const entry = model === undefined ? undefined : prices.find(model);
  return { models: [...prices.ids].sort(), ownList, entry: entry ?? null };
}

/** Prices of a command: those of the given file, else those in force. Throws as `pricesWith`. */
export function pricesOf(file: string | undefined): PriceList {
  return file === undefined ? defaultPrices() : pricesWith(file);
}
