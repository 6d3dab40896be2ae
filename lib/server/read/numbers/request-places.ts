import { worktreeOf } from "@/lib/core/base/worktree";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { keyedRequests } from "@/lib/core/columns/request-keys";
import type { RequestTerms, Transcript } from "@/lib/core/transcript/model";

/** Branches and folders of requests; `null` if the file does not state them. */
export interface SessionPlace {
  /** Git branch. */
  readonly branch: string | null;
  /** Folder of the git worktree, else the folder in which the session began. */
  readonly worktree: string | null;
  /** Session and id of the subagent that made them; `null` for the session itself. */
  readonly subagent: string | null;
}

/** Distinct places, and the place of every request in the order of the session's keys. */
export interface RequestPlaces {
  readonly places: readonly SessionPlace[];
  readonly codes: readonly number[];
}

/** Facts of a session that its requests share. */
type PlacedSession = Pick<Transcript, "branch" | "project" | "sessionId" | "links" | "requests" | "extraRequests">;

/** The places of a session's requests. Source: docs/method.md, "Branches and worktrees". */
export function requestPlaces(session: PlacedSession, columns: SessionColumns): RequestPlaces {
  const places: SessionPlace[] = [];
  const codes = new Map<string, number>();
  const codeOf = (terms: RequestTerms | undefined) => {
    const place = placeOf(session, terms);
    const key = JSON.stringify(place);
    const code = codes.get(key) ?? places.push(place) - 1;
    codes.set(key, code);
    return code;
  };
  const keyed = keyedRequests(columns).map(({ requests, row }) => {
    if (requests === columns.requests) return codeOf(session.requests[row]?.terms);
    // A summary call in a file next to the session's has the place of the request after its compaction.
    const following = session.requests[columns.boundaries.request[columns.extra.boundary[row] ?? -1] ?? -1];
    return codeOf((session.extraRequests[row] ?? following)?.terms);
  });
  if (places.length === 0) codeOf(undefined);
  return { places, codes: keyed };
}

function placeOf(session: PlacedSession, terms: RequestTerms | undefined): SessionPlace {
  const folder = terms?.folder ?? session.project;
  const subagent = terms?.subagent ?? session.links.agentId;
  return {
    branch: terms?.branch ?? session.branch ?? null,
    worktree: folder === undefined ? null : worktreeOf(folder, session.project),
    subagent: subagent === undefined ? null : `${session.sessionId ?? ""}/${subagent}`,
  };
}
