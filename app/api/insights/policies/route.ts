import { policiesRequest } from "@/lib/api/contract";
import { requireChoice } from "@/lib/questions/session/session-context";
import { answerEvents } from "@/lib/server/http/events/insights-events";
import { handler } from "@/lib/server/http/handler";
import { jsonBody } from "@/lib/server/http/json-body";

export const POST = handler(async (request, { server }) => {
  const wanted = policiesRequest.parse(await jsonBody(request));
  for (const run of wanted.runs) if (!server.isOwnPolicy(run.policy)) requireChoice(run);
  return answerEvents(request, (listener) => server.insights.policies(wanted, listener));
});
