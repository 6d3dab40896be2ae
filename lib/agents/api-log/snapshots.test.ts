import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { isMember, recordedMembership } from "@/lib/core/columns/membership";
import { readTranscript } from "@/verify/support/read";
import { apiLogReader } from "./server";

/** Every logged request states the model's input: the recorded context at its point must equal it. */

type Step = "turn" | "call" | "retry" | "rewind" | "compact" | "keep-tail";

interface Message {
  readonly role: "user" | "assistant";
  readonly content: readonly Record<string, unknown>[];
}

const textOf = ({ text, input, content }: Record<string, unknown>) =>
  typeof text === "string" ? text : input === undefined ? String(content) : JSON.stringify(input);
const textsOf = (messages: readonly Message[]) => messages.flatMap(({ content }) => content.map(textOf));
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

/** Plays a session by steps, and returns its requests with their responses. */
function play(steps: readonly Step[]): { request: readonly Message[]; response: Message }[] {
  const log: { request: readonly Message[]; response: Message }[] = [];
  let history: Message[] = [user("Begin.")];
  const send = (n: number, calls: boolean) => {
    const text = { type: "text", text: `answer ${n}` };
    const call = { type: "tool_use", id: `toolu_${n}`, name: "Read", input: { file_path: `f${n}.ts` } };
    const response: Message = { role: "assistant", content: calls ? [text, call] : [text] };
    log.push({ request: history, response });
    history = [...history, response];
    if (calls) {
      const result = { type: "tool_result", tool_use_id: `toolu_${n}`, content: `result ${n} `.repeat(30) };
      history = [...history, { role: "user", content: [result] }];
    }
  };
  steps.forEach((step, n) => {
    const last = log.at(-1);
    if (step === "retry" && last !== undefined) history = [...last.request];
    if (step === "rewind" && last !== undefined && last.request.length > 2) history = last.request.slice(0, -2);
    if (step === "compact") history = [user(`This session is being continued from a previous conversation ${n}.`)];
    if (step === "keep-tail") history = [user(`Summary ${n}`), ...history.slice(-3)];
    if (history.at(-1)?.role === "assistant") history = [...history, user(`question ${n}`)];
    send(n, step === "call");
  });
  return log;
}

function bytesOf(log: ReturnType<typeof play>): Uint8Array {
  const lines = log.map(({ request, response }, n) => {
    const tools = [{ name: "Read", input_schema: {} }];
    const body = { model: "claude-opus-4-6", max_tokens: 9, system: "Be brief.", tools, messages: request };
    const usage = { input_tokens: 5, output_tokens: 1 };
    return JSON.stringify({ request: body, response: { id: `msg_${n}`, type: "message", ...response, usage } });
  });
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** Texts of the context at every point, in the order of the file. */
function contexts(bytes: Uint8Array): string[][] {
  const transcript = readTranscript(bytes, apiLogReader);
  const columns = columnsFromTranscript(transcript);
  const membership = recordedMembership(columns);
  const texts = transcript.messages.flatMap(({ blocks }) => blocks.map(({ text }) => text.value ?? ""));
  return transcript.requests.map((_, point) =>
    texts.filter((_, row) => isMember(membership, columns.overheadRows + row, point)),
  );
}

const steps = fc.array(
  fc.constantFrom<Step>("turn", "call", "call", "turn", "retry", "rewind", "compact", "keep-tail"),
  {
    minLength: 1,
    maxLength: 14,
  },
);

test("the reader rebuilds the exact context of every request", () => {
  fc.assert(
    fc.property(steps, (played) => {
      const log = play(played);
      expect(contexts(bytesOf(log)).map((texts) => texts.sort())).toEqual(
        log.map(({ request }) => textsOf(request).sort()),
      );
    }),
    { numRuns: 300 },
  );
});

test("the reader rebuilds the same contexts from requests without responses", () => {
  fc.assert(
    fc.property(steps, (played) => {
      const log = play(played.filter((step) => step === "turn" || step === "call"));
      fc.pre(log.length > 0);
      const alone = log.map(({ request }) => JSON.stringify({ model: "gpt-4.1", messages: request }));
      expect(contexts(Buffer.from(alone.join("\n")))).toEqual(log.map(({ request }) => textsOf(request)));
    }),
  );
});

test("the reader separates a side conversation from the requests around it", () => {
  const main = play(["call", "call", "turn", "turn"]);
  const side = play(["call", "turn"]).map(({ request, response }) => ({
    request: [user("Search."), ...request.slice(1)],
    response,
  }));
  const lines = Buffer.from(bytesOf(main)).toString("utf8").trim().split("\n");
  const others = Buffer.from(bytesOf(side)).toString("utf8").replaceAll("Be brief.", "Search.").trim().split("\n");
  const mixed = [lines[0], others[0], lines[1], others[1], ...lines.slice(2)].join("\n");
  const transcript = readTranscript(Buffer.from(mixed), apiLogReader);
  expect(transcript.sidechains).toBe(1);
  expect(contexts(Buffer.from(mixed))).toEqual(contexts(bytesOf(main)));
});
