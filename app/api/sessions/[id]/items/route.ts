import { handler } from "@/lib/server/http/handler";
import { itemsQuery, itemsRange } from "@/lib/server/http/queries";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const range = itemsRange(itemsQuery.parse(Object.fromEntries(query)));
  const session = await server.open(params.id);
  return new Response(await session.items(range), { headers: { "Content-Type": "application/json" } });
});
