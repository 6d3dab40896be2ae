/** An answer whose JSON is already written, as bytes. */
export function jsonResponse(json: Uint8Array<ArrayBuffer>): Response {
  return new Response(json, { headers: { "Content-Type": "application/json" } });
}
