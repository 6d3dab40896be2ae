import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "../../json";

/** A row of `session_message`. */
export interface CurrentMessage {
  readonly id: string;
  readonly type: string;
  readonly sessionID: string;
  readonly data: JsonObject;
}

/** Record types that are not sent to the model: choices of a person, and ends of turns. */
const NOT_SENT = new Set(["agent-switched", "model-switched", "location-switched", "idle"]);

/** A message of version 2 as messages of an export; none where it is nothing that is sent. Source: README.md, "The database". */
export function exportedMessages(message: CurrentMessage): readonly JsonObject[] {
  const { id, type, data } = message;
  const info = { id, sessionID: message.sessionID, time: objectOf(data.time) };
  const user = (parts: readonly JsonObject[]) => [{ info: { ...info, role: "user" }, parts: numbered(id, parts) }];
  switch (type) {
    case "user":
      return user([{ type: "text", text: textOf(data.text) }, ...objectsOf(data.files).map(filePart)]);
    case "synthetic":
    case "system":
      return user([{ type: "text", text: textOf(data.text), synthetic: true }]);
    case "shell": {
      const text = `Shell command: ${textOf(data.command)}\n\n${textOf(data.output)}`;
      return user([{ type: "text", text, synthetic: true }]);
    }
    case "assistant":
      return [{ info: { ...info, ...answerOf(data) }, parts: numbered(id, objectsOf(data.content).map(answerPart)) }];
    case "compaction": {
      const auto = data.reason === "auto" ? { auto: true } : data.reason === "manual" ? { auto: false } : {};
      const texts = [data.summary, data.recent].map(textOf).filter((text) => text !== "");
      const answer = { ...info, ...answerOf(data), id: `${id}.summary`, parentID: id, summary: true, finish: "stop" };
      const parts = texts.map((text) => ({ type: "text", text }));
      return [...user([{ type: "compaction", ...auto }]), { info: answer, parts: numbered(answer.id, parts) }];
    }
    default:
      return NOT_SENT.has(type) ? [] : [{ info: { ...info, role: type }, parts: [] }];
  }
}

/** Gives parts ids, which those of version 2 do not have. */
function numbered(message: string, parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.map((part, at) => ({ ...part, id: `${message}.${at}`, messageID: message }));
}

function answerOf({ agent, model, tokens, cost, finish, error }: JsonObject): JsonObject {
  const { id, providerID, variant } = objectOf(model);
  return { role: "assistant", agent, modelID: id, providerID, variant, tokens, cost, finish, error };
}

function answerPart(part: JsonObject): JsonObject {
  return part.type === "tool"
    ? { type: "tool", callID: part.id, tool: part.name, state: stateOf(part) }
    : { ...part, metadata: part.metadata ?? part.providerMetadata };
}

/** The state of a call; its result is a list of texts and files. */
function stateOf({ state, time }: JsonObject): JsonObject {
  const { status, input, content, error, output, attachments, metadata } = objectOf(state);
  const results = objectsOf(content);
  const texts = results.filter((one) => one.type === "text").map((one) => textOf(one.text));
  const files = [...results.filter((one) => one.type === "file"), ...objectsOf(attachments)];
  const { pruned } = objectOf(time);
  return {
    status,
    input,
    output: texts.length === 0 ? textOf(output) : texts.join("\n"),
    error: isObject(error) ? textOf(error.message) : textOf(error),
    attachments: files.map(filePart),
    metadata: { sessionId: objectOf(metadata).sessionID },
    time: pruned === undefined ? {} : { compacted: pruned },
  };
}

function filePart({ mime, name, filename, uri, url, data }: JsonObject): JsonObject {
  return { type: "file", mime, filename: filename ?? name, url: url ?? uri ?? data };
}
