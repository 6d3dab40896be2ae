import type { z } from "zod";
import type { QueryName } from "./routes";
import type * as contract from "./schemas";

type Contract = typeof contract;

/** A schema of the contract, by its name. */
export type SchemaName = { [Name in keyof Contract]: Contract[Name] extends z.ZodType ? Name : never }[keyof Contract];

/** The schemas of a query's body and answers. */
export interface Shape {
  /** Schema of the body; `file` for the raw bytes of one. */
  readonly body?: SchemaName | "file";
  readonly json?: SchemaName;
  /** Schema of an answer in server-sent events. */
  readonly events?: SchemaName;
}

/** The schemas of every query. */
export const SHAPES = {
  sessions: { json: "sessionPage" },
  sessionFacets: { json: "sessionFacets" },
  sessionChoices: { json: "sessionChoices" },
  sweep: { body: "sweepRequest", events: "sweepEvent" },
  report: { body: "reportRequest" },
  insights: { json: "insightsAnswer" },
  outcome: { json: "outcomeAnswer" },
  advice: { body: "adviceRequest", events: "adviceEvent" },
  policies: { body: "policiesRequest", events: "policiesEvent" },
  indexing: { events: "indexingEvent" },
  steerIndexing: { body: "indexingRequest" },
  sources: { json: "sourcesAnswer" },
  items: { json: "itemsAnswer" },
  picture: {},
  search: { json: "searchAnswer" },
  breakdown: { json: "breakdown" },
  contributors: { json: "contributors" },
  waste: { json: "waste" },
  cost: { json: "cost" },
  fidelity: { json: "fidelityAnswer" },
  boundary: { body: "boundaryRequest", json: "boundaryAnswer" },
  ledger: { body: "ledgerRequest", json: "ledger" },
  replay: { body: "replayRequest", json: "replayResult" },
  compare: { body: "compareRequest", json: "compareAnswer" },
  currentSettings: { json: "currentSettingsAnswer" },
  overhead: { json: "overheadAnswer" },
  session: { json: "sessionAnswer" },
  columns: {},
  sessionEvents: { events: "sessionEvent" },
  export: {},
  exportPreview: { json: "exportPreview" },
  summaryPreview: { body: "boundaryRequest", json: "summaryPreviewAnswer" },
  summary: { body: "summaryRequest", events: "summaryEvent" },
  chooseProfile: { body: "profileChoice" },
  summarizer: { json: "summarizerAnswer" },
  prices: { json: "pricesAnswer" },
  ownPolicies: { json: "ownPoliciesAnswer" },
  interpreter: {},
  addUpload: { body: "file", json: "uploadAnswer" },
  removeUpload: {},
  profiles: { json: "profilesAnswer" },
  addProfile: { body: "profileRequest", json: "storedProfile" },
  removeProfile: {},
  health: { json: "health" },
  openapi: {},
} as const satisfies Readonly<Record<QueryName, Shape>>;

type Shapes = typeof SHAPES;

/** Queries with a JSON answer. */
export type JsonName = {
  [Name in QueryName]: Shapes[Name] extends { readonly json: SchemaName } ? Name : never;
}[QueryName];

/** The body that a client sends with a query. */
export type Body<Name extends QueryName> = Shapes[Name] extends { readonly body: infer Schema extends SchemaName }
  ? z.input<Contract[Schema]>
  : undefined;

/** The body of a query, as its schema parses it. */
export type ParsedBody<Name extends QueryName> = Shapes[Name] extends { readonly body: infer Schema extends SchemaName }
  ? z.output<Contract[Schema]>
  : undefined;

/** The JSON answer of a query. */
export type Answer<Name extends QueryName> = Shapes[Name] extends { readonly json: infer Schema extends SchemaName }
  ? z.output<Contract[Schema]>
  : never;
