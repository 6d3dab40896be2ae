import { z } from "zod";
import { ITEM_WORDS, PRESENCES } from "@/lib/core/columns/item-filter";
import { HttpError } from "@/lib/server/http/http-error";
import { jsonResponse } from "@/lib/server/http/json-response";
import { IMAGE_TYPES, imageType } from "@/lib/server/read/texts/image";
import type { ItemRange } from "@/lib/server/read/texts/load-items";
import { number, type Query, query } from "./query";

/** Maximum items per answer. */
const MAX_ITEMS = 500;
/** Characters sent per item, unless the whole item is requested. */
const CLIP_CHARS = 20_000;

const index = number(z.int().nonnegative());

/** Query of `GET …/items`: a half-open range; `full=1` gives one item whole; `at` names the caller's version. */
export const itemsQuery = z.object({
  from: index,
  to: index,
  full: z.literal("1").optional(),
  at: z.string().optional(),
});

/** Query of `GET …/picture`. */
const imageQuery = z.object({ item: index, at: z.string().optional() });

/** Query of `GET …/search`. A single character would be found nearly everywhere. `at` names the caller's version. */
const searchQuery = z.object({
  q: z.string().min(2).max(200).optional(),
  kind: z.enum(ITEM_WORDS).optional(),
  tool: z.string().max(200).optional(),
  file: z.string().min(1).max(400).optional(),
  context: z.enum(PRESENCES).optional(),
  request: index.optional(),
  at: z.string().optional(),
});

/** The searched scope. Throws `ZodError`, and `HttpError` 400 if no condition limits it. */
export function wantedSearch(query: URLSearchParams): z.infer<typeof searchQuery> {
  const wanted = searchQuery.parse(Object.fromEntries(query));
  const { q, kind, tool, file, context } = wanted;
  if ([q, kind, tool, file, context].every((condition) => condition === undefined))
    throw new HttpError(400, "A search needs q, or one of kind, tool, file and context.");
  return wanted;
}

/** The requested rows. Throws `HttpError` 400. */
export function itemsRange({ from, to, full }: Omit<z.infer<typeof itemsQuery>, "at">): ItemRange {
  if (to < from || to - from > MAX_ITEMS) {
    throw new HttpError(400, `from and to are a half-open range of at most ${MAX_ITEMS} items.`);
  }
  if (full === "1" && to - from !== 1) throw new HttpError(400, "full=1 gives one item: to must be from + 1.");
  return { from, to, maxChars: full === "1" ? Number.MAX_SAFE_INTEGER : CLIP_CHARS };
}

/** Contents of a session's texts. */
export const TEXT_QUERIES: readonly Query[] = [
  query("items", {
    summary: "Text of some items",
    query: itemsQuery,
    respond: async (_request, { id, server, search }) => {
      const { at = null, ...range } = itemsQuery.parse(Object.fromEntries(search));
      const session = await server.openAt(id, at);
      return jsonResponse(await session.items(itemsRange(range)));
    },
  }),
  query("picture", {
    summary: "An image in the session",
    query: imageQuery,
    types: IMAGE_TYPES,
    respond: async (_request, { id, server, search }) => {
      const { item, at = null } = imageQuery.parse(Object.fromEntries(search));
      const session = await server.openAt(id, at);
      const bytes = await session.image(item);
      const type = imageType(bytes);
      if (type === undefined) throw new HttpError(404, "The item holds no image that can be shown.");
      return new Response(bytes, { headers: { "Content-Type": type } });
    },
  }),
  query("search", {
    summary: "Items of the session that match a text or a filter",
    query: searchQuery,
    respond: async (_request, { id, server, search }) => {
      const { q, at = null, ...filter } = wantedSearch(search);
      const session = await server.openAt(id, at, false);
      return Response.json(await session.search(q, filter));
    },
  }),
];
