import { idOf } from "../../ids";
import type { JsonObject } from "../../json";
import type { SessionMessage } from "../messages/message";

/**
 * Gives every call and its result an id that links them, which the part that holds both provides. That is the call id where no other part has it.
 * Where the id was masked, or an earlier part has it too (some models number the calls of every response from 0), it is made from the part's
 * place in the session.
 */
export class CallLinks {
  /** Place of the part to which each call id belongs. */
  readonly #owners = new Map<string, string>();

  /**
   * The message, in which every tool part has a call id of its own.
   * @param index the message's place in the session; a message that is written again keeps its place
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
