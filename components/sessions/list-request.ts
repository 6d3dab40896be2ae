import type { SessionsFilter } from "@/lib/api/client";
import { NEAR_LIMIT } from "@/lib/core/base/facet-keys";
import { type Filters, parseCondition, type Sort, type SortKey } from "./filters";

/** Which files that could not be read the list shows: all that match, none, or nothing but these. */
type Unread = "among" | "folded" | "only";

/** The longest search text that the server takes. */
const MOST_CHARS = 200;

/** What the filters ask the server for. */
export function filterRequest(filters: Filters): Required<SessionsFilter> {
  const { q, agent, project, model, version, compacted, near, problems, cost, where } = filters;
  const any = { agent, project, model, version };
  return {
    q: q.trim().slice(0, MOST_CHARS),
    where: [
      ...Object.entries(any).flatMap(([key, values]) => values.map((value) => `${key}=${value}`)),
      ...yesNo("compacted", compacted),
      ...(near === null ? [] : [`fill${near === "yes" ? ">=" : "<"}${NEAR_LIMIT}`]),
      ...yesNo("faulty", problems),
      // What was not read may have a cost yet: it is not among those without one.
      ...where,
      ...(cost === "na" ? ["cost=", "state=read"] : cost === null ? [] : [`cost>=${cost}`]),
    ],
  };
}

/** What asks for all sessions that filters choose from: samples are among them where they are asked for, and only there. */
export function unfilteredRequest({ where }: SessionsFilter): Required<SessionsFilter> {
  return { q: "", where: where?.filter((one) => parseCondition(one)?.key === "sample") ?? [] };
}

function yesNo(key: string, chosen: Filters["compacted"]): string[] {
  return chosen === null ? [] : [`${key}=${chosen === "yes" ? 1 : 0}`];
}

/** The keys that the API sorts by where they are not the page's own. */
const API_SORTS: Partial<Record<SortKey, string>> = { peak: "peakShare" };

/** What the list asks the server for. */
export function listRequest(filters: Filters, { key, descending }: Sort, unread: Unread) {
  const { q, where } = filterRequest(filters);
  const states = { among: [], folded: ["state!=failed"], only: ["state=failed"] }[unread];
  return { q, where: [...where, ...states], sort: `${descending ? "-" : ""}${API_SORTS[key] ?? key}` };
}
