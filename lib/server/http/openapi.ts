import { z } from "zod";
import * as contract from "@/lib/api/contract";
import { MAX_REPLAYS } from "@/lib/core/metrics/grid";
import { VERSION } from "../base/version";
import { insightsQuery } from "../insights/overview";
import { choicesQuery } from "../list/choices";
import { facetsQuery } from "../list/facets";
import { listQuery } from "../list/list-query";
import { PICTURE_TYPES } from "../read/texts/picture";
import { EXPORT_TYPES, exportQuery } from "./export-response";
import {
  breakdownQuery,
  contributorsQuery,
  costQuery,
  itemsQuery,
  overheadQuery,
  pictureQuery,
  pricesQuery,
  searchQuery,
} from "./queries";

/** The OpenAPI document, made from the schemas of the answers. */
export function openApi() {
  return {
    openapi: "3.1.0",
    info: { title: "Context Replay", version: VERSION },
    paths: {
      "/api/sessions": { get: operation("A page of the session list", json("sessionPage"), parameters(listQuery)) },
      "/api/sessions/facets": {
        get: operation("Sums over the sessions that match", json("sessionFacets"), parameters(facetsQuery)),
      },
      "/api/sessions/choices": {
        get: operation("What the list can be narrowed to", json("sessionChoices"), parameters(choicesQuery)),
      },
      "/api/sessions/{id}": { get: operation("One session", json("sessionAnswer"), [ID, ACCURACY, AT]) },
      "/api/sessions/{id}/columns": {
        get: operation("The session as numbers", OCTETS, [ID, TOKENS, MEASURES, SINCE, AT]),
      },
      "/api/sessions/{id}/items": {
        get: operation("Text of some items", json("itemsAnswer"), [ID, ...parameters(itemsQuery)]),
      },
      "/api/sessions/{id}/picture": {
        get: operation("A picture in the session", PICTURE, [ID, ...parameters(pictureQuery)]),
      },
      "/api/sessions/{id}/search": {
        get: operation("Where a text stands in the session", json("searchAnswer"), [ID, ...parameters(searchQuery)]),
      },
      "/api/sessions/{id}/breakdown": {
        get: operation("What filled the window at a request", json("breakdown"), [ID, ...parameters(breakdownQuery)]),
      },
      "/api/sessions/{id}/contributors": {
        get: operation("Who filled the context until a request", json("contributors"), [
          ID,
          ...parameters(contributorsQuery),
        ]),
      },
      "/api/sessions/{id}/cost": {
        get: operation("What the session cost by list prices", json("cost"), [ID, ...parameters(costQuery)]),
      },
      "/api/sessions/{id}/fidelity": {
        get: operation("Recorded compactions against the agent's own policy", json("fidelityAnswer"), [ID]),
      },
      "/api/sessions/{id}/boundary": {
        post: {
          ...operation("A compaction item by item, with its texts", json("boundaryAnswer"), [ID]),
          requestBody: body("boundaryRequest"),
        },
      },
      "/api/sessions/{id}/ledger": {
        post: {
          ...operation("What was needed again after compactions, recorded or under a policy", json("ledger"), [ID]),
          requestBody: body("ledgerRequest"),
        },
      },
      "/api/sessions/{id}/export": {
        get: operation("The session in another form, as a file", EXPORTED, [ID, ...parameters(exportQuery)]),
      },
      "/api/sessions/{id}/export/preview": {
        get: operation("What an export with texts would hold", json("exportPreview"), [ID]),
      },
      "/api/summarizer": {
        get: operation("The endpoint for real summaries that was named", json("summarizerAnswer")),
      },
      "/api/sessions/{id}/summary/preview": {
        post: {
          ...operation("Exactly what would be sent for a compaction's summary", json("summaryPreviewAnswer"), [ID]),
          requestBody: body("boundaryRequest"),
        },
      },
      "/api/sessions/{id}/summary": {
        post: {
          ...operation("Sends it to that endpoint; server-sent events", events("summaryEvent"), [ID], 202),
          requestBody: body("summaryRequest"),
        },
      },
      "/api/sessions/{id}/replay": {
        post: {
          ...operation("The session under a policy", json("replayResult"), [ID]),
          requestBody: body("replayRequest"),
        },
      },
      "/api/sessions/{id}/compare": {
        post: {
          ...operation("Several policies on the session, side by side", json("compareAnswer"), [ID]),
          requestBody: body("compareRequest"),
        },
      },
      "/api/sweeps": {
        post: {
          ...operation(
            `One or two settings over a range, as server-sent events; points × sessions are ${MAX_REPLAYS} at most`,
            events("sweepEvent"),
            [],
            202,
          ),
          requestBody: body("sweepRequest"),
        },
      },
      "/api/reports": {
        post: {
          ...operation("A report of sessions in one file, in numbers alone", HTML),
          requestBody: body("reportRequest"),
        },
      },
      "/api/insights": {
        get: operation(
          "Sums and distributions over the sessions that match, and how far they can be trusted",
          json("insightsAnswer"),
          parameters(insightsQuery),
        ),
      },
      "/api/insights/advice": {
        post: {
          ...operation(
            "Which value of a setting to choose over the sessions that match, as server-sent events",
            events("adviceEvent"),
            [],
            202,
          ),
          requestBody: body("adviceRequest"),
        },
      },
      "/api/insights/policies": {
        post: {
          ...operation(
            "Policies over the sessions that match, as server-sent events",
            events("policiesEvent"),
            [],
            202,
          ),
          requestBody: body("policiesRequest"),
        },
      },
      "/api/sessions/{id}/events": {
        get: operation("What changes, as server-sent events", events("sessionEvent"), [ID]),
      },
      "/api/prices": {
        get: operation("Models that have a price, and one model's row", json("pricesAnswer"), parameters(pricesQuery)),
      },
      "/api/policies": { get: operation("Policies of one's own, as their files are", json("ownPoliciesAnswer")) },
      "/api/policies/interpreter": { get: operation("What runs them, as WebAssembly", OCTETS) },
      "/api/uploads": {
        post: { ...operation("Sends a file as the raw body", json("uploadAnswer"), [NAME], 201), requestBody: FILE },
      },
      "/api/uploads/{id}": { delete: operation("Removes an upload", {}, [ID], 204) },
      "/api/profiles": {
        get: operation("Context profiles kept here", json("profilesAnswer")),
        post: {
          ...operation("Keeps a context profile", json("storedProfile"), [], 201),
          requestBody: body("profileRequest"),
        },
      },
      "/api/profiles/{id}": { delete: operation("Removes a context profile", {}, [ID], 204) },
      "/api/sessions/{id}/overhead": {
        get: operation("What is known of the overhead beyond the file", json("overheadAnswer"), [
          ID,
          ...parameters(overheadQuery),
        ]),
        put: {
          ...operation("Chooses a context profile for the session, its project or its agent", {}, [ID], 204),
          requestBody: body("profileChoice"),
        },
      },
      "/api/indexing": {
        get: operation("How far files are read, as server-sent events", events("indexingEvent")),
        post: {
          ...operation("Stops the reading of files, resumes it, or reads all of them again", {}, [], 204),
          requestBody: body("indexingRequest"),
        },
      },
      "/api/sources": { get: operation("Where sessions are looked for", json("sourcesAnswer")) },
      "/api/openapi.json": { get: operation("This document", DOCUMENT) },
      "/api/health": { get: operation("Whether the server answers", json("health")) },
    },
    components: { schemas: schemas() },
  };
}

const ID_TEXT =
  "opaque; with ~FORMAT behind it, the file is read as that format; with ~FORMAT~SESSION, one of several sessions that it holds (FORMAT may be empty)";
const ID = { name: "id", in: "path", required: true, schema: { type: "string" }, description: ID_TEXT };
const TOKENS = {
  name: "tokens",
  in: "query",
  schema: { type: "string" },
  description:
    "estimators whose token columns are wanted, separated by commas; own: the recording agent's, left out of a large file's answer",
};
const ACCURACY = {
  name: "accuracy",
  in: "query",
  schema: { type: "string", default: "sizes" },
  description: "estimators compared with the recorded usage: sizes, own, all, or ids separated by commas",
};
const MEASURES = {
  name: "measures",
  in: "query",
  schema: { type: "string" },
  description: "policies whose measures are wanted, separated by commas",
};
const SINCE = {
  name: "since",
  in: "query",
  schema: { type: "string" },
  description:
    "the version that the caller has the same columns of; while it is held, only what has changed since is sent",
};
const AT = {
  name: "at",
  in: "query",
  schema: { type: "string" },
  description: "the version that is asked about; where it is no longer held, the present one",
};
const NAME = {
  name: "x-file-name",
  in: "header",
  schema: { type: "string" },
  description: "the file's name, percent-encoded UTF-8; for display only",
};
const BINARY = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
const DOCUMENT = { content: { "application/json": { schema: { type: "object" } } } };
const OCTETS = { content: BINARY };
const PICTURE = {
  content: Object.fromEntries(PICTURE_TYPES.map((type) => [type, { schema: { type: "string", format: "binary" } }])),
};
const HTML = { content: { "text/html": { schema: { type: "string" } } } };
const EXPORTED = {
  content: Object.fromEntries(Object.values(EXPORT_TYPES).map((type) => [type, { schema: { type: "string" } }])),
};
const FILE = { required: true, content: BINARY };

type SchemaName = {
  [Name in keyof typeof contract]: (typeof contract)[Name] extends z.ZodType ? Name : never;
}[keyof typeof contract];

function reference(name: SchemaName) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(name: SchemaName) {
  return { content: { "application/json": { schema: reference(name) } } };
}

function events(name: SchemaName) {
  return { content: { "text/event-stream": { schema: reference(name) } } };
}

function body(name: SchemaName) {
  return { required: true, ...json(name) };
}

function operation(summary: string, answer: object, parameterList: readonly object[] = [], status = 200) {
  const problem = { "application/problem+json": { schema: reference("httpProblem") } };
  return {
    summary,
    parameters: parameterList,
    responses: {
      [status]: { description: summary, ...answer },
      default: { description: "A refusal, with its reason", content: problem },
    },
  };
}

/** Query parameters, made from the schema that parses them. */
function parameters(query: z.ZodObject): object[] {
  const { properties = {}, required = [] } = jsonSchema(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function schemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(contract).flatMap(([name, schema]) =>
      schema instanceof z.ZodType ? [[name, jsonSchema(schema)]] : [],
    ),
  );
}

function jsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}
