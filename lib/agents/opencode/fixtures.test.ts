import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { boundariesOf } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { raggedRow } from "@/lib/core/columns/ragged";
import type { Transcript } from "@/lib/core/transcript/model";
import { messageTotals } from "@/lib/core/transcript/totals";
import { readFile } from "@/verify/support/read";
import { opencodeReader } from "./read/reader";

/** Purpose of each fixture. Golden dumps check the whole reading, for every agent alike. */
const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));

const bytesOf = (name: string): Uint8Array => readFileSync(`${FOLDER}${name}`);
const read = (name: string): Transcript => readFile(bytesOf(name), opencodeReader).transcript;
const contexts = (transcript: Transcript) =>
  transcript.requests.map(({ usage }) =>
    usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0),
  );
const messageTexts = (transcript: Transcript, indices: readonly number[]) =>
  indices.map((index) => transcript.messages[index]?.blocks[0]?.text.value);

describe("the opencode reader", () => {
  it("separates calls and results, and adjusts reasoning to the total", () => {
    const transcript = read("calls-and-results.json");
    expect(contexts(transcript)).toEqual([9242, 9620, 9864]);
    expect(transcript.requests[0]?.usage).toMatchObject({ output: 303, reasoning: 273 });
    expect(transcript.requests[2]?.usage).toMatchObject({ output: 40, reasoning: 10 });
    const kinds = transcript.messages.flatMap((message) => message.blocks.map((block) => block.kind));
    expect(kinds.filter((kind) => kind === "tool_call")).toHaveLength(4);
    expect(kinds.filter((kind) => kind === "tool_result")).toHaveLength(4);
    expect(transcript.records.total).toBe(4);
  });

  it("finds cleared outputs and the time of clearing", () => {
    const transcript = read("pruned.json");
    expect(transcript.boundaries).toMatchObject([{ kind: "clearing", clearedCalls: ["c1", "c2"] }]);
    expect(messageTexts(transcript, [transcript.boundaries[0]?.message ?? -1])).toEqual(["Again."]);
    const blocks = transcript.messages.flatMap((message) => message.blocks);
    const result = blocks.find(({ kind, callId }) => kind === "tool_result" && callId === "c1");
    expect(result?.text.chars).toBe(800);
  });

  it("keeps the tail of a completed compaction, and everything for an incomplete one", () => {
    const transcript = read("compacted.json");
    expect(transcript.boundaries.map(({ kind, trigger }) => [kind, trigger])).toEqual([
      ["compaction", "auto"],
      ["compaction", "manual"],
      ["compaction", "overflow"],
    ]);
    const kept = transcript.boundaries.map((boundary) => messageTexts(transcript, boundary.kept));
    expect(kept[0]).toEqual([
      "And the rest.",
      "The rest is done.",
      "What did we do so far?",
      "## Goal\nPort the parser.",
    ]);
    expect(kept[1]).toEqual(["What did we do so far?", "Ported twice."]);
    expect(kept[2]).toEqual([...(kept[1] ?? []), "Thanks.", "You are welcome.", "What did we do so far?"]);
    expect(transcript.requests.map(({ usage }) => usage?.input)).not.toContain(90_000);
    expect(transcript.extraRequests.map(({ kind, boundary, usage }) => [kind, boundary, usage?.input])).toEqual([
      ["compaction", 0, 90_000],
      ["compaction", 1, 12_600],
    ]);
  });

  it("links a call and its result by their part, even if ids are masked", () => {
    const transcript = read("masked-ids.json");
    const columns = columnsFromTranscript(transcript);
    const rows = transcript.messages.flatMap(({ blocks }) => blocks);
    const results = rows.flatMap(({ kind, text }, row) => (kind === "tool_result" ? [{ row, text: text.value }] : []));
    const callOf = (row: number) => (columns.pair[row + columns.overheadRows] ?? -1) - columns.overheadRows;
    const calls = results.map(({ row }) => rows[callOf(row)]?.text.value);
    expect(calls).toEqual([
      '{"filePath":"pears.txt"}',
      '{"filePath":"apples.txt"}',
      '{"pattern":"Bosc"}',
      '{"pattern":"keeps"}',
      '{"description":"taste","prompt":"Taste them."}',
    ]);
    expect(messageTotals(transcript)).toMatchObject({
      toolCalls: 6,
      toolResults: 5,
      orphanResults: 0,
      unansweredCalls: 1,
    });
    const [clearing = -1] = boundariesOf(columns, "clearing");
    const cleared = raggedRow(columns.boundaries.cleared, clearing);
    expect(Array.from(cleared, (row) => rows[row - columns.overheadRows]?.text.chars)).toEqual([360]);
  });

  it("finds the summary of a compaction whose id is masked", () => {
    const { boundaries, messages } = read("masked-ids.json");
    const compaction = boundaries.find(({ kind }) => kind === "compaction");
    expect(compaction?.kept.map((index) => messages[index]?.origin)).toContain("summary");
    expect(messageTexts(read("masked-ids.json"), compaction?.kept ?? [])[0]).toBe("Which of them keep?");
  });

  it("removes messages after a revert", () => {
    const transcript = read("reverted.json");
    expect(transcript.boundaries.map(({ kind }) => kind)).toEqual(["rollback"]);
    expect(messageTexts(transcript, transcript.boundaries[0]?.kept ?? [])).toEqual(["Name the boat.", "Heron."]);
  });

  it("keeps responses of an undone turn in the bill", () => {
    const { revert, ...info } = JSON.parse(new TextDecoder().decode(bytesOf("reverted.json"))).info;
    const undone = read("reverted.json");
    const document = { ...JSON.parse(new TextDecoder().decode(bytesOf("reverted.json"))), info };
    const whole = readFile(new TextEncoder().encode(JSON.stringify(document)), opencodeReader).transcript;
    expect(revert).toBeDefined();
    expect(whole.boundaries).toEqual([]);
    expect(undone.requests.map(({ usage }) => usage)).toEqual(whole.requests.map(({ usage }) => usage));
    expect(undone.requests.filter(({ inherited }) => inherited === true)).toEqual([]);
  });

  it("treats responses that are older than their session as inherited", () => {
    const message = (id: string, role: string, created: number) => ({
      info: {
        id,
        sessionID: "ses_2",
        role,
        time: { created },
        ...(role === "user"
          ? {}
          : { modelID: "gpt-5.3-codex", tokens: { input: created, output: 1, cache: { read: 0, write: 0 } } }),
      },
      parts: [{ id: `prt_${id}`, messageID: id, sessionID: "ses_2", type: "text", text: "Go on." }],
    });
    const info = { id: "ses_2", title: "Plans (fork #1)", version: "1.18.15", time: { created: 5000, updated: 7000 } };
    const messages = [
      message("msg_1", "user", 1000),
      message("msg_2", "assistant", 2000),
      message("msg_3", "user", 6000),
      message("msg_4", "assistant", 7000),
    ];
    const { requests } = readFile(
      new TextEncoder().encode(JSON.stringify({ info, messages })),
      opencodeReader,
    ).transcript;
    expect(requests.map(({ usage, inherited }) => [usage?.input, inherited === true])).toEqual([
      [2000, true],
      [7000, false],
    ]);
  });

  it("names the parent session of a fork", () => {
    const info = { id: "ses_2", fork: { sessionID: "ses_1", messageID: "msg_1" }, time: { created: 5000 } };
    const { links } = readFile(
      new TextEncoder().encode(JSON.stringify({ info, messages: [] })),
      opencodeReader,
    ).transcript;
    expect(links.parents).toEqual([{ session: "ses_1", kind: "fork" }]);
  });

  it("sorts copied responses after their originals in a file that holds both sessions", () => {
    const exported = (id: string, created: number) => ({
      info: { id, time: { created } },
      messages: [
        {
          info: {
            ...{ id: `${id}_m`, sessionID: id, role: "assistant", modelID: "gpt-5.3-codex", time: { created: 2000 } },
            tokens: { input: 9000, output: 1, cache: { read: 0, write: 0 } },
          },
          parts: [],
        },
      ],
    });
    const file = [exported("ses_z", 1000), exported("ses_a", 5000)].map((one) => JSON.stringify(one)).join("\n");
    const { requests } = readFile(new TextEncoder().encode(file), opencodeReader).transcript;
    expect(requests.map(({ inherited }) => inherited === true)).toEqual([false, true]);
  });

  it("keeps a failed response as a request without usage, and calls without results", () => {
    const transcript = read("failed-and-running.json");
    expect(contexts(transcript)).toEqual([0, 9000, 9100]);
    expect(transcript.problems.map(({ code }) => code)).toEqual(["pseudo-usage", "unanswered-call", "unanswered-call"]);
    expect(transcript.messages[0]?.blocks.map(({ kind }) => kind)).toEqual(["text", "image", "text"]);
    expect(transcript.models).toEqual(["gpt-5.3-codex", "claude-sonnet-4-5"]);
  });

  it("sorts messages by time, and uses the last version of a repeated message", () => {
    const transcript = read("out-of-order.json");
    expect(messageTexts(transcript, [0, 1, 2])).toEqual(["First.", "Second, as it is now.", "Third."]);
    expect([...transcript.records.unknown.keys()]).toEqual(["narrator", "part/tea_break"]);
  });
});
