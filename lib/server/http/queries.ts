import { z } from "zod";
import { costChoice, countingMode } from "@/lib/api/contract";
import { ITEM_WORDS, PRESENCES } from "@/lib/core/columns/item-filter";
import { GROUPINGS } from "@/lib/core/metrics/contributor-groups";
import type { ItemRange } from "../read/texts/load-items";
import { HttpError } from "./http-error";

/** The most items of one answer. */
const MAX_ITEMS = 500;
/** How many characters of an item are sent, unless all of it is asked for. */
const CLIP_CHARS = 20_000;

/** A number as an address has it: only digits, since `Number` also accepts an empty text and `0x5`. */
function number<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (text) => (typeof text === "string" && /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : text),
    schema,
  );
}

const index = number(z.int().nonnegative());
const positive = number(z.int().positive());
const requestPoint = z.union([z.literal("last"), index], { error: "must be a request, counted from 0, or last" });

/** Query of `GET …/items`: a half-open range; `full=1` gives one item whole; `at` names the version that the caller shows. */
export const itemsQuery = z.object({
  from: index,
  to: index,
  full: z.literal("1").optional(),
  at: z.string().optional(),
});

/** Query of `GET …/picture`. */
export const pictureQuery = z.object({ item: index, at: z.string().optional() });

/** Query of `GET …/search`. A single character would be found nearly everywhere. `at` names the version that the caller shows. */
export const searchQuery = z.object({
  q: z.string().min(2).max(200).optional(),
  kind: z.enum(ITEM_WORDS).optional(),
  tool: z.string().max(200).optional(),
  file: z.string().min(1).max(400).optional(),
  context: z.enum(PRESENCES).optional(),
  request: index.optional(),
  at: z.string().optional(),
});

/** What is searched for. Throws `ZodError`, and `HttpError` 400 where that is everything. */
export function wantedSearch(query: URLSearchParams): z.infer<typeof searchQuery> {
  const wanted = searchQuery.parse(Object.fromEntries(query));
  const { q, kind, tool, file, context } = wanted;
  if ([q, kind, tool, file, context].every((condition) => condition === undefined))
    throw new HttpError(400, "A search needs q, or one of kind, tool, file and context.");
  return wanted;
}

/** The rows that are asked for. Throws `HttpError` 400. */
export function itemsRange({ from, to, full }: Omit<z.infer<typeof itemsQuery>, "at">): ItemRange {
  if (to < from || to - from > MAX_ITEMS) {
    throw new HttpError(400, `from and to are a half-open range of at most ${MAX_ITEMS} items.`);
  }
  if (full === "1" && to - from !== 1) throw new HttpError(400, "full=1 gives one item: to must be from + 1.");
  return { from, to, maxChars: full === "1" ? Number.MAX_SAFE_INTEGER : CLIP_CHARS };
}

/** Query of `GET …/breakdown`, like the command line's options. */
export const breakdownQuery = z.object({
  at: requestPoint.default("last"),
  window: positive.optional(),
  threshold: number(z.number().positive().max(1)).optional(),
  estimator: z.string().optional(),
  preset: z.string().optional(),
});

/** The most contributors of one answer. */
const MAX_CONTRIBUTORS = 1000;

/** Query of `GET …/contributors`, like the command line's options. */
export const contributorsQuery = z.object({
  at: requestPoint.default("last"),
  by: z.enum(GROUPINGS).default("tool"),
  limit: number(z.int().positive().max(MAX_CONTRIBUTORS)).default(100),
  policy: z.string().default("recorded"),
  preset: z.string().optional(),
  window: positive.optional(),
  estimator: z.string().optional(),
  counting: countingMode.optional(),
});

/** Query of `GET …/cost`, as the command line's options. */
export const costQuery = z.object(costChoice);

/** Query of `GET /api/prices`. */
export const pricesQuery = z.object({ model: z.string().optional() });

/** A query in which `where` and `by` may stand several times. */
export function withConditions(query: URLSearchParams): Record<string, string | string[]> {
  return { ...Object.fromEntries(query), where: query.getAll("where"), by: query.getAll("by") };
}

/** Query of `GET …/overhead`; by default the estimator is that of the recording's own agent. */
export const overheadQuery = z.object({ estimator: z.string().optional() });
