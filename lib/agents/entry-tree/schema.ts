import type { JsonObject } from "@/lib/agents/shared/json";
import { anyNumberField, countField, numberField, objectField, textField } from "@/lib/core/records/fields";

/**
 * The fields around an entry's content. The format is not ours, so every field may be missing or have another type, and then counts as absent.
 * Further fields and kinds are ignored. The agents' README.md say what each field means.
 */
export interface Envelope {
  readonly type: string | undefined;
  readonly id: string | undefined;
  /** `null` at a root. */
  readonly parentId: string | null | undefined;
  readonly timestamp: string | undefined;
  readonly message: MessageFields | undefined;
  readonly customType: string | undefined;
  readonly version: number | undefined;
  readonly cwd: string | undefined;
  /** In a header: the file that the session was forked from. */
  readonly parentSession: string | undefined;
  readonly branchedFrom: string | undefined;
  readonly name: string | undefined;
  readonly firstKeptEntryId: string | undefined;
  readonly firstKeptEntryIndex: number | undefined;
  readonly targetId: string | null | undefined;
  readonly appendMode: string | undefined;
  readonly data: JsonObject | undefined;
}

export interface MessageFields {
  readonly role: string | undefined;
  readonly model: string | undefined;
  /** The provider's id of a response. */
  readonly responseId: string | undefined;
  /** The provider's error message for a response that failed. */
  readonly errorMessage: string | undefined;
  readonly timestamp: number | undefined;
  readonly toolCallId: string | undefined;
  readonly usage: JsonObject | undefined;
}

/** Reads the fields around a record's content. Never throws: a record is an object, and every field is optional. */
export function envelopeOf(record: JsonObject): Envelope {
  return {
    type: textField(record.type),
    id: textField(record.id),
    parentId: referenceField(record.parentId),
    timestamp: textField(record.timestamp),
    message: messageFields(objectField(record.message)),
    customType: textField(record.customType),
    version: numberField(record.version),
    cwd: textField(record.cwd),
    parentSession: textField(record.parentSession),
    branchedFrom: textField(record.branchedFrom),
    name: textField(record.name),
    firstKeptEntryId: textField(record.firstKeptEntryId),
    firstKeptEntryIndex: countField(record.firstKeptEntryIndex),
    targetId: referenceField(record.targetId),
    appendMode: textField(record.appendMode),
    data: objectField(record.data),
  };
}

function referenceField(value: unknown): string | null | undefined {
  return value === null ? null : textField(value);
}

function messageFields(message: JsonObject | undefined): MessageFields | undefined {
  if (message === undefined) return undefined;
  return {
    role: textField(message.role),
    model: textField(message.model),
    responseId: textField(message.responseId),
    errorMessage: textField(message.errorMessage),
    timestamp: anyNumberField(message.timestamp),
    toolCallId: textField(message.toolCallId),
    usage: objectField(message.usage),
  };
}
