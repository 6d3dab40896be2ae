import { boundaryRequest } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";
import { boundaryTextsOfSession } from "@/lib/server/questions/questions";

export const POST = handler<{ id: string }>(async (request, { params, server }) => {
  const wanted = boundaryRequest.parse(await jsonBody(request));
  const session = await server.open(params.id);
  const chosen = await server.profileOf(params.id, session);
  return Response.json(await boundaryTextsOfSession(session, wanted, chosen?.profile));
});
