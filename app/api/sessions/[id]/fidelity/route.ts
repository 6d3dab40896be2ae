import { handler } from "@/lib/server/http/handler";
import { fidelityOfSession } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server }) =>
  Response.json({ fidelity: await fidelityOfSession(await server.open(params.id)) }),
);
