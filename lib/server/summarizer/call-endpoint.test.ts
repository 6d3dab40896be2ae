import { once } from "node:events";
import { createServer } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { SummaryProtocol } from "../base/endpoint";
import { endpointOf } from "../base/endpoint";
import {
  answersChat,
  answersMessages,
  type Behaviour,
  chatEnd,
  chatPiece,
  startEndpoint,
  startStream,
  type TestEndpoint,
} from "../testing/endpoint";
import { callEndpoint, type EndpointCall } from "./call-endpoint";
import { EndpointError } from "./endpoint-error";
import { PROTOCOLS } from "./protocols";

const KEY = "test-key-of-nobody-123";
const PROMPT = { system: "Summarise.", messages: [{ role: "user", content: "What was done: ünïcödé 你好." }] } as const;

let started: TestEndpoint | undefined;
afterEach(async () => {
  await started?.close();
  started = undefined;
});

async function call(behaviour: Behaviour, choice: Partial<EndpointCall> = {}, protocol: SummaryProtocol = "chat") {
  started = await startEndpoint(behaviour);
  return callAt(`${started.origin}/v1`, choice, protocol);
}

function callAt(url: string, choice: Partial<EndpointCall> = {}, protocol: SummaryProtocol = "chat") {
  const endpoint = endpointOf({ url, model: "m-1", protocol });
  const body = JSON.stringify(PROTOCOLS[protocol].body(endpoint.model, PROMPT));
  const signal = new AbortController().signal;
  return callEndpoint({ endpoint, key: KEY, body, silence: 20_000, signal, onText: () => undefined, ...choice });
}

function* repeat(text: string): Generator<string> {
  for (;;) yield text;
}

/** The error of a failed call. */
async function failureOf(calling: Promise<unknown>): Promise<EndpointError> {
  const error = await calling.catch((thrown: unknown) => thrown);
  if (!(error instanceof EndpointError)) throw new Error(`no EndpointError: ${error}`);
  expect(error.message).not.toContain(KEY);
  expect(error.message).toMatch(/^\S.*\.$/);
  expect(error.message).not.toContain("ünïcödé");
  return error;
}

describe("an endpoint's answer", () => {
  it("of Chat Completions arrives in pieces, with the endpoint's own token counts", async () => {
    const pieces: string[] = [];
    const answered = await call(answersChat(["Tests ", "were", " written."]), { onText: (text) => pieces.push(text) });
    expect(answered).toEqual({ text: "Tests were written.", isCut: false, input: 1200, output: 34 });
    expect(pieces).toEqual(["Tests ", "were", " written."]);
    const [sent] = started?.seen ?? [];
    expect(sent?.path).toBe("/v1/chat/completions");
    expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      model: "m-1",
      messages: [{ role: "system", content: PROMPT.system }, ...PROMPT.messages],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("of Messages arrives in pieces, too", async () => {
    const answered = await call(answersMessages(["Tests ", "were written."]), {}, "messages");
    expect(answered).toEqual({ text: "Tests were written.", isCut: false, input: 1200, output: 34 });
    const [sent] = started?.seen ?? [];
    expect(sent?.path).toBe("/v1/messages");
    expect(sent?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(sent?.headers.authorization).toBeUndefined();
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ system: PROMPT.system, messages: PROMPT.messages });
  });

  it("is marked as truncated if the endpoint's limit ended it", async () => {
    expect((await call(answersMessages(["A"], "max_tokens"), {}, "messages")).isCut).toBe(true);
    await started?.close();
    const cut = await call((response) => {
      startStream(response);
      response.end(chatPiece("A") + chatEnd("length"));
    });
    expect(cut.isCut).toBe(true);
  });

  it("is decoded correctly even if chunks split a character", async () => {
    const answered = await call(async (response) => {
      startStream(response);
      for (const byte of Buffer.from(chatPiece("Größe 你好") + chatEnd())) {
        response.write(Buffer.from([byte]));
        if (byte % 5 === 0) await new Promise(setImmediate);
      }
      response.end();
    });
    expect(answered.text).toBe("Größe 你好");
  });

  it.each<[SummaryProtocol, object]>([
    ["chat", { choices: [{ message: { content: "All." }, finish_reason: "stop" }], usage: { prompt_tokens: 5 } }],
    ["messages", { content: [{ type: "text", text: "All." }], stop_reason: "end_turn", usage: { input_tokens: 5 } }],
  ])("from a server that does not stream is read too: %s", async (protocol, value) => {
    const behaviour: Behaviour = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    expect(await call(behaviour, {}, protocol)).toMatchObject({ text: "All.", isCut: false, input: 5 });
  });

  it("is complete after its final event, even if the connection stays open or breaks", async () => {
    const open: Behaviour = (response) => {
      startStream(response);
      response.write(chatPiece("Done.") + chatEnd());
    };
    expect((await call(open)).text).toBe("Done.");
    await started?.close();
    const breaks: Behaviour = (response) => {
      startStream(response);
      response.write(chatPiece("Done.") + chatEnd().replace("data: [DONE]\n\n", ""), () => response.destroy());
    };
    expect((await call(breaks)).text).toBe("Done.");
  });
});

describe("one sentence reports the failure:", () => {
  const json = (status: number, value: unknown, headers = {}): Behaviour => {
    return (response) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    };
  };
  const cases: readonly (readonly [string, Behaviour, object])[] = [
    ["a wrong key", json(401, { error: { message: `Incorrect key ${KEY}` } }), { code: "unauthorized", status: 401 }],
    ["a key without permission", json(403, ""), { code: "unauthorized", status: 403 }],
    ["too many requests", json(429, "", { "retry-after": "17" }), { code: "tooMany", seconds: 17 }],
    ["too many requests, without a delay", json(429, ""), { code: "tooMany", seconds: null }],
    [
      "a fault of the server",
      json(500, { error: { message: "Boom." } }),
      { code: "failed", status: 500, detail: "Boom." },
    ],
    ["an overload", json(529, { error: { message: "Overloaded" } }), { code: "failed", status: 529 }],
    [
      "an unknown model",
      json(404, { error: { message: `no m-1, ${KEY}` } }),
      { code: "rejected", detail: "no m-1, ***" },
    ],
    ["a prompt that is too long", json(413, "<html>"), { code: "rejected", status: 413, detail: null }],
    ["another address", json(307, "", { location: "http://127.0.0.1:9/" }), { code: "redirected", status: 307 }],
    ["an answer without content", json(204, ""), { code: "failed", status: 204 }],
    ["a page instead of an answer", json(200, "<html>hello</html>"), { code: "unreadable" }],
    ["JSON of another shape", json(200, { hello: 1 }), { code: "unreadable" }],
    ["an error in a good answer", json(200, { error: "no" }), { code: "failed", detail: "no" }],
  ];
  it.each(cases)("%s", async (_name, behaviour, failure) => {
    expect((await failureOf(call(behaviour))).failure).toMatchObject(failure);
  });

  const streams: readonly (readonly [string, Behaviour, object])[] = [
    [
      "a stream that breaks off",
      (response) => {
        startStream(response);
        response.write(chatPiece("Half"), () => response.destroy());
      },
      { code: "cutOff" },
    ],
    [
      "a stream that ends too early",
      (response) => {
        startStream(response);
        response.end(chatPiece("Half"));
      },
      { code: "cutOff" },
    ],
    ["a connection that closes without an answer", (response) => void response.destroy(), { code: "cutOff" }],
    [
      "an event that is not JSON",
      (response) => {
        startStream(response);
        response.end("data: {oops\n\n");
      },
      { code: "unreadable" },
    ],
    [
      "an event of another shape",
      (response) => {
        startStream(response);
        response.end('data: {"choices":"none"}\n\n');
      },
      { code: "unreadable" },
    ],
    [
      "an error in the stream",
      (response) => {
        startStream(response);
        response.end(`${chatPiece("Half")}event: error\ndata: {"type":"error","error":{"message":"Overloaded"}}\n\n`);
      },
      { code: "failed", detail: "Overloaded" },
    ],
    [
      "an answer without text",
      (response) => {
        startStream(response);
        response.end(chatPiece(" \n") + chatEnd());
      },
      { code: "empty" },
    ],
  ];
  it.each(streams)("%s", async (_name, behaviour, failure) => {
    expect((await failureOf(call(behaviour))).failure).toMatchObject(failure);
  });

  it("an answer that never ends", async () => {
    const endless: Behaviour = async (response) => {
      startStream(response);
      const pieces = Readable.from(repeat(chatPiece("x".repeat(60_000))));
      await pipeline(pieces, response).catch(() => undefined);
    };
    expect((await failureOf(call(endless))).failure).toMatchObject({ code: "tooLarge" });
  });

  it("no bytes before the answer, or in the middle of it", async () => {
    const silent = await failureOf(call(() => undefined, { silence: 50 }));
    expect(silent.failure).toMatchObject({ code: "slow", seconds: 0 });
    await started?.close();
    const stuck: Behaviour = (response) => {
      startStream(response);
      response.write(chatPiece("Half"));
    };
    expect((await failureOf(call(stuck, { silence: 200 }))).failure.code).toBe("slow");
  });

  it("an endpoint that sends an endless answer very slowly", async () => {
    const drip: Behaviour = (response) => {
      startStream(response);
      const timer = setInterval(() => response.write(": still at it\n\n"), 10);
      response.on("close", () => clearInterval(timer));
    };
    expect((await failureOf(call(drip, { silence: 60 }))).failure.code).toBe("slow");
  });

  it("a refused connection", async () => {
    const free = createServer().listen(0, "127.0.0.1");
    await once(free, "listening");
    const address = free.address();
    free.close();
    await once(free, "close");
    const port = typeof address === "object" ? address?.port : 0;
    const refused = await failureOf(callAt(`http://127.0.0.1:${port}/v1`));
    expect(refused.failure.code).toBe("refused");
  });

  it("a server that speaks another protocol", async () => {
    const other = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const odd = await failureOf(callAt(`http://127.0.0.1:${port}/v1`));
    expect(odd.failure.code).toBe("unreadable");
    other.close();
  });
});

it("a redirect is not followed, so no other host gets the key", async () => {
  const other = await startEndpoint(answersChat(["Stolen."]));
  const redirect: Behaviour = (response) => {
    response.writeHead(308, { location: `${other.origin}/v1/chat/completions` });
    response.end();
  };
  expect((await failureOf(call(redirect))).failure.code).toBe("redirected");
  expect(other.seen).toEqual([]);
  await other.close();
});

it("an aborted call closes its connection", async () => {
  const stop = new AbortController();
  let closed: Promise<unknown> | undefined;
  const behaviour: Behaviour = (response) => {
    closed = once(response, "close");
    startStream(response);
    response.write(chatPiece("Half"));
  };
  const calling = call(behaviour, { signal: stop.signal, onText: () => stop.abort(new Error("stopped")) });
  await expect(calling).rejects.toThrow("stopped");
  await closed;
});
