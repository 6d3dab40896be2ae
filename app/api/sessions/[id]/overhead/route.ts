import { profileChoice } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";
import { overheadQuery } from "@/lib/server/http/queries";
import { overheadOfSession } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) => {
  const { estimator } = overheadQuery.parse(Object.fromEntries(query));
  const session = await server.open(params.id);
  return Response.json(await overheadOfSession(session, estimator, await server.profileOf(params.id, session)));
});

export const PUT = handler<{ id: string }>(async (request, { params, server }) => {
  const { scope, profile } = profileChoice.parse(await jsonBody(request));
  await server.chooseProfile(params.id, await server.open(params.id), scope, profile);
  return new Response(null, { status: 204 });
});
