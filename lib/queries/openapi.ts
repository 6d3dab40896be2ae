import { z } from "zod";
import { VERSION } from "@/lib/server/base/version";
import * as contract from "./contract/schemas";
import type { SchemaName } from "./contract/shapes";
import type { Query } from "./query";

/** The OpenAPI document, made from the queries and the schemas of the contract. */
export function openApi(queries: readonly Query[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const query of queries) {
    paths[query.path] = { ...paths[query.path], [query.method.toLowerCase()]: operation(query) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Context Replay", version: VERSION },
    paths,
    components: { schemas: schemas() },
  };
}

const ID_TEXT =
  "opaque; the suffix ~FORMAT reads the file in that format, ~FORMAT~SESSION one of several sessions in it (FORMAT may be empty)";
const ID = { name: "id", in: "path", required: true, schema: { type: "string" }, description: ID_TEXT };

function operation(described: Query) {
  const { path, summary, query, parameters: further = [], body, status } = described;
  const content = contentOf(described);
  const problem = { "application/problem+json": { schema: reference("httpProblem") } };
  return {
    summary,
    parameters: [...(path.includes("{id}") ? [ID] : []), ...(query === undefined ? [] : parameters(query)), ...further],
    responses: {
      [status ?? 200]: { description: summary, ...(content === undefined ? {} : { content }) },
      default: { description: "A refusal, with its reason", content: problem },
    },
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyOf(body) } }),
  };
}

function contentOf({ json, events, types }: Query): Record<string, object> | undefined {
  if (json !== undefined) return { "application/json": { schema: reference(json) } };
  if (events !== undefined) return { "text/event-stream": { schema: reference(events) } };
  return types && Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }]));
}

/** A file's content is text, or bytes; the document describes itself as an object. */
function schemaOf(type: string): object {
  return TEXTS.test(type) ? { type: "string" } : type === "application/json" ? { type: "object" } : BYTES;
}

const TEXTS = /^text\/html|^application\/jsonl/;
const BYTES = { type: "string", format: "binary" };

function bodyOf(body: SchemaName | "file"): Record<string, object> {
  return body === "file"
    ? { "application/octet-stream": { schema: BYTES } }
    : { "application/json": { schema: reference(body) } };
}

function reference(name: SchemaName) {
  return { $ref: `#/components/schemas/${name}` };
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
