/** Records of a valid session, from which the odd files are built. */

const AT = Date.UTC(2026, 0, 5, 9);

export const time = (step: number): string => new Date(AT + step * 1000).toISOString();

export type Json = Readonly<Record<string, unknown>>;

export function claude(step: number, type: "user" | "assistant", message: unknown, more: Json = {}): Json {
  return {
    parentUuid: step === 0 ? null : `u-${step - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: "/tmp/project",
    sessionId: "hostile",
    version: "2.1.37",
    gitBranch: "main",
    type,
    message,
    uuid: `u-${step}`,
    timestamp: time(step),
    ...more,
  };
}

export function prompt(step: number, text: unknown): Json {
  return claude(step, "user", { role: "user", content: text });
}

export function response(
  step: number,
  content: unknown,
  usage: unknown = { input_tokens: 9, cache_read_input_tokens: 20_000 + step, output_tokens: 4 },
): Json {
  const message = { model: "claude-opus-4-6", id: `msg_${step}`, type: "message", role: "assistant", content, usage };
  return claude(step, "assistant", message, { requestId: `req_${step}` });
}

export const text = (value: unknown): Json => ({ type: "text", text: value });
export const call = (id: string, name: unknown, input: unknown): Json => ({ type: "tool_use", id, name, input });
export const result = (id: string, content: unknown): Json => ({ type: "tool_result", tool_use_id: id, content });

export function* jsonl(records: Iterable<unknown>): Iterable<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}
