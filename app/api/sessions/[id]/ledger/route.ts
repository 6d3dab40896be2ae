import { ledgerRequest } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";
import { ledgerOfSession } from "@/lib/server/questions/questions";

export const POST = handler<{ id: string }>(async (request, { params, server }) => {
  const wanted = ledgerRequest.parse(await jsonBody(request));
  const { session, profile } = await server.openWithProfile(params.id);
  return Response.json(await ledgerOfSession(session, wanted, profile));
});
