import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";
import { itemsQuery, itemsRange } from "@/lib/server/http/queries";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const range = itemsRange(itemsQuery.parse(Object.fromEntries(query)));
  const session = await server.open(params.id);
  return jsonResponse(await session.items(range));
});
