import { handler } from "@/lib/server/http/handler";
import { searchQuery } from "@/lib/server/http/queries";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const { q, at = null } = searchQuery.parse(Object.fromEntries(query));
  const session = await server.openAt(params.id, at);
  return Response.json(await session.search(q));
});
