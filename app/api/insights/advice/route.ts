import { adviceRequest } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";
import { answerEvents } from "@/lib/server/http/insights-events";
import { jsonBody } from "@/lib/server/http/json-body";
import { requireSwept } from "@/lib/server/http/sweep-events";

export const POST = handler(async (request, { server }) => {
  const wanted = adviceRequest.parse(await jsonBody(request));
  requireSwept(wanted, server);
  return answerEvents(request, (listener) => server.insights.advice(wanted, listener));
});
