import type { Query, QueryClient } from "@tanstack/react-query";

/** What the server answers of a session with the overhead or the window that its context profile gives; the session's facts have no kind. */
const WITH_PROFILE: ReadonlySet<unknown> = new Set([
  undefined,
  ...["boundary", "export", "fidelity", "ledger", "overhead", "report", "summary"],
]);

/**
 * Has everything asked for again that a change of context profiles changes, also of the sessions that were open before: a profile may be in force for a
 * project or an agent.
 */
export function profilesChanged(client: QueryClient): Promise<void> {
  const predicate = ({ queryKey: [what, , kind] }: Query) =>
    what === "profiles" || what === "compared" || (what === "session" && WITH_PROFILE.has(kind));
  return client.invalidateQueries({ predicate });
}
