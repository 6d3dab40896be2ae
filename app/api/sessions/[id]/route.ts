import { handler } from "@/lib/server/http/handler";
import { accuracyChoice } from "@/lib/server/read/numbers/accuracy";

export const GET = handler<{ id: string }>(async (_request, { params, server, query }) =>
  Response.json(await server.session(params.id, accuracyChoice(query.get("accuracy") ?? "sizes"), query.get("at"))),
);
