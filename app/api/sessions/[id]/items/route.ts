import { handler } from "@/lib/server/http/handler";
import { itemsQuery, itemsRange } from "@/lib/server/http/queries";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const range = itemsRange(itemsQuery.parse(Object.fromEntries(query)));
  const items = await server.store.items(await server.catalog.get(params.id), range);
  return Response.json({ from: range.from, to: range.from + items.length, items });
});
