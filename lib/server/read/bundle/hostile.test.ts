import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { BundleError } from "@/lib/core/bundle/arrays";
import { runs } from "@/lib/core/testing/runs";
import { replaySession } from "@/lib/queries/answers/session-answers";
import { isInputError } from "../../base/input-error";
import { bundleText, openFile } from "../../testing/bundled";
import { put, temporaryFolder } from "../../testing/files";
import { parseBundle } from "./bundle-file";

const folder = temporaryFolder();
const whole = openFile(join("lib", "agents", "claude-code", "fixtures", "compaction.jsonl")).then(bundleText);

async function refusal(text: string): Promise<string> {
  const path = put(folder, "hostile.jsonl", text);
  return openFile(path).then(
    () => "opened",
    (error: unknown) => {
      if (isInputError(error)) return error.message;
      throw error;
    },
  );
}

/** The bundle with its first line changed. */
async function withHeader(change: (header: Record<string, unknown>) => unknown): Promise<string> {
  const [first = "", ...rest] = (await whole).split("\n");
  return [JSON.stringify(change(JSON.parse(first))), ...rest].join("\n");
}

describe("a malformed bundle is refused with one sentence", () => {
  const cases: readonly (readonly [name: string, text: () => Promise<string>, says: RegExp])[] = [
    [
      "of another version",
      () => withHeader((header) => ({ ...header, contextReplayBundle: 3 })),
      /contextReplayBundle/,
    ],
    ["with a field too many", () => withHeader((header) => ({ ...header, title: "text" })), /title/i],
    [
      "that says it has billions of rows",
      () =>
        withHeader((header) => ({
          ...header,
          rows: { items: 4e9, overheadRows: 1, requests: 1, boundaries: 0, extra: 0 },
        })),
      /rows\.items/,
    ],
    [
      "that says it has more rows than it has",
      () => withHeader((header) => ({ ...header, rows: { ...(header.rows as object), items: 3_000_000 } })),
      /rows/,
    ],
    [
      "with markup for a name",
      () => withHeader((header) => ({ ...header, models: ["<script>alert(1)</script>"] })),
      /models/,
    ],
    [
      "with a prototype in its first line",
      async () => (await whole).replace('{"contextReplayBundle":2,', '{"contextReplayBundle":2,"__proto__":{"x":1},'),
      /__proto__|first line|[Uu]nrecognized/,
    ],
    ["cut off", async () => (await whole).slice(0, -2000), /not a list of numbers|cut off/],
    ["without its last lines", async () => (await whole).split("\n").slice(0, 30).join("\n"), /cut off/],
    ["with a line too many", async () => `${await whole}{"column":"more","values":[]}\n`, /more lines/],
    ["with a line twice", async () => (await whole).replace('"column":"chars"', '"column":"bytes"'), /twice/],
    ["nested deeply", async () => `{"contextReplayBundle":${"[".repeat(2e6)}`, /damaged/],
    [
      "with texts among its numbers",
      async () => (await whole).replace(/"column":"line","values":\[/, '"column":"line","values":["text",'),
      /not a list of numbers/,
    ],
    [
      "with a number that is too large",
      async () => (await whole).replace(/"column":"line","values":\[-?\d+/, '"column":"line","values":[1e300'),
      /line: 1e\+300/,
    ],
    [
      "with an index beyond its table",
      async () => (await whole).replace(/"column":"pair","values":\[-1/, '"column":"pair","values":[99999'),
      /pair/,
    ],
    [
      "with a pair that is not a call and its result",
      async () => (await whole).replace(/"column":"pair","values":\[-1/, '"column":"pair","values":[1'),
      /pair: 1 in row 0/,
    ],
    [
      "that names a column that is not there",
      async () => (await whole).replace(/"column":"line","values":\[[^\]]*\]/, '"column":"line","as":"nowhere"'),
      /nowhere/,
    ],
    ["of nothing but its beginning", async () => '{"contextReplayBundle":', /damaged/],
  ];
  it.each(cases)("%s", async (_name, text, says) => {
    const sentence = await refusal(await text());
    expect(sentence).toMatch(says);
    expect(sentence).toMatch(/^hostile\.jsonl is not a readable bundle: [^\n]*\.$/);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });
});

const edit = fc.record({
  line: fc.nat(1000),
  at: fc.nat(1000),
  value: fc.oneof(fc.integer({ min: -3, max: 60 }), fc.integer()),
});

/** Replaces one number of one line. */
function edited(text: string, { line, at, value }: { line: number; at: number; value: number }): string {
  const lines = text.trimEnd().split("\n");
  const row = 1 + (line % (lines.length - 1));
  const numbers = [...(lines[row] ?? "").matchAll(/(?<=[[,])(?:-?[\d.]+|null)(?=[\],])/g)];
  const found = numbers[at % Math.max(1, numbers.length)];
  if (found === undefined) return text;
  lines[row] = `${lines[row]?.slice(0, found.index)}${value}${lines[row]?.slice(found.index + found[0].length)}`;
  return `${lines.join("\n")}\n`;
}

/** Expects the sentence of an error that only a policy detects. */
function contradiction(error: Error): undefined {
  expect(error.message).toMatch(
    /^changed\.jsonl (is a bundle whose numbers contradict each other|comes to more than [\d,]+ tokens, the most that is counted)\.$/,
  );
}

it("a bundle whose measures would separate a call from its result is refused with one sentence", async () => {
  const changed = (await whole).replace(/("measures:codex:codex.retained","values":\[0,7,0,)0/, "$133");
  expect(changed).not.toBe(await whole);
  const session = await openFile(put(folder, "changed.jsonl", changed));
  await expect(replaySession(session, { policy: "codex", window: 4000 })).rejects.toThrow(/contradict each other/);
});

it("a bundle with more tokens than the maximum is refused with one sentence", async () => {
  const almostAll = 2 ** 31 - 102;
  const changed = (await whole).replace(
    /("column":"tokens:claude-code","values":\[\d+,)\d+/,
    (_, before) => `${before}${almostAll}`,
  );
  expect(changed).not.toBe(await whole);
  const session = await openFile(put(folder, "changed.jsonl", changed));
  const answers = POLICIES.map(({ id }) => replaySession(session, { policy: id, window: 4000 }).catch(String));
  expect(await Promise.all(answers)).toContain(
    "InputError: changed.jsonl comes to more than 2,147,483,647 tokens, the most that is counted.",
  );
});

it("a bundle with tampered numbers is either refused or answers every replay", async () => {
  const text = await whole;
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const changed = edits.reduce(edited, text);
      try {
        parseBundle(changed);
      } catch (error) {
        if (error instanceof BundleError) return;
        throw error;
      }
      const session = await openFile(put(folder, "changed.jsonl", changed));
      opened += 1;
      for (const { id } of POLICIES) {
        const answer = await replaySession(session, { policy: id, window: 4000 }).catch(contradiction);
        if (answer !== undefined) expect(answer.series.contextTokens).toHaveLength(answer.totals.requests);
      }
    }),
    { numRuns: runs(60) },
  );
  expect(opened).toBeGreaterThan(10);
});

it("a bundle of version 1 is read, and its requests outside the context belong to subagents", async () => {
  const session = await openFile(join("lib", "agents", "claude-code", "fixtures", "sidechain-copies.jsonl"));
  const added = /"(requests\.inherited|extra\.(inherited|kind|point|boundary|furtherPass|partial))"/;
  const [first = "", ...lines] = (await bundleText(session)).trimEnd().split("\n");
  const { rows, ...header } = JSON.parse(first);
  const { extra: sidechains, ...others } = rows;
  const known = lines
    .map((line) => JSON.parse(line))
    .map((line, _, all) => ({
      column: line.column,
      values: line.values ?? all.find(({ column }) => column === line.as).values,
    }))
    .filter(({ column }) => !added.test(`"${column}"`))
    .map((line) => ({ ...line, column: line.column.replace(/^extra/, "sidechains") }));
  const old = { ...header, contextReplayBundle: 1, rows: { ...others, sidechains }, lines: known.length };
  const { columns } = parseBundle([old, ...known].map((line) => JSON.stringify(line)).join("\n"));
  expect(sidechains).toBeGreaterThan(0);
  expect(columns.extra.output).toEqual(session.columns.extra.output);
  expect([...columns.extra.kind, ...columns.extra.partial]).toEqual([
    ...new Array(sidechains).fill(0),
    ...new Array(sidechains).fill(1),
  ]);
  expect([...columns.requests.inherited]).toEqual(new Array(columns.requests.length).fill(0));
});
