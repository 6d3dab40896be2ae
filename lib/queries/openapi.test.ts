import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROUTES, type Route } from "./contract/routes";
import { openApi } from "./openapi";
import { QUERIES } from "./table";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
const operation = z.looseObject({
  summary: z.string().min(1),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(["path", "query", "header"]),
      required: z.boolean().optional(),
      schema: z.looseObject({}),
      description: z.string().optional(),
    }),
  ),
  requestBody: z
    .strictObject({ required: z.literal(true), content: z.record(z.string(), z.looseObject({})) })
    .optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|default)$/), z.looseObject({ description: z.string().min(1) })),
});
const document = z
  .strictObject({
    openapi: z.literal("3.1.0"),
    info: z.strictObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operation)),
    components: z.strictObject({ schemas: z.record(z.string(), z.looseObject({})) }),
  })
  // The document as sent.
  .parse(JSON.parse(JSON.stringify(openApi(QUERIES))));

describe("the OpenAPI document", () => {
  it("has an answer schema for every query", () => {
    const routes: readonly Route[] = Object.values(ROUTES);
    const named = routes.map(({ method, path }) => `${method} ${path}`);
    expect(QUERIES.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(named.sort());
  });

  it("lists every query once", () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(QUERIES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const one = methods[method];
      return one === undefined ? [] : [[`${method} ${path}`, path, one] as const];
    }),
  );

  it.each(operations)("%s declares its path's parameters, an answer and the rejection", (_name, path, one) => {
    const inPath = one.parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name, required }) => [`{${name}}`, required])).toEqual(
      (path.match(/\{\w+\}/g) ?? []).map((name) => [name, true]),
    );
    expect(Object.keys(one.responses)).toEqual([expect.stringMatching(/^2\d\d$/), "default"]);
  });

  it("refers to existing schemas, and describes numbers as numbers", () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(Array.from(references, ([, target]) => target).filter((target) => !known.includes(target ?? ""))).toEqual(
      [],
    );
    const typeOf = (path: string, name: string) =>
      document.paths[path]?.get?.parameters.find((parameter) => parameter.name === name)?.schema.type;
    expect(typeOf("/api/sessions/{id}/items", "from")).toBe("integer");
    expect(typeOf("/api/sessions/{id}/breakdown", "threshold")).toBe("number");
  });
});
