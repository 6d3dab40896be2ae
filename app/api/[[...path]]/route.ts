import { handler } from "@/lib/server/http/handler";
import { noSuchRoute } from "@/lib/server/http/no-such-route";

/** Answers every path that no other route answers, behind the same checks. */
export const GET = handler(noSuchRoute);
export const POST = handler(noSuchRoute);
export const PUT = handler(noSuchRoute);
export const PATCH = handler(noSuchRoute);
export const DELETE = handler(noSuchRoute);
