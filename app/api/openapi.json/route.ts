import { handler } from "@/lib/server/http/handler";
import { openApi } from "@/lib/server/http/openapi";

export const GET = handler(async () => Response.json(openApi()));
