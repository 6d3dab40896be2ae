import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";

/** A request as the endpoint got it. */
interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An endpoint's reaction to a request. */
export type Behaviour = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

/** An endpoint on this machine, which records its requests. */
export interface TestEndpoint {
  /** Its beginning, without a path. */
  readonly origin: string;
  readonly host: string;
  readonly seen: readonly SeenRequest[];
  /** Changes its behaviour from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Starts a real HTTP server that answers as the test sets. */
export async function startEndpoint(behaviour: Behaviour): Promise<TestEndpoint> {
  const seen: SeenRequest[] = [];
  let current = behaviour;
  const server = createServer(async (request, response) => {
    // Data sent after the client has left is ignored.
    response.on("error", () => undefined);
    const one = { path: request.url ?? "", headers: request.headers, body: await textOf(request).catch(() => "") };
    seen.push(one);
    await current(response, one);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
  return {
    origin: `http://${host}`,
    host,
    seen,
    behave: (next) => {
      current = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function startStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
}

/** An event of Chat Completions that holds a piece of text. */
export function chatPiece(content: string): string {
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

/** The end of an answer of Chat Completions, with its usage. */
export function chatEnd(reason = "stop", usage = { prompt_tokens: 1200, completion_tokens: 34 }): string {
  const end = { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  return `data: ${JSON.stringify(end)}\n\ndata: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;
}

/** Answers by Chat Completions, in pieces. */
export function answersChat(pieces: readonly string[]): Behaviour {
  return (response) => {
    startStream(response);
    for (const piece of pieces) response.write(chatPiece(piece));
    response.end(chatEnd());
  };
}

/** Answers by Anthropic's Messages, in pieces, with the events around them that a client does not need. */
export function answersMessages(pieces: readonly string[], stop = "end_turn"): Behaviour {
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  return (response) => {
    startStream(response);
    const usage = {
      input_tokens: 1000,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 0,
      output_tokens: 1,
    };
    response.write(event("message_start", { message: { id: "msg_1", role: "assistant", content: [], usage } }));
    response.write(event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }));
    response.write(event("ping", {}));
    for (const text of pieces) {
      response.write(event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }));
    }
    response.write(event("content_block_stop", { index: 0 }));
    response.write(event("message_delta", { delta: { stop_reason: stop }, usage: { output_tokens: 34 } }));
    response.end(event("message_stop", {}));
  };
}
