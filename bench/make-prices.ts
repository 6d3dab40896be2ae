import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatedRates, DollarRates, PriceEntry, Provider } from "../lib/core/prices/model";

/**
 * Renews `lib/core/prices/base-table.ts` from a release of `@pydantic/genai-prices` (MIT): `npm run bench make-prices -- [VERSION]`. It
 * downloads the package from the registry into a temporary folder, which it removes again. Corrections of the project are in `own-table.ts`.
 */

/** The release that was used last. */
const USUAL_VERSION = "0.1.8";
const TARGET = "lib/core/prices/base-table.ts";

/** The providers whose own models occur in our formats; the package's other providers are resellers. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: "anthropic",
  openai: "openai",
  google: "other",
  deepseek: "other",
  "x-ai": "other",
  moonshotai: "other",
  zai: "other",
  mistral: "other",
  minimax: "other",
};

/** Matches models that cannot hold a conversation, or that no coding agent calls any more. */
const LEFT_OUT =
  /embed|tts|whisper|image|audio|dall|moderation|realtime|transcribe|live|omni|ocr|voxtral|veo|imagen|gemma|davinci|curie|babbage|^ada$|ft:|ft-|:free|:thinking|:extended|instruct|vision|gpt-3|text-|gpt-4-32k|gpt-4-\d|gpt-4-turbo|safeguard|deep-research|chatgpt|claude-(?:2|v1)|gemini-(?:1\.|pro|flash-1)|mixtral|mistral-(?:7b|nemo|saba|tiny)|pixtral|search|computer-use|sora|aqa|moonshot-v1|her$/;

/** The package's names for the prices that we read. */
const KEYS = {
  input: "input_mtok",
  output: "output_mtok",
  read: "cache_read_mtok",
  write5m: "cache_write_mtok",
  write1h: "cache_write_1h_mtok",
} as const satisfies Partial<Record<keyof DollarRates, string>>;

type Price = number | { readonly base: number; readonly tiers: readonly { start: number; price: number }[] };
type Prices = Readonly<Record<string, Price | undefined>>;
type Match = { readonly equals?: string; readonly or?: readonly Match[] };
interface Constraint {
  readonly type: "start_date" | "time_of_date";
  readonly start_date?: string;
  readonly start_time?: string;
  readonly end_time?: string;
}
interface Model {
  readonly id: string;
  readonly match: Match;
  readonly price_comments?: string;
  readonly context_window?: number;
  readonly prices: Prices | readonly { readonly constraint?: Constraint; readonly prices: Prices }[];
}
type Entry = Omit<PriceEntry, "source" | "seen">;
interface Package {
  findProvider(options: { providerId: string }): { readonly models: readonly Model[] } | undefined;
}

function loadPackage(version: string): Package {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-prices-"));
  try {
    const options = { cwd: folder, encoding: "utf8" } as const;
    const file = execFileSync("npm", ["pack", "--silent", `@pydantic/genai-prices@${version}`], options).trim();
    execFileSync("tar", ["xzf", file], options);
    return createRequire(import.meta.url)(join(folder, "package/dist/index.cjs")) as Package; // The type is declared above.
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The exact ids of a model. The package also matches by parts of a name; those matches are guesses and are left out. */
function idsOf({ id, match }: Model): readonly string[] {
  const exact = (one: Match): readonly string[] => [
    ...(one.equals === undefined ? [] : [one.equals]),
    ...(one.or ?? []).flatMap(exact),
  ];
  // Anthropic's `-latest` name stands for one kind of model. Other providers move theirs from one model to another.
  const names = [id, ...exact(match)].map((name) => (/^claude/.test(name) ? name.replace(/-latest$/, "") : name));
  return [...new Set(names)].filter((name) => !name.includes("/") && !LEFT_OUT.test(name));
}

function ratesOf({ prices }: Model): readonly DatedRates[] {
  if (!Array.isArray(prices)) return [{ tiers: tiersOf(prices as Prices) }]; // Not a list, but one set of prices.
  const listed = prices as readonly { readonly constraint?: Constraint; readonly prices: Prices }[];
  const days = listed.map(({ constraint }) => constraint?.start_date);
  return listed.map(({ constraint, prices: own }, index) => {
    const until = days.slice(index + 1).find((day) => day !== undefined);
    const hours = constraint?.type === "time_of_date";
    return {
      ...(constraint?.start_date === undefined ? {} : { from: constraint.start_date }),
      ...(until === undefined || hours ? {} : { until }),
      ...(hours ? { minutes: [minuteOf(constraint.start_time), minuteOf(constraint.end_time)] as const } : {}),
      tiers: tiersOf(own),
    };
  });
}

function minuteOf(time: string | undefined): number {
  const [hours = 0, minutes = 0] = (time ?? "").split(":").map(Number);
  return hours * 60 + minutes;
}

/** In the package a tier applies above its start; in our table a tier applies from its number on. */
function tiersOf(prices: Prices): readonly DollarRates[] {
  const starts = Object.values(KEYS).flatMap((key) => {
    const price = prices[key];
    return typeof price === "object" ? price.tiers.map(({ start }) => start) : [];
  });
  return [-1, ...new Set(starts)]
    .sort((a, b) => a - b)
    .map((start) => {
      const rates: { -readonly [Key in keyof DollarRates]?: number } = { from: start + 1 };
      for (const [name, key] of Object.entries(KEYS) as [keyof typeof KEYS, string][]) {
        const price = priceAt(prices[key], start);
        if (price !== undefined) rates[name] = price;
      }
      return rates as DollarRates; // The caller leaves out models that lack an input or output price.
    });
}

function priceAt(price: Price | undefined, start: number): number | undefined {
  if (typeof price !== "object") return price;
  return price.tiers.findLast((tier) => tier.start <= start)?.price ?? price.base;
}

function entriesOf(found: Package): readonly Entry[] {
  return Object.entries(PROVIDERS).flatMap(([id, provider]) =>
    (found.findProvider({ providerId: id })?.models ?? []).flatMap((model) => {
      const ids = idsOf(model).filter((name) => provider === "anthropic" || !name.includes("claude"));
      const rates = ratesOf(model);
      const known = rates.every(({ tiers }) => tiers.every((tier) => "input" in tier && "output" in tier));
      // A reseller's price is not the provider's price.
      const isResold = model.price_comments?.includes("OpenRouter") ?? false;
      const window = model.context_window === undefined ? {} : { window: model.context_window };
      return ids.length === 0 || !known || isResold ? [] : [{ ids, provider, rates, ...window }];
    }),
  );
}

/** A tier as a call of `rates`, with its prices in the order of a price list's columns. */
function tierText({ input, read, write5m, write1h, output, from }: DollarRates): string {
  const columns = [input, read ?? null, write5m ?? null, write1h ?? null, output, ...(from === 0 ? [] : [from])];
  return `rates(${columns.map(String).join(", ")})`;
}

/** An entry as a call of the table's own function, so that most entries take one line. */
function entryText({ rates, ids, provider, window }: Entry): string {
  const dated = rates.map(({ tiers, ...when }) => {
    const times = Object.entries(when).map(([key, value]) => `${key}: ${JSON.stringify(value)}, `);
    return `{ ${times.join("")}tiers: [${tiers.map(tierText).join(", ")}] }`;
  });
  const [first] = rates;
  const tiers = rates.length === 1 && first !== undefined ? first.tiers.map(tierText) : dated;
  const facts = window === undefined ? "" : `, { window: ${window} }`;
  return `entry(${JSON.stringify(provider)}, ${JSON.stringify(ids)}, [${tiers.join(", ")}]${facts})`;
}

export function main([version = USUAL_VERSION]: readonly string[]): void {
  const entries = entriesOf(loadPackage(version));
  const day = new Date().toISOString().slice(0, 10);
  const read = `const entry = entriesFrom({ source: "@pydantic/genai-prices ${version}", seen: "${day}" });`;
  const head = `/** Written by bench/make-prices.ts from @pydantic/genai-prices ${version} (MIT). Where the project knows better, own-table.ts has the prices. */`;
  const imports = `import type { PriceEntry } from "./model";\nimport { entriesFrom, rates } from "./rates";`;
  const table = `export const BASE_TABLE: readonly PriceEntry[] = [\n${entries.map(entryText).join(",\n")}\n];`;
  writeFileSync(TARGET, `${imports}\n\n${read}\n\n${head}\n${table}\n`);
  execFileSync("npx", ["biome", "check", "--write", TARGET]);
  console.log(`${TARGET}: ${entries.flatMap(({ ids }) => ids).length} ids`);
}
