import { reportRequest } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";
import { reportResponse } from "@/lib/server/http/report-response";

export const POST = handler(
  async (request, { server }) => reportResponse(request, server, reportRequest.parse(await jsonBody(request))),
  { waitsForClient: true },
);
