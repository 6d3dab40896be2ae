import { idOf } from "../../ids";
import type { JsonObject } from "../../json";
import type { SessionMessage } from "../message";

/**
 * What links a call to its result: the part that holds both. Its call id names it where no other part has that id; where the id was
 * masked, or an earlier part has it too (some models number the calls of every response from 0), its place in the session does.
 */
export class CallLinks {
  /** Place of the part that each call id belongs to. */
  readonly #owners = new Map<string, string>();

  /**
   * The message, with a call id of its own for each of its tool parts.
   * @param index the message's place among the session's; a message that is written again has the same one
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
