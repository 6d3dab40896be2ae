import { boundaryRequest } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";
import { preparedSummary } from "@/lib/server/http/summary-events";

export const POST = handler<{ id: string }>(async (request, { params, server }) => {
  const { prepared } = await preparedSummary(server, params.id, boundaryRequest.parse(await jsonBody(request)));
  return Response.json(prepared.answer);
});
