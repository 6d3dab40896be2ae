import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { Transcript } from "@/lib/core/transcript/model";
import { fixturesOf } from "@/verify/support/conformance";
import { readRecords, transcriptOf } from "@/verify/support/read";
import type { FormatId } from "./agents";
import { SERVER_PROFILES } from "./registry";

/** Keys under which each format's records hold usage. */
const USAGE_KEYS: Readonly<Record<FormatId, readonly string[]>> = {
  "api-log": ["usage"],
  atif: ["metrics"],
  chat: ["usage"],
  "claude-code": ["usage"],
  clawdcode: ["usage"],
  cline: ["tokens"],
  codex: ["last_token_usage"],
  "copilot-cli": ["compactionTokensUsed"],
  continue: ["usage"],
  crush: ["usage"],
  dsh: ["usage"],
  "factory-droid": ["usage"],
  "gemini-cli": ["tokens"],
  goose: ["usage"],
  hermes: ["usage"],
  inspect: ["usage"],
  "kimi-cli": ["token_usage"],
  "mini-claude-code": ["usage"],
  "mini-swe-agent": ["usage"],
  "mistral-vibe": ["usage"],
  openclaw: ["usage"],
  opencode: ["tokens"],
  openhands: ["usage", "accumulated_token_usage"],
  pi: ["usage"],
  "qwen-code": ["usageMetadata"],
  "roo-code": ["usage"],
  "swe-agent": ["model_stats"],
};

/** Formats without usage of their own: their records get a usage object. */
const WITHOUT_USAGE: ReadonlySet<FormatId> = new Set([
  "chat",
  "crush",
  "factory-droid",
  "hermes",
  "mini-claude-code",
  "mistral-vibe",
  "roo-code",
  "swe-agent",
]);

const UNKNOWN = { surprise_tokens: 7, surprise_details: { parts: [{ odd_tokens: 3 }] }, idle_tokens: 0, name: "x" };

/** A copy of a value in which every usage object also has these fields. */
function withFields(value: unknown, keys: readonly string[], fields: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((entry) => withFields(entry, keys, fields));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isUsage = keys.includes(key) && typeof part === "object" && part !== null && !Array.isArray(part);
      return [key, isUsage ? { ...part, ...fields } : withFields(part, keys, fields)];
    }),
  );
}

function reported({ problems }: Transcript) {
  return problems.filter(({ code }) => code === "unknown-usage-field").map(({ detail }) => detail);
}

describe.each(Object.keys(SERVER_PROFILES) as FormatId[])("the reader of %s", (format) => {
  const { reader } = SERVER_PROFILES[format];
  const folder = path.join(import.meta.dirname, format, "fixtures");
  const fixtures = fixturesOf(folder).map((file) => ({
    file,
    records: readRecords(readFileSync(path.join(folder, file))),
  }));

  /** The records of a fixture whose usage objects also have these fields. */
  function changed(
    records: readonly SourceRecord[],
    fields: Readonly<Record<string, unknown>>,
  ): readonly SourceRecord[] {
    return records.map((record) => {
      const value = withFields(record.value, USAGE_KEYS[format], fields) as SourceRecord["value"]; // an object stays one
      return { ...record, value: WITHOUT_USAGE.has(format) ? { ...value, usage: fields } : value };
    });
  }

  it("reports an unknown number of a usage object by name, once per session", () => {
    const expected = ["surprise_details.parts.odd_tokens", "surprise_tokens"];
    const wrong = fixtures.flatMap(({ file, records }) => {
      const { requests } = transcriptOf(records, reader);
      if (!WITHOUT_USAGE.has(format) && !requests.some(({ usage }) => usage !== undefined)) return [];
      const others = changed(records, UNKNOWN);
      // Usage within a text, such as a streamed body, is not changed here.
      if (JSON.stringify(others) === JSON.stringify(records)) return [];
      const names = reported(transcriptOf(others, reader)).toSorted();
      return names.join() === expected.join() ? [] : [{ file, names }];
    });
    expect(wrong).toEqual([]);
  });

  it("reports unknown numbers only in its odd fixtures", () => {
    const usual = fixtures.filter(({ file }) => !file.startsWith("odd-"));
    const wrong = usual.flatMap(({ file, records }) => {
      const names = reported(transcriptOf(records, reader));
      return names.length === 0 ? [] : [{ file, names }];
    });
    expect(wrong).toEqual([]);
  });
});
