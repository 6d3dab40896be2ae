import { handler } from "@/lib/server/http/handler";
import { breakdownQuery } from "@/lib/server/http/queries";
import { breakdownOfSession, toBreakdownAnswer } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const wanted = breakdownQuery.parse(Object.fromEntries(query));
  const { session, profile } = await server.openWithProfile(params.id);
  return Response.json(toBreakdownAnswer(await breakdownOfSession(session, { ...wanted, profile })));
});
