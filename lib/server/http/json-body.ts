import { NestingError, parseJson } from "@/lib/core/records/nesting";
import { HttpError } from "./http-error";

/** Maximum bytes of a body: no valid request comes close, except a context profile. */
const MAX_BYTES = 256 * 1024;
/** Maximum bytes of a context profile, which holds the declarations of many tools, and memory files. */
export const PROFILE_BYTES = 8 << 20;

/** Bytes read and discarded above the limit: a client that is cut off while sending may never see the answer. */
const DRAINED_BYTES = 16 << 20;

/** The request's body as JSON. Rejects with `HttpError`. */
export async function jsonBody(request: Request, maxBytes: number = MAX_BYTES): Promise<unknown> {
  const text = await limitedText(request, maxBytes);
  try {
    return parseJson(text);
  } catch (error) {
    throw new HttpError(400, `The body is ${error instanceof NestingError ? error.message : "not JSON"}.`);
  }
}

async function limitedText(request: Request, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes + DRAINED_BYTES) break;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  if (bytes > maxBytes) throw new HttpError(413, `The body is larger than ${maxBytes} bytes.`, { Connection: "close" });
  return Buffer.concat(chunks).toString("utf8");
}
