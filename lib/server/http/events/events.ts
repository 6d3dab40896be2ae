/** Minimum interval between progress events. */
const PROGRESS_MS = 100;

interface ProgressEvent {
  readonly type: "progress";
  readonly done: number;
  readonly total: number;
}

const ENCODER = new TextEncoder();

export function writeText(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
  controller.enqueue(ENCODER.encode(text));
}

export function eventText<Event extends { readonly type: string }>(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A response whose events may still be added to the stream. */
export function eventResponse(stream: ReadableStream<Uint8Array>): Response {
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(stream, { status: 202, headers });
}

/** Sends progress at intervals; a value that comes too early is sent at the end of the interval. */
export class Progress {
  #done = 0;
  #sentAt = 0;
  #isHeld = false;
  #later: NodeJS.Timeout | undefined;
  #send: (event: ProgressEvent) => void = () => {};

  #total: number;

  constructor(total = 0) {
    this.#total = total;
  }

  start(send: (event: ProgressEvent) => void, signal: AbortSignal): void {
    this.#send = (event) => {
      if (!signal.aborted) send(event);
    };
    this.tell();
  }

  /** Sets the progress of work whose total becomes known on the way. */
  at(done: number, total: number): void {
    this.#total = total;
    this.add(done - this.#done);
  }

  add(count: number): void {
    this.#done += count;
    if (this.#isHeld) return;
    const wait = this.#sentAt + PROGRESS_MS - Date.now();
    if (wait <= 0) this.tell();
    else this.#later ??= setTimeout(() => this.tell(), wait);
  }

  tell(): void {
    this.end();
    this.#sentAt = Date.now();
    this.#send({ type: "progress", done: this.#done, total: this.#total });
  }

  /** Drops values that are not sent yet. */
  end(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  /** Pauses sending until `goOn` is called. */
  hold(): void {
    this.end();
    this.#isHeld = true;
  }

  goOn(): void {
    this.#isHeld = false;
    this.add(0);
  }
}
