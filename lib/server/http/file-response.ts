/**
 * A file for the browser's downloads, part by part: nothing is made that nobody takes. Rejects with what keeps it from being begun; what fails later
 * breaks the answer off, so that no file looks whole which is not.
 * @param type its media type
 */
export async function fileResponse(
  type: string,
  made: AsyncIterable<string | Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const parts = made[Symbol.asyncIterator]();
  let next = await parts.next();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (next.done === true) return controller.close();
      controller.enqueue(typeof next.value === "string" ? encoder.encode(next.value) : next.value);
      next = await parts.next();
    },
    async cancel() {
      await parts.return?.();
    },
  });
  return new Response(stream, { headers: { "Content-Type": type, "Content-Disposition": "attachment" } });
}
