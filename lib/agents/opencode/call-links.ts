import { idOf } from "../ids";
import type { JsonObject } from "../json";
import type { SessionMessage } from "./message";

/**
 * What links a call to its result: the part that holds both. It goes by its call id where that is its alone; where the id was masked,
 * or an earlier part has it too (some models number the calls of every response from 0), by its place in the session.
 */
export class CallLinks {
  /** Place of the part that each call id belongs to. */
  readonly #owners = new Map<string, string>();

  /**
   * The message, every tool part of it under a call id of its own.
   * @param index of the message among the session's; the same for the same message written again
   */
  linked(message: SessionMessage, index: number): SessionMessage {
    return { ...message, parts: message.parts.map((part, at) => this.#linkedPart(part, `${index}.${at}`)) };
  }

  #linkedPart(part: JsonObject, place: string): JsonObject {
    if (part.type !== "tool") return part;
    const id = idOf(part.callID);
    if (id !== undefined && !this.#owners.has(id)) this.#owners.set(id, place);
    return id !== undefined && this.#owners.get(id) === place ? part : { ...part, callID: `part ${place}` };
  }
}
