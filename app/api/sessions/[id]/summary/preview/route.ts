import { boundaryRequest } from "@/lib/api/contract";
import { preparedSummary } from "@/lib/server/http/events/summary-events";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";

export const POST = handler<{ id: string }>(async (request, { params, server }) => {
  const { prepared } = await preparedSummary(server, params.id, boundaryRequest.parse(await jsonBody(request)));
  return Response.json(prepared.answer);
});
