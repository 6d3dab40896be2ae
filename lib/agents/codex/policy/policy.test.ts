import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize, sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, SettingError, type Settings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import type { Message } from "@/lib/core/transcript/model";
import { readRecords, readTranscript } from "@/verify/support/read";
import { presetFor } from "../base/presets";
import { profile as codex } from "../index";
import { toNative } from "../messages/native";
import { itemsOfRecord } from "../messages/record-contents";
import { serializeItem } from "../messages/serialize";
import { codexReader } from "../read/reader";
import { codexPolicy } from "./policy";

const context: PolicyContext = { window: 272_000, agent: "codex" };
const settings = (preset: string, given: Readonly<Record<string, unknown>> = {}): Settings =>
  resolveSettings(codexPolicy.settings(preset, context), given);

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}.jsonl`, import.meta.url));

function session(name: string) {
  const columns = columnsFromTranscript(readTranscript(fixture(name), codexReader));
  return countedBySize(columns, "bytes-4");
}

describe("settings", () => {
  it("have the documented defaults", () => {
    expect(settings("as-documented")).toEqual({
      autoCompactLimit: 244_800,
      userMessageTokens: 20_000,
      toolOutputTokens: 10_000,
      summaryTokens: 1500,
      failSummary: "never",
      entryTruncation: true,
    });
    expect(settings("current")).toMatchObject({ remote: true, retainedTokens: 64_000, limitScope: "whole" });
    expect(() => settings("release-2026-01", { limitScope: "whole" })).toThrow(SettingError);
    expect(() => settings("release-2026-01", { remote: true })).toThrow(SettingError);
  });

  it("name the source of every constant", () => {
    for (const preset of codexPolicy.presets) {
      for (const spec of codexPolicy.settings(preset, context))
        expect(spec.source.text ?? spec.source.notes?.[0]).toMatch(/\w{5}/);
    }
  });

  it("accept a limit above nine tenths of the window, except in the current preset", () => {
    const given = { autoCompactLimit: 270_000 };
    expect(
      codexPolicy.threshold?.({
        preset: "release-2026-01",
        window: 272_000,
        settings: settings("release-2026-01", given),
      }),
    ).toBe(270_000);
    expect(codexPolicy.threshold?.({ preset: "current", window: 272_000, settings: settings("current", given) })).toBe(
      244_800,
    );
  });
});

describe("replay under the policy", () => {
  const { columns, tokens } = session("counts-after-outputs");
  const run = (given: Readonly<Record<string, unknown>>, preset = "as-documented") =>
    replay({ columns, tokens }, codexPolicy, settings(preset, given), {
      preset,
      window: 272_000,
      counting: "estimate",
    });

  it("fires when the last response's total reaches the limit, also within a turn", () => {
    const calm = run({});
    expect(calm.compactions).toEqual([]);
    const total = (calm.context[0] ?? 0) + 1;
    const fired = run({ autoCompactLimit: total, summaryTokens: 5 });
    expect(fired.compactions.map((compaction) => compaction.request)).toContain(1);
    expect(fired.compactions[0]).toMatchObject({ trigger: "threshold", outcome: "summary", summaryTokens: 5 });
  });

  it("also counts items after the response in the current preset", () => {
    const calm = run({});
    const [first = 0, second = 0] = calm.context;
    // Between the last total, which the release compares, and the size of the request.
    const limit = second - 1;
    expect(limit).toBeGreaterThan(first);
    expect(run({ autoCompactLimit: limit }, "current").compactions[0]?.request).toBe(1);
    expect(run({ autoCompactLimit: limit }, "release-2026-01").compactions[0]?.request).not.toBe(1);
  });

  describe("compaction before a turn", () => {
    const replayOf = (session: string, preset: string, given: Readonly<Record<string, unknown>>) => {
      const columns = drawColumns(session);
      const sizes = sizeTokenColumn(columns, "bytes-4");
      const chosen = settings(preset, { summaryTokens: 10, ...given });
      return replay({ columns, tokens: sizes }, codexPolicy, chosen, { preset, window: 272_000, counting: "estimate" });
    };
    const firedAt = (...asked: Parameters<typeof replayOf>) =>
      replayOf(...asked).compactions.map(({ request }) => request);

    it.each(["as-documented", "release-2026-01", "current"])(
      "decides before the next prompt is added, in %s",
      (preset) => {
        expect(firedAt("u500 a15 u300 a1", preset, { autoCompactLimit: 516 })).toEqual([]);
        expect(firedAt("u500 a15 u300 a1", preset, { autoCompactLimit: 515 })).toEqual([1]);
      },
    );

    it("counts items after the response as part of the previous turn", () => {
      // A call's output that no response follows.
      expect(firedAt("u500 a15 c5 r30 u300 a1", "current", { autoCompactLimit: 550 })).toEqual([1]);
      expect(firedAt("u500 a15 c5 r30 u300 a1", "current", { autoCompactLimit: 551 })).toEqual([]);
    });

    it("keeps the next prompt whole after the summary, and spends no budget on it", () => {
      const given = { autoCompactLimit: 515, userMessageTokens: 100, remote: false };
      const { compactions, context } = replayOf("u80 a435 u300 a1 u5 a1", "current", given);
      const [{ kept, truncated, entering } = { kept: [], truncated: [], entering: 0 }] = compactions;
      expect([kept, entering]).toEqual([[1, 3], 1]);
      expect(truncated.map(([item]) => item)).not.toContain(3);
      expect(compactions[0]?.tokensAfter).toBe(context[1]);
      // At the next compaction it is an ordinary message, and is cut.
      const [, second] = replayOf("u80 a435 u300 a300 u5 a1", "current", given).compactions;
      expect(second?.kept.includes(1)).toBe(false);
      expect(second?.truncated.map(([item]) => item)).toEqual([3]);
    });

    it("summarises only the items from before the turn", () => {
      const [one] = replayOf("u500 a15 u300 a1", "current", { autoCompactLimit: 515 }).compactions;
      expect([one?.tokensBefore, one?.summaryCallTokens]).toEqual([815, 515]);
    });

    it("counts a message typed within a turn, before a result, as part of the history", () => {
      const [one] = replayOf("u500 a15 c5 u40 r30 a1", "current", { autoCompactLimit: 500 }).compactions;
      expect(one?.entering).toBe(0);
    });
  });

  it("adds the reasoning of earlier turns to a recorded input, which does not include it", () => {
    const { columns, tokens } = session("earlier-reasoning");
    const compactions = (limit: number, counting: "anchored" | "estimate") =>
      replay(
        { columns, tokens },
        codexPolicy,
        settings("current", { autoCompactLimit: limit, entryTruncation: false }),
        {
          preset: "current",
          window: 272_000,
          counting,
        },
      ).compactions;
    const fired = (...given: Parameters<typeof compactions>) => compactions(...given).map(({ request }) => request);
    // Request 1's recorded input and output, the output of its call, and the encrypted reasoning of 2,407 bytes before it: ceil((floor(2,407 × 3 / 4)
    // − 650) / 4).
    const usage = 5100 + 40 + Math.ceil(80 / 4) + 289;
    expect(fired(usage, "anchored")).toEqual([2]);
    // The boundary shows the compared size, since the context is smaller.
    const [compaction] = compactions(usage, "anchored");
    expect(compaction?.figures).toEqual({ compared: usage });
    expect(compaction?.tokensBefore).toBeLessThan(usage);
    expect(fired(usage + 1, "anchored")).toEqual([]);
    expect(fired(5100, "estimate")).toEqual([]);
  });

  describe("a limit on items after the prefix", () => {
    const fired = (session: string, given: Readonly<Record<string, unknown>>, window = 272_000) => {
      const columns = drawColumns(session);
      const chosen = settings("current", { limitScope: "body_after_prefix", summaryTokens: 10, ...given });
      const sizes = sizeTokenColumn(columns, "bytes-4");
      const options = { preset: "current", window, counting: "estimate" } as const;
      const { compactions } = replay({ columns, tokens: sizes }, codexPolicy, chosen, options);
      return compactions.map(({ request }) => request);
    };

    it("excludes the input of the first request, whatever its size", () => {
      // The second request finds 15 tokens after the first one's prefix: the answer. The next prompt is not there yet.
      expect(fired("u500 a15 u5 a1", { autoCompactLimit: 15 })).toEqual([1]);
      expect(fired("u500 a15 u5 a1", { autoCompactLimit: 16 })).toEqual([]);
      expect(fired("u500 a15 u5 a1", { autoCompactLimit: 16, limitScope: "whole" })).toEqual([1]);
    });

    it("counts from the first request since the last summary", () => {
      // Before request 1 the typed words are kept: they and the summary form the next prefix.
      expect(fired("u500 a15 u5 a15 u5 a15 u5 a1", { autoCompactLimit: 15 })).toEqual([1, 2, 3]);
      expect(fired("u500 a15 u5 a15 u5 a15 u5 a1", { autoCompactLimit: 35 })).toEqual([2]);
      // A failed summary does not change the prefix.
      expect(fired("u500 a15 u5 a15 u5 a15 u5 a1", { autoCompactLimit: 35, failSummary: "1" })).toEqual([2, 3]);
    });

    it("still compacts at 95 % of the window", () => {
      expect(fired("u500 a15 u5 a1", { autoCompactLimit: 200 }, 543)).toEqual([1]);
      expect(fired("u500 a15 u5 a1", { autoCompactLimit: 200 }, 544)).toEqual([]);
      expect(
        codexPolicy.threshold?.({
          preset: "current",
          window: 272_000,
          settings: settings("current", { limitScope: "body_after_prefix" }),
        }),
      ).toBe(258_400);
    });
  });

  it("changes nothing if the summary call fails", () => {
    const calm = run({});
    const failed = run({ autoCompactLimit: 100, failSummary: "always" });
    expect(failed.compactions.length).toBeGreaterThan(0);
    expect(failed.compactions.every((compaction) => compaction.outcome === "failed")).toBe(true);
    expect(Array.from(failed.context)).toEqual(Array.from(calm.context));
  });

  it("never fires in an unlimited window", () => {
    expect(run({ autoCompactLimit: 272_000 }).compactions).toEqual([]);
  });
});

describe("tool outputs on entry", () => {
  const { columns } = session("tools-and-media");
  const entry = (row: number, tokens: number, limit: number) =>
    codexPolicy.entryRule?.tokens(
      {
        columns,
        preset: "as-documented",
        settings: settings("as-documented", { toolOutputTokens: limit }),
        window: 272_000,
      },
      row,
      tokens,
    );
  const rowOf = (text: string) =>
    columns.bytes.findIndex((bytes, row) => bytes === text.length && columns.kind[row] === 4);

  it("enter unchanged within 1.2 times the limit", () => {
    expect(entry(rowOf("tree.png\n"), 3, 10)).toBe(3);
  });

  it("share one budget among the texts of an output", () => {
    const second = rowOf("two leaves");
    // 1.2 × 3, rounded up, is 4 tokens, of which "one tree" takes 2. The rest is less than the text, and a marker is added.
    expect(entry(rowOf("one tree"), 2, 3)).toBe(2);
    expect(entry(second, 3, 3)).toBe(4);
    // 1.2 × 1, rounded up, is 2 tokens, so the rest of the budget is 0.
    expect(entry(second, 3, 1)).toBe(0);
  });

  it("do not change calls and messages", () => {
    for (let row = columns.overheadRows; row < columns.length; row++) {
      if (columns.kind[row] !== 4) expect(entry(row, 77, 0)).toBe(77);
    }
  });

  it("leave the result of a tool search unchanged", () => {
    const row = columns.tables.tools.indexOf("tool_search");
    const result = columns.tool.findIndex((tool, index) => tool === row && columns.kind[index] === 4);
    expect(entry(result, 6, 0)).toBe(6);
  });
});

describe("profile", () => {
  it("derives the raw window from the recorded one", () => {
    expect(codex.policyWindow(258_400)).toBe(272_000);
    expect(codex.policyWindow(121_600)).toBe(128_000);
  });

  it.each([
    [undefined, "release-2026-01"],
    ["0.42.0", "release-2026-01"],
    ["0.94.0", "release-2026-01"],
    ["0.104.0-alpha.1", "current"],
    ["0.142.2", "current"],
    ["1.0.0", "current"],
    ["nonsense", "release-2026-01"],
  ])("replays version %s with preset %s", (version, preset) => {
    expect(presetFor(version)).toBe(preset);
  });
});

describe("conversion to Codex's own format", () => {
  const kinds = new Set(["message", "function_call", "function_call_output"]);

  it.each(["counts-after-outputs", "chinese", "context-again", "tools-and-media"])(
    "inverts the reader for every modelled field: %s",
    (name) => {
      const records = readRecords(fixture(name));
      const messages = readTranscript(fixture(name), codexReader).messages;
      let compared = 0;
      for (const record of records) {
        const [item] = itemsOfRecord(record.value);
        const message = messages.find((one) => one.line === record.line);
        if (item === undefined || message === undefined || !kinds.has(item.type)) continue;
        const [native] = toNative(message, contentsOf(message, records));
        expect(native && serializeItem(native.item, "release-2026-01")).toBe(serializeItem(item, "release-2026-01"));
        compared += 1;
      }
      expect(compared).toBeGreaterThan(3);
    },
  );

  function contentsOf(message: Message, records: ReturnType<typeof readRecords>) {
    return message.blocks.map((block) => {
      const value = records.find((one) => one.offset === block.source.offset)?.value ?? {};
      return { record: value, text: codexReader.texts(value)[block.source.part] ?? "" };
    });
  }
});
