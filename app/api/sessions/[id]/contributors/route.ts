import { handler } from "@/lib/server/http/handler";
import { contributorsQuery } from "@/lib/server/http/queries";
import { contributorsOfSession } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const wanted = contributorsQuery.parse(Object.fromEntries(query));
  const { session, profile } = await server.openWithProfile(params.id);
  return Response.json(await contributorsOfSession(session, { ...wanted, profile }));
});
