export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Method and path of a query. */
export interface Route {
  readonly method: Method;
  /** Path below the origin; `{id}` matches any segment. */
  readonly path: string;
}

/** Every query by its name. Part of every page, so server-only parts are in `shapes.ts`. */
export const ROUTES = {
  sessions: { method: "GET", path: "/api/sessions" },
  sessionFacets: { method: "GET", path: "/api/sessions/facets" },
  sessionChoices: { method: "GET", path: "/api/sessions/choices" },
  sweep: { method: "POST", path: "/api/sweeps" },
  report: { method: "POST", path: "/api/reports" },
  insights: { method: "GET", path: "/api/insights" },
  advice: { method: "POST", path: "/api/insights/advice" },
  policies: { method: "POST", path: "/api/insights/policies" },
  outcome: { method: "GET", path: "/api/insights/outcome" },
  indexing: { method: "GET", path: "/api/indexing" },
  steerIndexing: { method: "POST", path: "/api/indexing" },
  sources: { method: "GET", path: "/api/sources" },
  items: { method: "GET", path: "/api/sessions/{id}/items" },
  picture: { method: "GET", path: "/api/sessions/{id}/picture" },
  search: { method: "GET", path: "/api/sessions/{id}/search" },
  breakdown: { method: "GET", path: "/api/sessions/{id}/breakdown" },
  contributors: { method: "GET", path: "/api/sessions/{id}/contributors" },
  waste: { method: "GET", path: "/api/sessions/{id}/waste" },
  cost: { method: "GET", path: "/api/sessions/{id}/cost" },
  fidelity: { method: "GET", path: "/api/sessions/{id}/fidelity" },
  boundary: { method: "POST", path: "/api/sessions/{id}/boundary" },
  ledger: { method: "POST", path: "/api/sessions/{id}/ledger" },
  replay: { method: "POST", path: "/api/sessions/{id}/replay" },
  compare: { method: "POST", path: "/api/sessions/{id}/compare" },
  currentSettings: { method: "GET", path: "/api/sessions/{id}/settings" },
  overhead: { method: "GET", path: "/api/sessions/{id}/overhead" },
  session: { method: "GET", path: "/api/sessions/{id}" },
  columns: { method: "GET", path: "/api/sessions/{id}/columns" },
  sessionEvents: { method: "GET", path: "/api/sessions/{id}/events" },
  export: { method: "GET", path: "/api/sessions/{id}/export" },
  exportPreview: { method: "GET", path: "/api/sessions/{id}/export/preview" },
  summaryPreview: { method: "POST", path: "/api/sessions/{id}/summary/preview" },
  summary: { method: "POST", path: "/api/sessions/{id}/summary" },
  chooseProfile: { method: "PUT", path: "/api/sessions/{id}/overhead" },
  summarizer: { method: "GET", path: "/api/summarizer" },
  prices: { method: "GET", path: "/api/prices" },
  ownPolicies: { method: "GET", path: "/api/policies" },
  interpreter: { method: "GET", path: "/api/policies/interpreter" },
  addUpload: { method: "POST", path: "/api/uploads" },
  removeUpload: { method: "DELETE", path: "/api/uploads/{id}" },
  profiles: { method: "GET", path: "/api/profiles" },
  addProfile: { method: "POST", path: "/api/profiles" },
  removeProfile: { method: "DELETE", path: "/api/profiles/{id}" },
  health: { method: "GET", path: "/api/health" },
  openapi: { method: "GET", path: "/api/openapi.json" },
} as const satisfies Readonly<Record<string, Route>>;

export type QueryName = keyof typeof ROUTES;

/** Names the version of the file behind the columns. Later queries may repeat it: `since` for changes, `at` for the same version. */
export const VERSION_HEADER = "Session-Version";
