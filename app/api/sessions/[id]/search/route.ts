import { handler } from "@/lib/server/http/handler";
import { wantedSearch } from "@/lib/server/http/queries";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const { q, at = null, ...filter } = wantedSearch(query);
  const session = await server.openAt(params.id, at);
  return Response.json(await session.search(q, filter));
});
