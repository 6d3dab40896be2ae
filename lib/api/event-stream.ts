/**
 * The data of server-sent events, as they come: one JSON value an event. Bytes may be cut anywhere, within a character too.
 * Rejects with `SyntaxError` where an event holds no JSON.
 */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const events = rest.split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = dataOf(event);
        if (data !== undefined) yield JSON.parse(data);
      }
      if (done) return;
    }
  } finally {
    // Whoever stops listening ends the stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** The data lines of an event; `undefined` for a comment or an event without data. */
function dataOf(event: string): string | undefined {
  const lines = event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []));
  return lines.length === 0 ? undefined : lines.join("\n");
}
