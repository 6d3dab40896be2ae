import type { UploadAnswer } from "@/lib/queries/contract/schemas";
import type { AppServer } from "../server";
import { nameFromHeader } from "../store/display-name";
import { HttpError } from "./http-error";

/** Stores the raw body as a file, and answers once it is safely stored. */
export async function receiveUpload(request: Request, server: AppServer): Promise<Response> {
  const { entry, existed } = await server.upload({
    body: request.body,
    length: contentLength(request.headers.get("content-length")),
    name: nameFromHeader(request.headers.get("x-file-name")),
  });
  const answer: UploadAnswer = { id: entry.id, bytes: entry.version.bytes, existed };
  return Response.json(answer, { status: 201, headers: { Location: `/api/sessions/${entry.id}` } });
}

function contentLength(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (!/^\d{1,15}$/.test(header)) throw new HttpError(400, "Content-Length is not a number.");
  return Number(header);
}
