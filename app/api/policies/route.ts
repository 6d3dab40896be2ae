import type { OwnPoliciesAnswer } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";

export const GET = handler(async (_request, { server }) =>
  Response.json({ policies: [...server.policies()] } satisfies OwnPoliciesAnswer),
);
