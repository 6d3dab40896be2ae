import type { Random } from "../random";

/** A thing that the invented TypeScript project deals with. */
export interface Entity {
  readonly name: string;
  readonly plural: string;
  /** Field and its type. */
  readonly fields: readonly (readonly [string, "string" | "number" | "Date" | "boolean"])[];
  readonly states: readonly string[];
  /** Verbs of its service. */
  readonly verbs: readonly string[];
}

/** Files of a service written in layers, by entity. */
export function typescriptProject(entities: readonly Entity[], random: Random): Map<string, string> {
  const files = new Map<string, string>();
  for (const entity of entities) {
    files.set(`src/${entity.plural}/${entity.name}.ts`, model(entity, random));
    files.set(`src/${entity.plural}/${entity.name}-repository.ts`, repository(entity, random));
    files.set(`src/${entity.plural}/${entity.name}-service.ts`, service(entity, random));
    files.set(`src/${entity.plural}/${entity.name}-routes.ts`, routes(entity));
    files.set(`test/${entity.plural}/${entity.name}-service.test.ts`, serviceTest(entity, random));
  }
  return files;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const snake = (text: string): string => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function model({ name, states, fields }: Entity, random: Random): string {
  const type = upper(name);
  return `import { invalid, type Result, valid } from "../lib/result.js";

export const ${name.toUpperCase()}_STATES = [${states.map((state) => `"${state}"`).join(", ")}] as const;
export type ${type}State = (typeof ${name.toUpperCase()}_STATES)[number];

/** One ${name}, as the rest of the program sees it. Rows of the database never leave the repository. */
export interface ${type} {
  readonly id: string;
  readonly tenantId: string;
${fields.map(([field, kind]) => `  readonly ${field}: ${kind}${random.chance(0.25) ? " | null" : ""};`).join("\n")}
  readonly state: ${type}State;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type New${type} = Omit<${type}, "id" | "state" | "revision" | "createdAt" | "updatedAt">;

/** States that may follow a state. Anything else is refused by the service, not by the database. */
export const FOLLOWS: Readonly<Record<${type}State, readonly ${type}State[]>> = {
${states
  .map(
    (state, index) =>
      `  ${state}: [${states
        .slice(index + 1, index + 3)
        .map((next) => `"${next}"`)
        .join(", ")}],`,
  )
  .join("\n")}
};

export function parseNew${type}(input: unknown): Result<New${type}> {
  if (typeof input !== "object" || input === null) return invalid("the body is not an object");
  const body = input as Record<string, unknown>;
  const problems: string[] = [];
${fields
  .filter(([, kind]) => kind !== "Date")
  .map(([field, kind]) => `  if (typeof body.${field} !== "${kind}") problems.push("${field} is not a ${kind}");`)
  .join("\n")}
${fields
  .filter(([, kind]) => kind === "Date")
  .map(
    ([field]) =>
      `  const ${field} = new Date(String(body.${field}));\n  if (Number.isNaN(${field}.getTime())) problems.push("${field} is not a time");`,
  )
  .join("\n")}
  if (problems.length > 0) return invalid(problems.join("; "));
  return valid({ ...(body as unknown as New${type}), ${fields
    .filter(([, kind]) => kind === "Date")
    .map(([field]) => field)
    .join(", ")} });
}
`;
}

function repository({ name, plural, fields }: Entity, random: Random): string {
  const type = upper(name);
  const key = fields[0]?.[0] ?? "id";
  const columns = [
    "id",
    "tenant_id",
    ...fields.map(([field]) => snake(field)),
    "state",
    "revision",
    "created_at",
    "updated_at",
  ];
  const page = random.pick([50, 100, 200, 500]);
  return `import type { Database, Row, Transaction } from "../lib/database.js";
import { encodeCursor, decodeCursor, type Page } from "../lib/paging.js";
import { StaleRevision } from "../lib/errors.js";
import type { ${type}, ${type}State, New${type} } from "./${name}.js";

const COLUMNS = ${JSON.stringify(columns).replaceAll(",", ", ")} as const;
const PAGE = ${page};

export class ${type}Repository {
  constructor(private readonly database: Database) {}

  async byId(id: string, within: Transaction | Database = this.database): Promise<${type} | undefined> {
    const rows = await within.query(\`select \${COLUMNS.join(", ")} from ${plural} where id = $1\`, [id]);
    return rows[0] === undefined ? undefined : to${type}(rows[0]);
  }

  async by${upper(key)}(tenantId: string, ${key}: string): Promise<${type} | undefined> {
    const rows = await this.database.query(
      \`select \${COLUMNS.join(", ")} from ${plural}
        where tenant_id = $1 and ${snake(key)} = $2
        order by created_at desc limit 1\`,
      [tenantId, ${key}],
    );
    return rows[0] === undefined ? undefined : to${type}(rows[0]);
  }

  async insert(input: New${type}, within: Transaction): Promise<${type}> {
    const rows = await within.query(
      \`insert into ${plural} (tenant_id, ${fields.map(([field]) => snake(field)).join(", ")})
        values ($1, ${fields.map((_, index) => `$${index + 2}`).join(", ")}) returning *\`,
      [input.tenantId, ${fields.map(([field]) => `input.${field}`).join(", ")}],
    );
    return to${type}(first(rows));
  }

  /** Moves to another state; the revision guards against a change in between. */
  async move(id: string, from: number, state: ${type}State, within: Transaction): Promise<${type}> {
    const rows = await within.query(
      \`update ${plural} set state = $3, revision = revision + 1, updated_at = now()
        where id = $1 and revision = $2 returning *\`,
      [id, from, state],
    );
    if (rows[0] === undefined) throw new StaleRevision("${name}", id, from);
    return to${type}(rows[0]);
  }

  async page(tenantId: string, cursor: string | undefined, state?: ${type}State): Promise<Page<${type}>> {
    const after = decodeCursor(cursor);
    const rows = await this.database.query(
      \`select \${COLUMNS.join(", ")} from ${plural}
        where tenant_id = $1 and (created_at, id) < ($2, $3) and ($4::text is null or state = $4)
        order by created_at desc, id desc limit $5\`,
      [tenantId, after.at, after.id, state ?? null, PAGE + 1],
    );
    const items = rows.slice(0, PAGE).map(to${type});
    const last = items.at(-1);
    return { items, next: rows.length > PAGE && last ? encodeCursor({ at: last.createdAt, id: last.id }) : undefined };
  }

  async countByState(tenantId: string): Promise<ReadonlyMap<${type}State, number>> {
    const rows = await this.database.query(
      "select state, count(*)::int as total from ${plural} where tenant_id = $1 group by state",
      [tenantId],
    );
    return new Map(rows.map((row) => [row.state as ${type}State, Number(row.total)]));
  }
}

function first(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("the statement gave no row");
  return row;
}

function to${type}(row: Row): ${type} {
  return {
    id: String(row.id),
    tenantId: String(row.tenant_id),
${fields.map(([field, kind]) => `    ${field}: ${kind === "Date" ? `new Date(String(row.${snake(field)}))` : kind === "number" ? `Number(row.${snake(field)})` : kind === "boolean" ? `row.${snake(field)} === true` : `String(row.${snake(field)})`},`).join("\n")}
    state: row.state as ${type}State,
    revision: Number(row.revision),
    createdAt: new Date(String(row.created_at)),
    updatedAt: new Date(String(row.updated_at)),
  };
}
`;
}

const REASONS = [
  "The carrier may answer twice, so this has to be safe to repeat.",
  "Read again inside the transaction: the one above may be a second old.",
  "Events go out after the commit. A listener that fails must not undo the change.",
  "No lock here: the revision check in the repository is what decides.",
  "Kept apart from the route so that the queue worker can call it as well.",
  "Tenants of the old plan have no limit; for them the count is not asked.",
] as const;

function service({ name, plural, verbs, states, fields }: Entity, random: Random): string {
  const type = upper(name);
  const key = fields[0]?.[0] ?? "id";
  const methods = verbs.map((verb, index) => {
    const state = states[Math.min(index + 1, states.length - 1)] ?? "done";
    const limit = random.int(2, 9) * 50;
    return `  /** Lets a ${name} ${verb}. ${random.pick(REASONS)} */
  async ${verb}(id: string, actor: Actor): Promise<${type}> {
    const changed = await this.database.transaction(async (transaction) => {
      const current = await this.${plural}.byId(id, transaction);
      if (current === undefined) throw new NotFound("${name}", id);
      if (!FOLLOWS[current.state].includes("${state}")) {
        throw new Conflict(\`a ${name} that is \${current.state} cannot ${verb}\`, { id, state: current.state });
      }
      await this.limits.check(current.tenantId, "${name}.${verb}", ${limit});
      return this.${plural}.move(id, current.revision, "${state}", transaction);
    });
    this.log.info("${name} ${state}", { id, actor: actor.id, revision: changed.revision });
    await this.events.publish({ type: "${name}.${state}", at: this.clock.now(), tenantId: changed.tenantId, id });
    return changed;
  }
`;
  });
  return `import type { Clock } from "../lib/clock.js";
import type { Database } from "../lib/database.js";
import { Conflict, NotFound } from "../lib/errors.js";
import type { EventBus } from "../lib/events.js";
import type { Limits } from "../lib/limits.js";
import type { Logger } from "../lib/log.js";
import type { Actor } from "../lib/actor.js";
import { FOLLOWS, type ${type}, type New${type} } from "./${name}.js";
import type { ${type}Repository } from "./${name}-repository.js";

export class ${type}Service {
  constructor(
    private readonly database: Database,
    private readonly ${plural}: ${type}Repository,
    private readonly events: EventBus,
    private readonly limits: Limits,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  async create(input: New${type}, actor: Actor): Promise<${type}> {
    const known = await this.${plural}.by${upper(key)}(input.tenantId, ${fields[0]?.[1] === "string" ? "" : "String("}input.${key}${fields[0]?.[1] === "string" ? "" : ")"});
    if (known !== undefined) return known;
    const created = await this.database.transaction((transaction) => this.${plural}.insert(input, transaction));
    this.log.info("${name} created", { id: created.id, actor: actor.id });
    await this.events.publish({ type: "${name}.created", at: this.clock.now(), tenantId: created.tenantId, id: created.id });
    return created;
  }

${methods.join("\n")}
  /** How many there are in each state, for the overview page. Cached by the route, not here. */
  async overview(tenantId: string): Promise<Record<string, number>> {
    const counts = await this.${plural}.countByState(tenantId);
    return Object.fromEntries(counts);
  }
}
`;
}

function routes({ name, plural, verbs }: Entity): string {
  const type = upper(name);
  return `import { Router } from "../lib/router.js";
import { badRequest, created, notFound, ok } from "../lib/responses.js";
import { actorOf } from "../lib/actor.js";
import { parseNew${type} } from "./${name}.js";
import type { ${type}Service } from "./${name}-service.js";
import type { ${type}Repository } from "./${name}-repository.js";

export function ${name}Routes(service: ${type}Service, repository: ${type}Repository): Router {
  const router = new Router("/${plural}");

  router.get("/", async (request) => {
    const page = await repository.page(actorOf(request).tenantId, request.query.get("cursor") ?? undefined);
    return ok({ items: page.items, next: page.next ?? null });
  });

  router.get("/overview", async (request) => ok(await service.overview(actorOf(request).tenantId)), { cacheSeconds: 15 });

  router.get("/:id", async (request) => {
    const found = await repository.byId(request.params.id);
    return found === undefined ? notFound() : ok(found);
  });

  router.post("/", async (request) => {
    const parsed = parseNew${type}(await request.json());
    if (!parsed.ok) return badRequest(parsed.reason);
    return created(await service.create(parsed.value, actorOf(request)));
  });
${verbs
  .map(
    (verb) => `
  router.post("/:id/${verb}", async (request) => {
    const changed = await service.${verb}(request.params.id, actorOf(request));
    return ok(changed, { etag: String(changed.revision) });
  });`,
  )
  .join("\n")}

  return router;
}
`;
}

function serviceTest({ name, plural, verbs, states, fields }: Entity, random: Random): string {
  const type = upper(name);
  const sample = fields.map(
    ([field, kind]) =>
      `${field}: ${kind === "string" ? `"${field}-${random.int(100, 999)}"` : kind === "number" ? random.int(1, 90) : kind === "boolean" ? "false" : 'new Date("2026-01-12T09:00:00Z")'}`,
  );
  return `import { beforeEach, describe, expect, it } from "vitest";
import { ${type}Service } from "../../src/${plural}/${name}-service.js";
import { ${type}Repository } from "../../src/${plural}/${name}-repository.js";
import { FakeClock, FakeEvents, freshDatabase, noLimits, silentLog, someone } from "../support.js";

const input = { tenantId: "tenant-1", ${sample.join(", ")} };

describe("${name} service", () => {
  let service: ${type}Service;
  let events: FakeEvents;

  beforeEach(async () => {
    const database = await freshDatabase();
    events = new FakeEvents();
    service = new ${type}Service(database, new ${type}Repository(database), events, noLimits, new FakeClock(), silentLog);
  });

  it("creates a ${name} in its first state", async () => {
    const made = await service.create(input, someone);
    expect(made.state).toBe("${states[0]}");
    expect(made.revision).toBe(1);
    expect(events.types()).toEqual(["${name}.created"]);
  });

  it("gives the known ${name} back when the same one is created again", async () => {
    const first = await service.create(input, someone);
    const second = await service.create(input, someone);
    expect(second.id).toBe(first.id);
    expect(events.types()).toEqual(["${name}.created"]);
  });
${verbs
  .map((verb, index) => {
    const state = states[Math.min(index + 1, states.length - 1)] ?? "done";
    return `
  it("${verb}: moves to ${state} and says so once", async () => {
    const made = await service.create(input, someone);
${verbs
  .slice(0, index)
  .map((earlier) => `    await service.${earlier}(made.id, someone);`)
  .join("\n")}
    const changed = await service.${verb}(made.id, someone);
    expect(changed).toMatchObject({ id: made.id, state: "${state}", revision: ${index + 2} });
    expect(events.types().at(-1)).toBe("${name}.${state}");
  });

  it("${verb}: is refused for an unknown id", async () => {
    await expect(service.${verb}("${random.uuid()}", someone)).rejects.toThrow(/no ${name}/);
  });`;
  })
  .join("\n")}

  it("counts by state", async () => {
    for (let index = 0; index < ${random.int(3, 7)}; index++) {
      await service.create({ ...input, ${fields[0]?.[0]}: \`${name}-\${index}\` }, someone);
    }
    expect(await service.overview("tenant-1")).toMatchObject({ ${states[0]}: expect.any(Number) });
  });
});
`;
}
