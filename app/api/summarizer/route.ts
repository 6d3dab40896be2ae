import type { z } from "zod";
import type { summarizerAnswer } from "@/lib/api/contract";
import { handler } from "@/lib/server/http/handler";

export const GET = handler(async (_request, { server }) => {
  const answer: z.infer<typeof summarizerAnswer> = { summarizer: server.summarizer?.wire ?? null };
  return Response.json(answer);
});
