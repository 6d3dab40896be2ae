import { isMember, type Membership } from "@/lib/core/columns/membership";

/** Where an item is at a request, seen from one context. */
export type Presence =
  /** Sent with the request. */
  | "in"
  /** Sent as a placeholder: its content has been cleared. */
  | "cleared"
  /** It was in the context and has left it. */
  | "dropped"
  /** It comes later, or never enters this context. */
  | "notYet";

export function presenceAt(context: Membership, item: number, request: number): Presence {
  if (isMember(context, item, request)) {
    return (context.cleared[item] ?? Number.POSITIVE_INFINITY) <= request ? "cleared" : "in";
  }
  return (context.entered[item] ?? Number.POSITIVE_INFINITY) <= request ? "dropped" : "notYet";
}
