/**
 * The data of server-sent events, as they come: one JSON value per event. Bytes may be cut anywhere, even within a character. Rejects with
 * `SyntaxError` where an event does not hold JSON.
 */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  const pending = new PendingEvent();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      for (const event of pending.ended(done ? decoder.decode() : decoder.decode(value, { stream: true }))) {
        const data = dataOf(event);
        if (data !== undefined) yield JSON.parse(data);
      }
      if (done) return;
    }
  } finally {
    // A listener that stops ends the stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** The event whose end has not come yet. An event of megabytes comes in many pieces, which are joined only once, when its end has come. */
class PendingEvent {
  #pieces: string[] = [];

  /** The events that end with this piece. */
  ended(piece: string): readonly string[] {
    if (piece === "") return [];
    const lastCharacter = this.#pieces.at(-1)?.at(-1) ?? "";
    this.#pieces.push(piece);
    if (!`${lastCharacter}${piece}`.includes("\n\n")) return [];
    const events = this.#pieces.join("").split("\n\n");
    this.#pieces = [events.pop() ?? ""];
    return events;
  }
}

/** The data lines of an event; `undefined` for a comment or an event without data. */
function dataOf(event: string): string | undefined {
  const lines = event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []));
  return lines.length === 0 ? undefined : lines.join("\n");
}
