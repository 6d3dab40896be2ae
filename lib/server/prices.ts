import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { PricesError, parsePrices } from "@/lib/api/prices-file";
import { BASE_TABLE } from "@/lib/core/prices/base-table";
import { OWN_TABLE } from "@/lib/core/prices/own-table";
import { LISTED_PRICES, PriceList } from "@/lib/core/prices/price-list";
import { ordinaryText } from "./ingest/ordinary-file";

/** Where a user's own price list is looked for. */
export function usualPricesFile(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME ?? homedir();
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "context-replay", "prices.json");
}

/** The listed prices together with those of a user's file. Throws `PricesError`, which names the file, and `InputError`. */
export function pricesWith(file: string): PriceList {
  const text = ordinaryText(file);
  const seen = new Date().toISOString().slice(0, 10);
  try {
    return new PriceList([BASE_TABLE, OWN_TABLE, parsePrices(text, LISTED_PRICES, seen)]);
  } catch (error) {
    if (error instanceof PricesError) throw new PricesError(`${basename(file)}: ${error.message}`);
    throw error;
  }
}

let pricesInForce: PriceList | undefined;

/** The prices in force where nobody names a file: the listed ones, and those of the usual file if it exists. Throws as `pricesWith`. */
export function standingPrices(): PriceList {
  const file = usualPricesFile(process.env);
  pricesInForce ??= existsSync(file) ? pricesWith(file) : LISTED_PRICES;
  return pricesInForce;
}

/** The same for callers that must continue even if the usual file is invalid: then only the listed prices. */
export function usablePrices(): PriceList {
  try {
    return standingPrices();
  } catch {
    // Whoever starts the program is told about it; reading sessions does not depend on it.
    pricesInForce = LISTED_PRICES;
    return pricesInForce;
  }
}
