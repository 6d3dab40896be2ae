import type { z } from "zod";
import type * as contract from "./schemas";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Contract = typeof contract;

/** A schema of the contract, by its name. */
export type SchemaName = { [Name in keyof Contract]: Contract[Name] extends z.ZodType ? Name : never }[keyof Contract];

/** A query as both ends know it. */
export interface Route {
  readonly method: Method;
  /** Path below the origin; `{id}` stands for any segment. */
  readonly path: string;
  /** Schema of the body; `file` for the raw bytes of one. */
  readonly body?: SchemaName | "file";
  /** Schema of an answer in JSON. */
  readonly json?: SchemaName;
  /** Schema of an answer in server-sent events. */
  readonly events?: SchemaName;
}

/** Every query by its name. Holds no schema: it is part of every page. */
export const ROUTES = {
  sessions: { method: "GET", path: "/api/sessions", json: "sessionPage" },
  sessionFacets: { method: "GET", path: "/api/sessions/facets", json: "sessionFacets" },
  sessionChoices: { method: "GET", path: "/api/sessions/choices", json: "sessionChoices" },
  sweep: { method: "POST", path: "/api/sweeps", body: "sweepRequest", events: "sweepEvent" },
  report: { method: "POST", path: "/api/reports", body: "reportRequest" },
  insights: { method: "GET", path: "/api/insights", json: "insightsAnswer" },
  advice: { method: "POST", path: "/api/insights/advice", body: "adviceRequest", events: "adviceEvent" },
  policies: { method: "POST", path: "/api/insights/policies", body: "policiesRequest", events: "policiesEvent" },
  indexing: { method: "GET", path: "/api/indexing", events: "indexingEvent" },
  steerIndexing: { method: "POST", path: "/api/indexing", body: "indexingRequest" },
  sources: { method: "GET", path: "/api/sources", json: "sourcesAnswer" },
  items: { method: "GET", path: "/api/sessions/{id}/items", json: "itemsAnswer" },
  picture: { method: "GET", path: "/api/sessions/{id}/picture" },
  search: { method: "GET", path: "/api/sessions/{id}/search", json: "searchAnswer" },
  breakdown: { method: "GET", path: "/api/sessions/{id}/breakdown", json: "breakdown" },
  contributors: { method: "GET", path: "/api/sessions/{id}/contributors", json: "contributors" },
  cost: { method: "GET", path: "/api/sessions/{id}/cost", json: "cost" },
  fidelity: { method: "GET", path: "/api/sessions/{id}/fidelity", json: "fidelityAnswer" },
  boundary: { method: "POST", path: "/api/sessions/{id}/boundary", body: "boundaryRequest", json: "boundaryAnswer" },
  ledger: { method: "POST", path: "/api/sessions/{id}/ledger", body: "ledgerRequest", json: "ledger" },
  replay: { method: "POST", path: "/api/sessions/{id}/replay", body: "replayRequest", json: "replayResult" },
  compare: { method: "POST", path: "/api/sessions/{id}/compare", body: "compareRequest", json: "compareAnswer" },
  overhead: { method: "GET", path: "/api/sessions/{id}/overhead", json: "overheadAnswer" },
  session: { method: "GET", path: "/api/sessions/{id}", json: "sessionAnswer" },
  columns: { method: "GET", path: "/api/sessions/{id}/columns" },
  sessionEvents: { method: "GET", path: "/api/sessions/{id}/events", events: "sessionEvent" },
  export: { method: "GET", path: "/api/sessions/{id}/export" },
  exportPreview: { method: "GET", path: "/api/sessions/{id}/export/preview", json: "exportPreview" },
  summaryPreview: {
    method: "POST",
    path: "/api/sessions/{id}/summary/preview",
    body: "boundaryRequest",
    json: "summaryPreviewAnswer",
  },
  summary: { method: "POST", path: "/api/sessions/{id}/summary", body: "summaryRequest", events: "summaryEvent" },
  chooseProfile: { method: "PUT", path: "/api/sessions/{id}/overhead", body: "profileChoice" },
  summarizer: { method: "GET", path: "/api/summarizer", json: "summarizerAnswer" },
  prices: { method: "GET", path: "/api/prices", json: "pricesAnswer" },
  ownPolicies: { method: "GET", path: "/api/policies", json: "ownPoliciesAnswer" },
  interpreter: { method: "GET", path: "/api/policies/interpreter" },
  addUpload: { method: "POST", path: "/api/uploads", body: "file", json: "uploadAnswer" },
  removeUpload: { method: "DELETE", path: "/api/uploads/{id}" },
  profiles: { method: "GET", path: "/api/profiles", json: "profilesAnswer" },
  addProfile: { method: "POST", path: "/api/profiles", body: "profileRequest", json: "storedProfile" },
  removeProfile: { method: "DELETE", path: "/api/profiles/{id}" },
  health: { method: "GET", path: "/api/health", json: "health" },
  openapi: { method: "GET", path: "/api/openapi.json" },
} as const satisfies Readonly<Record<string, Route>>;

export type Routes = typeof ROUTES;
export type QueryName = keyof Routes;

/** The body that a client sends with a query. */
export type Body<R extends Route> = R extends { readonly body: SchemaName } ? z.input<Contract[R["body"]]> : undefined;

/** The same once its schema has parsed it. */
export type ParsedBody<R extends Route> = R extends { readonly body: SchemaName }
  ? z.output<Contract[R["body"]]>
  : undefined;

/** The answer of a query whose answer is JSON. */
export type Answer<R extends Route> = R extends { readonly json: SchemaName } ? z.output<Contract[R["json"]]> : never;
