import type { Placed } from "@/lib/agents/shared/places";
import type { RequestKeys } from "@/lib/core/columns/request-keys";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import type { SessionPlace } from "../../read/numbers/request-places";

/** `RequestKeys` as read or as stored. */
export interface KeptKeys extends Pick<RequestKeys, "classes"> {
  readonly models?: RequestKeys["models"] | undefined;
  /** The places of its requests, by their codes. */
  readonly places?: readonly SessionPlace[] | undefined;
  readonly exact: RequestKeys["exact"] | readonly number[];
  readonly sizes: RequestKeys["sizes"] | readonly number[];
}

/** Known facts of a session for finding related sessions. */
export interface RelatedInput {
  readonly id: string;
  readonly summary: Pick<SessionSummary, "format" | "sessionId" | "requests" | "startedAt" | "endedAt" | "links">;
  readonly placed: Placed;
  readonly keys: KeptKeys;
}
