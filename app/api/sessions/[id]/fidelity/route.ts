import { handler } from "@/lib/server/http/handler";
import { fidelityOfSession } from "@/lib/server/questions/questions";

export const GET = handler<{ id: string }>(async (_request, { params, server }) => {
  const { session, profile } = await server.openWithProfile(params.id);
  return Response.json({ fidelity: await fidelityOfSession(session, profile) });
});
