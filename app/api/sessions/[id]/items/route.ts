import { handler } from "@/lib/server/http/handler";
import { jsonResponse } from "@/lib/server/http/json-response";
import { itemsQuery, itemsRange } from "@/lib/server/http/queries";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const { at = null, ...range } = itemsQuery.parse(Object.fromEntries(query));
  const session = await server.openAt(params.id, at);
  return jsonResponse(await session.items(itemsRange(range)));
});
