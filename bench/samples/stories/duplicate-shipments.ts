import { bash, edit, fetchPage, glob, grep, mcp, read, task, todos, write } from "../claude-calls";
import { gitLog, serviceLog, table, vitestRun } from "../outputs";
import { encodePng } from "../png";
import { type Entity, typescriptProject } from "../projects/typescript";
import { Random } from "../random";
import { type Script, step, thought, turn } from "../script";
import { Workspace } from "../workspace";

/** A Claude Code session: shipments are made twice, and the import is made safe to repeat. */

const ENTITIES: readonly Entity[] = [
  entity(
    "order",
    "orders",
    [
      ["reference", "string"],
      ["customerId", "string"],
      ["totalCents", "number"],
      ["placedAt", "Date"],
    ],
    ["draft", "accepted", "picked", "shipped", "closed"],
    ["accept", "pick", "ship", "close"],
  ),
  entity(
    "shipment",
    "shipments",
    [
      ["trackingCode", "string"],
      ["orderId", "string"],
      ["weightGrams", "number"],
      ["promisedAt", "Date"],
      ["insured", "boolean"],
    ],
    ["planned", "labelled", "handed_over", "delivered", "lost"],
    ["label", "handOver", "deliver", "writeOff"],
  ),
  entity(
    "parcel",
    "parcels",
    [
      ["barcode", "string"],
      ["shipmentId", "string"],
      ["lengthMm", "number"],
      ["widthMm", "number"],
    ],
    ["open", "sealed", "scanned", "gone"],
    ["seal", "scan", "release"],
  ),
  entity(
    "invoice",
    "invoices",
    [
      ["number", "string"],
      ["orderId", "string"],
      ["netCents", "number"],
      ["dueAt", "Date"],
    ],
    ["draft", "sent", "paid", "reminded", "settled"],
    ["send", "pay", "remind", "settle"],
  ),
  entity(
    "refund",
    "refunds",
    [
      ["reason", "string"],
      ["invoiceId", "string"],
      ["amountCents", "number"],
    ],
    ["asked", "approved", "paid", "refused"],
    ["approve", "payOut", "refuse"],
  ),
  entity(
    "reservation",
    "reservations",
    [
      ["sku", "string"],
      ["orderId", "string"],
      ["quantity", "number"],
      ["expiresAt", "Date"],
    ],
    ["held", "confirmed", "released", "expired"],
    ["confirm", "release", "expire"],
  ),
  entity(
    "batch",
    "imports",
    [
      ["fileName", "string"],
      ["checksum", "string"],
      ["rowCount", "number"],
      ["receivedAt", "Date"],
    ],
    ["received", "checked", "applied", "failed"],
    ["check", "apply", "fail"],
  ),
  entity(
    "webhook",
    "webhooks",
    [
      ["url", "string"],
      ["secret", "string"],
      ["lastStatus", "number"],
      ["paused", "boolean"],
    ],
    ["active", "failing", "paused", "removed"],
    ["markFailing", "pause", "remove"],
  ),
  entity(
    "quote",
    "quotes",
    [
      ["carrier", "string"],
      ["shipmentId", "string"],
      ["priceCents", "number"],
      ["validUntil", "Date"],
    ],
    ["asked", "offered", "taken", "lapsed"],
    ["offer", "take", "lapse"],
  ),
  entity(
    "return",
    "returns",
    [
      ["code", "string"],
      ["orderId", "string"],
      ["items", "number"],
      ["arrivedAt", "Date"],
    ],
    ["announced", "arrived", "inspected", "booked"],
    ["receive", "inspect", "book"],
  ),
];

function entity(
  name: string,
  plural: string,
  fields: Entity["fields"],
  states: readonly string[],
  verbs: readonly string[],
): Entity {
  return { name, plural, fields, states, verbs };
}

export function duplicateShipmentsWorkspace(): Workspace {
  const files = typescriptProject(ENTITIES, new Random(411));
  files.set("CLAUDE.md", GUIDE);
  files.set("migrations/0041_shipments_tracking.sql", MIGRATION);
  return new Workspace("/home/mira/work/harbour", files);
}

const GUIDE = `# Harbour

Order, warehouse and shipping service. TypeScript, PostgreSQL, one process and a queue worker.

- \`npm test -- orders\` runs one folder. The database for tests is started by the first test that needs it.
- A layer imports the one below it, never beside it: routes → service → repository.
- Every change of state goes through a service method and publishes exactly one event.
- Migrations are only ever added. Name them NNNN_what.sql.
- Money is in cents, weights in grams, times in UTC.
`;

const MIGRATION = `alter table shipments add column tracking_code text;
create index shipments_tracking on shipments (tenant_id, tracking_code);
comment on column shipments.tracking_code is 'as the carrier gave it; not unique, carriers reuse codes after 180 days';
`;

const NIGHT = Date.UTC(2026, 1, 9, 2, 14);

const IMPORT_EVENTS = [
  "import row accepted",
  "import row skipped",
  "order accepted",
  "shipment created",
  "label printed",
  "carrier answered",
  "carrier timed out, will try again",
  "webhook delivered",
  "batch applied",
] as const;

const SUBJECTS = [
  "Retry label printing when the carrier times out",
  "Import: read rows in parallel",
  "Add promised date to shipments",
  "Give webhooks a back-off",
  "Speed up the overview query",
  "Return codes are case-insensitive",
  "Split the worker from the web process",
  "Round refunds to whole cents",
] as const;

const PLAN = [
  "Find where the second shipment is made",
  "Write a test that shows it",
  "Give import rows an idempotency key",
  "Add the migration and the unique index",
  "Make the carrier call safe to repeat",
  "Back-fill keys for open batches",
  "Update docs and changelog",
] as const;

const KEY_MODULE = `import { createHash } from "node:crypto";

/**
 * Names one row of one import, whatever worker reads it and however often. The file's checksum is part of it: the same
 * order number in a later file is another row.
 */
export function rowKey(checksum: string, line: number, reference: string): string {
  return createHash("sha256").update(checksum).update("\\0").update(String(line)).update("\\0").update(reference).digest("hex");
}

/** Keys that were used within the last days; older ones cannot come back, because the carrier forgets them as well. */
export const KEY_LIFETIME_DAYS = 14;
`;

const KEY_TEST = `import { describe, expect, it } from "vitest";
import { rowKey } from "../../src/imports/row-key.js";

describe("row key", () => {
  it("is the same for the same row", () => {
    expect(rowKey("ab12", 7, "SO-1001")).toBe(rowKey("ab12", 7, "SO-1001"));
  });

  it.each([
    ["another file", "ab13", 7, "SO-1001"],
    ["another line", "ab12", 8, "SO-1001"],
    ["another order", "ab12", 7, "SO-1002"],
  ])("differs for %s", (_, checksum, line, reference) => {
    expect(rowKey(checksum, line, reference)).not.toBe(rowKey("ab12", 7, "SO-1001"));
  });

  it("does not confuse where one part ends", () => {
    expect(rowKey("ab1", 27, "SO")).not.toBe(rowKey("ab12", 7, "SO"));
  });
});
`;

const KEY_MIGRATION = `create table import_keys (
  tenant_id  uuid not null,
  key        char(64) not null,
  batch_id   uuid not null references imports (id),
  order_id   uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, key)
);
create index import_keys_age on import_keys (created_at);

-- One open shipment for each order and carrier call.
alter table shipments add column request_key char(64);
create unique index shipments_request on shipments (tenant_id, request_key) where request_key is not null;
`;

const BACKFILL = `import { rowKey } from "../src/imports/row-key.js";
import { openDatabase } from "../src/lib/database.js";

const PAGE = 500;

/** Gives rows of open batches their keys. Safe to stop and start again: it only writes keys that are missing. */
const database = await openDatabase(process.env.DATABASE_URL);
let after = 0;
for (;;) {
  const rows = await database.query(
    \`select r.id, r.line, r.reference, b.id as batch_id, b.tenant_id, b.checksum
       from import_rows r join imports b on b.id = r.batch_id
      where b.state in ('received', 'checked') and r.id > $1
      order by r.id limit $2\`,
    [after, PAGE],
  );
  if (rows.length === 0) break;
  await database.transaction(async (transaction) => {
    for (const row of rows) {
      await transaction.query(
        "insert into import_keys (tenant_id, key, batch_id) values ($1, $2, $3) on conflict do nothing",
        [row.tenant_id, rowKey(String(row.checksum), Number(row.line), String(row.reference)), row.batch_id],
      );
    }
  });
  after = Number(rows.at(-1)?.id);
  console.log(\`keys up to row \${after}\`);
}
`;

/** What the warehouse overview looked like: two cards a day too many. */
export function screenshot(): string {
  const boxes: [number, number, number, number, number][] = [
    [0, 0, 1280, 800, 0],
    [0, 0, 1280, 56, 1],
    [24, 18, 180, 20, 0],
    [24, 88, 1232, 2, 2],
  ];
  for (let row = 0; row < 9; row++) {
    const top = 110 + row * 72;
    boxes.push(
      [24, top, 1232, 56, row % 2 === 0 ? 3 : 0],
      [44, top + 18, 120 + ((row * 53) % 90), 18, 4],
      [300, top + 18, 200, 18, 2],
    );
    boxes.push(
      [640, top + 18, 90 + ((row * 31) % 140), 18, row === 3 || row === 4 ? 5 : 6],
      [1080, top + 14, 140, 28, row === 3 || row === 4 ? 5 : 2],
    );
  }
  const colours: [number, number, number][] = [
    [255, 255, 255],
    [24, 32, 48],
    [214, 218, 226],
    [244, 246, 249],
    [70, 78, 92],
    [201, 66, 40],
    [52, 132, 98],
  ];
  return encodePng({ width: 1280, height: 800, colours, boxes }).toString("base64");
}

const orders = /orders\//;
const tests = /^test\//;

export function duplicateShipments(): Script {
  return {
    title: "Stop duplicate shipments after retried imports",
    turns: [
      turn(
        0,
        "Since the weekend some orders get two shipments, and the carrier bills both. It started after we made the import read rows in parallel. Support has 34 cases so far, all from tenants that upload CSV files at night. Can you find out how the second shipment comes into being before we change anything? Please write down what you find, I have to explain it to the warehouse people.",
        [
          thought(
            "The import was made parallel and since then there are duplicates, so probably a check-then-insert race, or a retry after a timeout that had worked on the other side. I should look at the batch service, the shipment service and the order service first, and at what the log says about one of the cases.",
            "I'll start with the path from an import row to a shipment, and look at the history of those files at the same time.",
            read("src/imports/batch-service.ts"),
            read("src/shipments/shipment-service.ts"),
            read("src/orders/order-service.ts"),
            bash(
              "git log --stat -n 8 -- src/imports src/shipments src/orders",
              "Recent changes on the path",
              (workspace, random) =>
                gitLog(
                  random,
                  SUBJECTS,
                  ["Mira Okafor <mira@harbour.example>", "Jonas Lind <jonas@harbour.example>"],
                  workspace.paths(/src\//),
                  NIGHT,
                ),
            ),
          ),
          step(
            "",
            read("src/imports/batch-repository.ts"),
            read("src/shipments/shipment-repository.ts"),
            read("migrations/0041_shipments_tracking.sql"),
            read("CLAUDE.md"),
          ),
          step(
            "`create` looks for a known shipment first and inserts afterwards, in two separate statements. Let me see who calls it and whether anything else guards it.",
            grep(/\.create\(/, "*.ts"),
            grep(/trackingCode|tracking_code/, "*.ts"),
          ),
          step(
            "Now the log of one night with duplicates, to see whether it is the race or a retry.",
            bash(
              "zcat logs/worker-2026-02-08.log.gz | grep -E 'import|shipment|carrier' | head -420",
              "Log of the import worker",
              (_, random) => serviceLog(random, 320, IMPORT_EVENTS, NIGHT),
              4,
            ),
          ),
          thought(
            "In the log there are carrier timeouts followed by attempt 2 with a new shipment id. So two causes: the timeout path makes a new shipment instead of repeating the label call for the same one, and the race between workers. I need numbers: how many of the cases are of which kind.",
            "Two different things show up in the log. I'll count how many of the cases each of them explains.",
            bash(
              "psql -c \"select order_id, count(*), min(created_at), max(created_at) - min(created_at) as gap from shipments where created_at > now() - interval '7 days' group by order_id having count(*) > 1 order by gap limit 60\"",
              "Orders with more than one shipment",
              (_, random) =>
                table(
                  ["order_id", "count", "min", "gap"],
                  Array.from({ length: 58 }, (_unused, index) => [
                    random.uuid(),
                    2,
                    new Date(NIGHT - random.int(1, 90) * 3_600_000).toISOString(),
                    index < 21
                      ? `00:00:00.0${random.int(10, 99)}`
                      : `00:00:3${random.int(0, 9)}.${random.int(100, 999)}`,
                  ]),
                ),
            ),
          ),
          {
            say: "There are two causes, and they can be told apart by the gap between the two shipments:\n\n1. **Race in the import (21 of 58).** Two workers read the same row after a batch is handed out again. Both ask `byTrackingCode`, both find nothing, both insert. The gap is a few hundredths of a second.\n2. **Retry after a carrier timeout (37 of 58).** The label call times out after 30 s, the worker throws the shipment away in memory, and the next attempt creates a new one. The first label had been printed all the same. The gap is always a little above 30 s.\n\nThe check in `ShipmentService.create` cannot help with either: the tracking code is only known after the carrier has answered.\n\nFor the warehouse: a second label for the same order whose time is about half a minute after the first is always the second kind, and the *later* one is the valid one.",
            calls: [],
          },
        ],
      ),
      turn(
        6,
        "That is a very clear explanation, thank you. How much of this would go away if we just set the worker count back to one for now?",
        [
          step(
            "Let me check how the worker is configured and what a single worker would still do on a timeout.",
            grep(/worker|concurren|parallel/i, "*"),
            read("src/imports/batch.ts"),
            read("src/imports/batch-routes.ts"),
          ),
          {
            say: "Only the first kind, so 21 of 58. With one worker the retry after a timeout would still make a new shipment. It would also make the night import about four times slower: the 02:00 files would be done at about 05:40, after the warehouse has started. I would rather fix both; the second one is the smaller change.",
            calls: [],
          },
        ],
      ),
      turn(
        3,
        "Alright. Then let us use a distributed lock around the import row, with Redis, we already have it for sessions.",
        [
          step(
            "I'll look at how Redis is used today before I say yes to that.",
            grep(/redis/i, "*"),
            glob("src/lib/**/*.ts", /src\/lib|webhooks/),
            read("src/webhooks/webhook-service.ts"),
          ),
          thought(
            "A lock would only cover the race, and locks with a lifetime shorter than a carrier timeout make it worse. I should say so.",
            "A lock is possible, but I'd advise against it: it has to live longer than the carrier's timeout, or it frees itself just when it is needed; and when Redis is restarted, all locks are gone in the middle of a batch. A unique key in the database gives the same guarantee in the transaction that we have anyway.",
            read("src/reservations/reservation-service.ts"),
          ),
        ],
        { takenBack: true },
      ),
      turn(
        4,
        "Alright. I first wanted to suggest a lock in Redis, but I would rather have the database decide. Give every import row a key that is unique, and let the insert fail when the key is there. Make a plan, then do it step by step, and start with a test that fails.",
        [
          step(
            "Good, that covers both cases if the same key is also sent to the carrier. Here is the plan.",
            todos(0, PLAN),
          ),
          step(
            "First, how the tests set up their data and what exists for imports and shipments.",
            read("test/imports/batch-service.test.ts"),
            read("test/shipments/shipment-service.test.ts"),
            read("test/orders/order-service.test.ts"),
          ),
          step(
            "",
            read("src/shipments/shipment.ts"),
            read("src/orders/order-repository.ts"),
            read("src/parcels/parcel-service.ts"),
          ),
          step(
            "A test with two workers on the same row. It has to fail now.",
            edit("test/shipments/shipment-service.test.ts", /gives the known shipment back/, [
              "const both = await Promise.all([service.create(input, someone), service.create(input, someone)]);",
              "expect(new Set(both.map((one) => one.id)).size).toBe(1);",
            ]),
          ),
          step(
            "",
            bash(
              "npm test -- shipments",
              "Run the shipment tests",
              (workspace, random) => vitestRun(workspace, /test\/shipments/, random, ["gives the known"]),
              9,
              true,
            ),
          ),
          step(
            "It fails for the reason we expect: two events, two rows. Now the key itself, with its own tests.",
            write("src/imports/row-key.ts", KEY_MODULE),
            write("test/imports/row-key.test.ts", KEY_TEST),
            todos(2, PLAN),
          ),
          step(
            "",
            bash(
              "npm test -- imports",
              "Run the import tests",
              (workspace, random) => vitestRun(workspace, /test\/imports/, random),
              8,
            ),
          ),
          step(
            "The key is sound. Next the migration and the repository.",
            write("migrations/0042_import_keys.sql", KEY_MIGRATION),
            edit("src/shipments/shipment-repository.ts", /async insert\(input/, [
              "if (input.requestKey !== undefined) {",
              "  const known = await this.byRequestKey(input.tenantId, input.requestKey, within);",
              "  if (known !== undefined) return known;",
              "}",
            ]),
            read("src/shipments/shipment-repository.ts"),
          ),
          step(
            "",
            edit("src/shipments/shipment.ts", /readonly tenantId/, [
              "/** Names the attempt that made it; the same attempt gives the same shipment. */",
              "readonly requestKey?: string;",
            ]),
            edit("src/shipments/shipment-service.ts", /const known = await/, [
              "// The unique index decides between two workers; the loser reads what the winner wrote.",
            ]),
            bash(
              "npx tsc --noEmit",
              "Check types",
              () =>
                "src/shipments/shipment-repository.ts(31,41): error TS2339: Property 'byRequestKey' does not exist on type 'ShipmentRepository'.\nsrc/shipments/shipment-routes.ts(29,48): error TS2345: Argument of type '{ tenantId: string; }' is not assignable to parameter of type 'NewShipment'.",
              6,
              true,
            ),
          ),
          step(
            "",
            edit("src/shipments/shipment-repository.ts", /async byTrackingCode/, [
              "// Asked within the transaction of the insert.",
            ]),
            read("src/shipments/shipment-routes.ts"),
            bash(
              "npx tsc --noEmit && npm test -- shipments imports",
              "Types and tests",
              (workspace, random) => vitestRun(workspace, /test\/(shipments|imports)/, random),
              11,
            ),
          ),
          {
            say: "The race is closed: with two workers on one row there is one shipment and one event. The unique index does the work, and the losing worker reads the row that the winner wrote. Next is the carrier call.",
            calls: [],
          },
        ],
      ),
      turn(
        9,
        "Great. Before you go on with the carrier: here is what the warehouse overview shows. The two red rows are the same parcel, aren't they? Does your change remove the second row, or only stop new ones?",
        [
          step(
            "The red rows have the same order and two label times half a minute apart, so yes, it is one parcel with two labels. Let me see where that page gets its rows.",
            grep(/overview/, "*.ts"),
            read("src/parcels/parcel-repository.ts"),
            read("src/parcels/parcel-routes.ts"),
          ),
          {
            say: "They are the same parcel. The change only stops new ones: the two rows that are there stay until someone writes one of them off. I can add a script that lists the pairs with the advice which one to keep (the later one where the gap is above 30 s, else the earlier one), but the writing off should stay with people, because the carrier bills it.",
            calls: [],
          },
        ],
        { picture: { data: screenshot(), tokens: 1365 } },
      ),
      turn(
        2,
        "Yes, please only list them. Go on with the carrier now. I think their API takes some kind of client reference, have a look at the documentation and at the issues in our integration repository.",
        [
          step(
            "I'll read their documentation and search our issues at the same time.",
            fetchPage(
              "https://developers.northcarrier.example/labels",
              "How can a label request be repeated safely? Is there an idempotency key or client reference, how long is it kept?",
              "Label requests accept the header `X-Client-Reference` (8–64 characters). A request with a reference that was used within the last 14 days gives the label of the first request back, with status 200 in place of 201, and is not billed. References are kept by account, not by API key. A request whose body differs from the first one's is answered with 409 and the code `reference_mismatch`. Without the header each request makes a new label. Timeouts: the gateway gives up after 30 seconds; the label may have been made. The documentation recommends to repeat the request with the same reference until it is answered, with a pause of at least 2 seconds.",
            ),
            mcp(
              "mcp__github__search_issues",
              { query: "repo:harbour/carrier-north timeout label duplicate", per_page: 20 },
              (random) => ({
                total_count: 14,
                items: Array.from({ length: 14 }, (_, index) => ({
                  number: 212 - index * 9,
                  title: random.pick([
                    "Label printed twice after gateway timeout",
                    "Carrier answers 409 for a repeated reference",
                    "Raise the timeout for bulk labels?",
                    "Sandbox forgets references after an hour",
                    "Weight is rounded up in the label body",
                  ]),
                  state: random.chance(0.6) ? "closed" : "open",
                  comments: random.int(0, 19),
                  created_at: new Date(NIGHT - random.int(5, 300) * 86_400_000).toISOString(),
                  labels: [random.pick(["bug", "carrier", "question"])],
                  body: "Seen in production with two tenants. The worker logged a timeout for the first attempt and a label for the second one; the carrier's portal lists both. Steps to repeat: block the answer for 31 seconds in the proxy, then let it pass.",
                })),
              }),
            ),
            read("src/quotes/quote-service.ts"),
          ),
          thought(
            "The reference is kept 14 days by the carrier. Body mismatch gives 409: the weight may change between attempts when the parcel is weighed again, so the body of the first attempt has to be stored or the key has to change. I need to look at where the weight is set.",
            "That fits: the same key can go to the carrier as `X-Client-Reference`. One trap: if the weight changes between two attempts, the carrier answers 409. Where is the weight set?",
            grep(/weightGrams/, "*.ts"),
            read("src/quotes/quote-repository.ts"),
            read("src/parcels/parcel.ts"),
          ),
          {
            say: "I'll let a helper look through the rest of the carrier code for other places that repeat a call, and meanwhile change the label path.",
            calls: [
              task(
                "Find repeated carrier calls",
                "List every place that calls the carrier's API and say for each whether a repeated call is safe. Look at src/shipments, src/quotes, src/returns and src/webhooks. Answer with file, line, and one sentence each.",
                "Explore",
                [
                  step("I'll find all calls first.", grep(/carrier/i, "*.ts")),
                  step("", read("src/quotes/quote-service.ts"), read("src/returns/return-service.ts")),
                  step(
                    "",
                    read("src/webhooks/webhook-repository.ts"),
                    read("src/shipments/shipment-service.ts", 20, 60),
                  ),
                  step(
                    "Six places call the carrier; two of them are not safe to repeat.",
                    read("src/returns/return-repository.ts"),
                  ),
                ],
                "Six places call the carrier.\n\n1. shipments/shipment-service.ts, label: **not safe**, makes a new label each time.\n2. shipments/shipment-service.ts, handOver: safe, the carrier treats a second hand-over as a no-op.\n3. shipments/shipment-service.ts, writeOff: safe, answers 200 with `already: true`.\n4. quotes/quote-service.ts, offer: safe but billed from the 1,001st quote a day on; a repeat counts.\n5. returns/return-service.ts, receive: **not safe**, books a pick-up each time.\n6. webhooks/webhook-service.ts: their call to us, we answer 200 even when the event is known, so safe.\n\nagentId: returned with the result",
              ),
              edit("src/shipments/shipment-service.ts", /async label\(/, [
                "const reference = current.requestKey ?? rowKey(id, current.revision, current.trackingCode);",
                "const label = await this.carrier.label(current, { reference, timeoutMs: 28_000 });",
              ]),
            ],
          },
          step(
            "The helper found a second unsafe place: return pick-ups. I'll read both and treat them the same way.",
            read("src/returns/return-service.ts"),
            read("src/returns/return.ts"),
            read("src/shipments/shipment-service.ts"),
          ),
          step(
            "",
            edit("src/returns/return-service.ts", /async receive\(/, [
              "const reference = rowKey(id, current.revision, current.code);",
            ]),
            edit("src/returns/return-service.ts", /async inspect\(/, [
              "// A second inspection of the same revision is refused below, so nothing is booked twice.",
            ]),
            bash(
              "npm test",
              "All tests",
              (workspace, random) => vitestRun(workspace, tests, random, ["label: moves"]),
              24,
              true,
            ),
            todos(4, PLAN),
          ),
          thought(
            "label: moves to labelled fails since the carrier fake does not know references. The fake needs to remember them.",
            "One failure: the carrier's fake does not know references yet. It should behave like the real one, including the 409.",
            read("test/returns/return-service.test.ts"),
            read("test/quotes/quote-service.test.ts"),
            grep(/FakeCarrier|fakeCarrier/, "*.ts"),
          ),
          step(
            "",
            write(
              "test/fake-carrier.ts",
              `/** Behaves as the carrier's documentation says: a known reference gives the first label back, another body is refused. */\nexport class FakeCarrier {\n  readonly #labels = new Map<string, { readonly body: string; readonly code: string }>();\n  calls = 0;\n\n  async label(shipment: { weightGrams: number; orderId: string }, { reference }: { reference: string }) {\n    this.calls += 1;\n    const body = JSON.stringify([shipment.orderId, shipment.weightGrams]);\n    const known = this.#labels.get(reference);\n    if (known !== undefined && known.body !== body) throw new Error("409 reference_mismatch");\n    const label = known ?? { body, code: \`NC\${String(this.#labels.size + 1).padStart(9, "0")}\` };\n    this.#labels.set(reference, label);\n    return label;\n  }\n}\n`,
            ),
            bash("npm test", "All tests", (workspace, random) => vitestRun(workspace, tests, random), 26),
          ),
          {
            say: "Labels and return pick-ups are safe to repeat now. The worker sends the row's key as client reference and keeps it for the next attempt; it waits 2 s, then 4 s, then 8 s. Where the weight has changed in between, it takes a new revision and so a new key, and writes the old label off.",
            calls: [],
          },
        ],
      ),
      turn(14, "Very good. What about batches that are open right now, will they get keys?", [
        step(
          "Not by themselves. I'll write the back-fill so that it can be stopped and started again.",
          write("scripts/backfill-import-keys.ts", BACKFILL),
          read("src/imports/batch-repository.ts"),
          todos(5, PLAN),
        ),
        step(
          "",
          bash(
            "DATABASE_URL=$STAGING node --import tsx scripts/backfill-import-keys.ts",
            "Back-fill on staging",
            (_, random) =>
              Array.from(
                { length: 140 },
                (_unused, index) => `keys up to row ${(index + 1) * 500 + random.int(0, 9)}`,
              ).join("\n"),
            31,
          ),
        ),
        step(
          "Once more, to see that a second run writes nothing.",
          bash(
            "DATABASE_URL=$STAGING node --import tsx scripts/backfill-import-keys.ts && psql $STAGING -c 'select tenant_id, count(*) from import_keys group by 1 order by 2 desc'",
            "Second run and counts",
            (_, random) =>
              table(
                ["tenant_id", "count"],
                Array.from({ length: 44 }, () => [random.uuid(), random.int(12, 9400)]),
              ),
            28,
          ),
        ),
      ]),
      turn(
        1,
        "While that runs: the reservations expire job was slow last night too, is that the same cause?",
        [
          step(
            "I'll look at it with the query plan.",
            read("src/reservations/reservation-repository.ts"),
            read("src/reservations/reservation-service.ts"),
            bash(
              "psql $STAGING -c \"explain (analyze, buffers) select * from reservations where state = 'held' and expires_at < now() order by expires_at limit 500\"",
              "Query plan",
              (_, random) =>
                [
                  "Limit  (cost=0.43..1843.20 rows=500 width=214) (actual time=4120.402..4711.9 rows=500 loops=1)",
                  "  Buffers: shared hit=1204 read=98211",
                  "  ->  Sort  (cost=88211.02..88402.8 rows=76712 width=214)",
                  "        Sort Key: expires_at",
                  "        Sort Method: external merge  Disk: 18432kB",
                  ...Array.from(
                    { length: 26 },
                    (_unused, index) =>
                      `        ->  Seq Scan on reservations_p${index}  (actual time=${random.int(10, 90)}.${random.int(100, 999)}..${random.int(100, 400)}.1 rows=${random.int(900, 9000)} loops=1)`,
                  ),
                  "Planning Time: 2.114 ms",
                  "Execution Time: 4714.220 ms",
                ].join("\n"),
              6,
            ),
          ),
          step(
            "",
            read("src/reservations/reservation.ts"),
            read("test/reservations/reservation-service.test.ts"),
            grep(/expires/i, "*"),
          ),
          {
            say: "Another cause: the partial index on `expires_at` was lost when the table was partitioned in December, so every run scans all 26 partitions and sorts on disk (4.7 s). It has nothing to do with the duplicates, but it holds a connection that the import worker then waits for. I'd add the index in a migration of its own, so that it can go out separately.",
            calls: [],
          },
        ],
        { queued: true },
      ),
      turn(5, "Please do, as 0043. And then check the whole thing under load, we have a script for that.", [
        step(
          "",
          write(
            "migrations/0043_reservations_expiry.sql",
            "create index concurrently reservations_expiry on reservations (expires_at) where state = 'held';\n",
          ),
          grep(/loadtest|load test|autocannon|k6/i, "*"),
          bash("ls -la scripts test && wc -l src/*/*.ts | tail -60", "What scripts there are", (workspace, random) =>
            workspace
              .paths()
              .map(
                (path) =>
                  `-rw-r--r-- 1 mira mira ${String(random.int(900, 9000)).padStart(6)} Feb  9 09:${random.int(10, 59)} ${path}`,
              )
              .join("\n"),
          ),
        ),
        step(
          "Four workers, 20,000 rows, every tenth carrier call timing out.",
          bash(
            "node scripts/load-import.mjs --workers 4 --rows 20000 --timeouts 0.1 --report full",
            "Load test of the import",
            (_, random) =>
              [
                "rows/s   p50 ms   p95 ms   p99 ms   timeouts   repeated   shipments   duplicates",
                ...Array.from(
                  { length: 120 },
                  (_unused, index) =>
                    `${String(random.int(180, 260)).padStart(6)}   ${String(random.int(9, 16)).padStart(6)}   ${String(random.int(40, 80)).padStart(6)}   ${String(random.int(120, 400)).padStart(6)}   ${String(random.int(1, 30)).padStart(8)}   ${String(random.int(1, 30)).padStart(8)}   ${String((index + 1) * 166).padStart(9)}   ${"0".padStart(10)}`,
                ),
              ].join("\n"),
            95,
          ),
        ),
        step(
          "No duplicate in 20,000 rows. I also want to see what the worker logs while it repeats.",
          bash(
            "tail -n 330 logs/load-import.log",
            "Log of the load test",
            (_, random) => serviceLog(random, 260, IMPORT_EVENTS, NIGHT + 12 * 3_600_000),
            2,
          ),
          read("src/imports/batch-service.ts"),
        ),
        thought(
          "The batch service logs each repeated call at info level: at 2,000 repeats a night that is fine. But 'import row skipped' is used both for known keys and for invalid rows; support reads that.",
          "One thing in the log: *import row skipped* now means two things, a known key and an invalid row. Support reads this line, so I'll give the first one its own wording.",
          grep(/skipped/, "*.ts"),
          edit("src/imports/batch-service.ts", /async check\(/, [
            "// Known rows are counted apart from invalid ones: support reads the second number.",
          ]),
          bash(
            "npm test -- imports orders shipments",
            "Tests of the changed folders",
            (workspace, random) => vitestRun(workspace, /test\/(imports|orders|shipments)/, random),
            14,
          ),
        ),
        {
          say: "Under load: 20,000 rows, 1,964 timeouts, 1,964 repeated calls, 0 duplicates; 214 rows a second, which is 6 % slower than before. Both migrations ran on staging in under a second.",
          calls: [],
        },
      ]),
      turn(
        11,
        "6 % is fine. Now the list of existing pairs for the warehouse, as a CSV with advice. They want the order number, both labels, both times, and which one to keep.",
        [
          step(
            "",
            read("src/orders/order-routes.ts"),
            read("src/orders/order.ts"),
            read("src/parcels/parcel-repository.ts"),
            grep(/csv/i, "*"),
          ),
          step(
            "",
            write(
              "scripts/list-duplicate-shipments.ts",
              `import { openDatabase } from "../src/lib/database.js";\n\n/** Prints pairs of shipments of one order as CSV. Writes nothing: people decide. */\nconst database = await openDatabase(process.env.DATABASE_URL);\nconst rows = await database.query(\n  \`select o.reference, a.tracking_code as first, b.tracking_code as second, a.created_at as at, b.created_at as again\n     from shipments a join shipments b on b.order_id = a.order_id and b.id > a.id\n     join orders o on o.id = a.order_id\n    where a.state <> 'lost' and b.state <> 'lost' order by a.created_at\`,\n);\nconsole.log("order,first label,second label,first time,second time,keep");\nfor (const row of rows) {\n  const gap = Date.parse(String(row.again)) - Date.parse(String(row.at));\n  console.log([row.reference, row.first, row.second, row.at, row.again, gap > 30_000 ? "second" : "first"].join(","));\n}\n`,
            ),
            bash(
              "DATABASE_URL=$REPLICA node --import tsx scripts/list-duplicate-shipments.ts | tee duplicates.csv",
              "List the pairs",
              (_, random) =>
                [
                  "order,first label,second label,first time,second time,keep",
                  ...Array.from(
                    { length: 92 },
                    () =>
                      `SO-${random.int(10_000, 99_999)},NC${random.int(100_000_000, 999_999_999)},NC${random.int(100_000_000, 999_999_999)},2026-02-0${random.int(5, 8)}T0${random.int(1, 5)}:${random.int(10, 59)}:12Z,2026-02-08T05:${random.int(10, 59)}:43Z,${random.chance(0.64) ? "second" : "first"}`,
                  ),
                ].join("\n"),
              7,
            ),
          ),
          {
            say: "`duplicates.csv` has 92 pairs: 59 to keep the second label, 33 to keep the first. The script only reads, and I ran it on the replica.",
            calls: [],
          },
        ],
      ),
      turn(
        4,
        "Perfect. Can you review everything once more with fresh eyes, as if someone else had written it? Be strict about the transaction boundaries.",
        [
          step(
            "I'll read the changed files in full once more, with the callers.",
            bash(
              "git diff --stat main && git diff main -- src test",
              "Everything that changed",
              (workspace) =>
                workspace
                  .paths(/(row-key|shipment-(service|repository)|return-service|batch-service)/)
                  .map(
                    (path) =>
                      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${workspace
                        .content(path)
                        .split("\n")
                        .slice(0, 90)
                        .map((line) => ` ${line}`)
                        .join("\n")}`,
                  )
                  .join("\n"),
              2,
            ),
            read("src/shipments/shipment-service.ts"),
            read("src/imports/batch-service.ts"),
            read("src/returns/return-service.ts"),
          ),
          step(
            "",
            read("src/orders/order-service.ts"),
            read("src/orders/order-repository.ts"),
            read("src/invoices/invoice-service.ts"),
          ),
          step(
            "",
            read("src/invoices/invoice-repository.ts"),
            read("src/refunds/refund-service.ts"),
            grep(/transaction/, "*.ts"),
          ),
          step(
            "",
            read("test/shipments/shipment-service.test.ts"),
            read("test/imports/batch-service.test.ts"),
            read("src/refunds/refund-repository.ts"),
          ),
          step(
            "",
            bash(
              "npm test -- --coverage",
              "All tests with coverage",
              (workspace, random) =>
                `${vitestRun(workspace, tests, random)}\n\n${table(
                  ["File", "% Stmts", "% Branch", "% Lines"],
                  workspace
                    .paths(/src\//)
                    .map((path) => [path, random.int(81, 100), random.int(70, 100), random.int(80, 100)]),
                )}`,
              30,
            ),
            read("src/imports/row-key.ts"),
          ),
          step(
            "",
            read("src/webhooks/webhook-service.ts"),
            read("src/quotes/quote-service.ts"),
            read("src/parcels/parcel-service.ts"),
          ),
          step(
            "",
            read("test/parcels/parcel-service.test.ts"),
            read("test/invoices/invoice-service.test.ts"),
            read("test/refunds/refund-service.test.ts"),
          ),
          step(
            "",
            bash(
              "zcat logs/worker-2026-02-09.log.gz | tail -n 400",
              "Last night, after the deployment to the first tenant",
              (_, random) => serviceLog(random, 300, IMPORT_EVENTS, NIGHT + 86_400_000),
              3,
            ),
            read("src/orders/order-service.ts"),
          ),
          {
            say: "Three findings, in order of weight:\n\n1. **The event goes out before the key is safe.** In `ShipmentService.create` the event is published after the commit, which is right, but the *losing* worker publishes as well, because it cannot tell that it read the winner's row. Listeners would see `shipment.created` twice.\n2. `KEY_LIFETIME_DAYS` is 14, and the carrier keeps references 14 days *from the first request*. A batch that is repeated on the last day could fall between the two. 13 would be safe.\n3. The back-fill takes tenants in no order; a large one can hold up the others. Not wrong, only unkind.\n\nI would fix 1 and 2 now.",
            calls: [],
          },
        ],
      ),
      turn(7, "Good catch with the event. Fix 1 and 2 please.", [
        step(
          "",
          edit("src/shipments/shipment-repository.ts", /async insert\(input/, [
            "// Says whether the row is new: only then does the service publish.",
          ]),
          edit("src/imports/row-key.ts", /KEY_LIFETIME_DAYS/, [
            "",
            "/** One day less than the carrier keeps a reference, counted from its first use. */",
          ]),
          read("src/shipments/shipment-repository.ts"),
        ),
        step(
          "",
          read("src/shipments/shipment-service.ts"),
          edit("src/shipments/shipment-service.ts", /const known = await/, [
            "// Nothing is published for a row that another worker made.",
          ]),
          edit("test/shipments/shipment-service.test.ts", /creates a shipment in its first state/, [
            "expect(events.types()).toHaveLength(0);",
          ]),
        ),
        step(
          "",
          bash(
            "npm test",
            "All tests",
            (workspace, random) => vitestRun(workspace, tests, random, ["creates a shipment"]),
            25,
            true,
          ),
        ),
        step(
          "My new line stands before the call in that test. I'll move it.",
          read("test/shipments/shipment-service.test.ts", 1, 40),
          edit("test/shipments/shipment-service.test.ts", /gives the known shipment back/, [
            'const published = events.types().filter((type) => type === "shipment.created");',
          ]),
          bash("npm test", "All tests", (workspace, random) => vitestRun(workspace, tests, random), 24),
        ),
        {
          say: "Both done. The losing worker publishes nothing, and a test with two workers counts the events. Keys live 13 days.",
          calls: [],
        },
      ]),
      turn(
        16,
        "Then finish with the changelog and a short note for the on-call people: what they see in the log when the carrier is slow, and what they should not do.",
        [
          step("", glob("docs/**/*.md", /\.md$/), read("CLAUDE.md"), grep(/on-call|oncall/i, "*.md"), todos(6, PLAN)),
          step(
            "",
            write(
              "docs/on-call/slow-carrier.md",
              '# When the carrier is slow\n\nYou see `carrier timed out, will try again` with `attempt` 1 to 4. That is harmless: every attempt has the same reference, so there is one label.\n\n**Do not** restart the worker to "clear" the queue, and do not hand a batch out by hand: both cost time and neither helps.\n\nCall someone when `attempt` 4 is followed by `batch failed`, or when the carrier answers 409: then the weight changed while we were waiting, and a person has to look at the parcel.\n',
            ),
            write(
              "CHANGELOG.md",
              "## Unreleased\n\n- An import row that is read twice makes one shipment (21 of 58 cases).\n- A carrier call that timed out is repeated with the same reference (37 of 58 cases).\n- `scripts/list-duplicate-shipments.ts` lists pairs that exist, with advice.\n- The expiry of reservations has its index back.\n",
            ),
          ),
          step(
            "",
            bash(
              "npx biome check . && npx tsc --noEmit && npm test",
              "Everything once more",
              (workspace, random) =>
                `Checked ${workspace.paths().length} files in 118ms. No fixes applied.\n${vitestRun(workspace, tests, random)}`,
              33,
            ),
          ),
          step(
            "",
            mcp(
              "mcp__github__create_pull_request",
              {
                owner: "harbour",
                repo: "harbour",
                title: "One shipment for one import row",
                head: "one-shipment",
                base: "main",
                body: "Closes #1204. Import rows and carrier calls carry a key that the database holds unique.",
              },
              () => ({
                number: 1219,
                state: "open",
                url: "https://github.example/harbour/harbour/pull/1219",
                mergeable: true,
                changed_files: 14,
                additions: 412,
                deletions: 57,
              }),
            ),
            todos(7, PLAN),
          ),
          {
            say: "Pull request 1219 is open, with 14 files. In short: the database decides about import rows, the carrier's own reference decides about labels, and both use the same key. What is left for people: the 92 pairs in `duplicates.csv`.",
            calls: [],
          },
        ],
      ),
      turn(
        3,
        "Thank you, that was a pleasure. One last check: which of the files under orders did we end up touching?",
        [
          step(
            "",
            bash("git diff --name-only main", "Changed files", (workspace) =>
              workspace
                .paths(
                  /(row-key|shipment|return-service|batch-service|import_keys|expiry|slow-carrier|CHANGELOG|fake-carrier|backfill|list-duplicate)/,
                )
                .join("\n"),
            ),
            glob("src/orders/*.ts", orders),
          ),
          {
            say: "None. The order service reads shipments only through the service, so nothing had to change there.",
            calls: [],
          },
        ],
      ),
    ],
  };
}

/** The summary that the compaction in this session leaves, in the form of a handover. */
export function handover(asked: readonly string[], touched: readonly string[]): string {
  return `This session is being continued from a previous conversation that ran out of context. What follows is the handover of the work so far.

## What was asked
${asked.map((text, index) => `${index + 1}. ${text}`).join("\n")}

## What is known
- Shipments came in pairs for two reasons: two workers on one import row (21 of 58 cases, gap of hundredths of a second), and a label call that timed out and was made anew (37 of 58, gap a little above 30 s).
- The carrier keeps \`X-Client-Reference\` 14 days, gives the first label back for a known reference, and answers 409 \`reference_mismatch\` where the body differs.
- Return pick-ups had the same fault as labels.
- The expiry of reservations is slow for another reason: its partial index was lost when the table was partitioned.

## What was done
- \`src/imports/row-key.ts\` names a row of an import; \`migrations/0042_import_keys.sql\` holds the keys and a unique index on shipments.
- \`ShipmentService.label\` and \`ReturnService.receive\` send the key as the carrier's reference and repeat with it.
- \`test/fake-carrier.ts\` behaves like the carrier, 409 included. \`scripts/backfill-import-keys.ts\` ran twice on staging; the second run wrote nothing.
- All tests passed at the last run. The load test had 0 duplicates in 20,000 rows.

## Files that were read or changed
${touched.map((path) => `- ${path}`).join("\n")}

## What comes next
Go on with the last request. Keep the rules of CLAUDE.md: state changes only through services, one event each, migrations only added. Nothing is deleted from production: pairs are listed, people write them off.`;
}
