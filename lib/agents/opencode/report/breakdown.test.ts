import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { NO_OVERHEAD } from "@/lib/core/context/context-overhead";
import type { BreakdownInput } from "@/lib/core/context/own-breakdown";
import { recordedSeries } from "@/lib/core/context/recorded";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { SourceFile } from "@/lib/server/read/source-file";
import { measureItems } from "@/lib/server/testing/counted";
import { contextPanel } from "@/verify/agents/opencode/context-panel";
import { opencodeMeasures } from "../estimator";
import type { SessionMessage } from "../messages/message";
import { opencodeBreakdown } from "./breakdown";

const path = join(process.cwd(), "lib", "agents", "opencode", "fixtures", "calls-and-results.json");

function question(request: number): BreakdownInput {
  const { transcript, reader } = readTranscript(path);
  const columns = columnsFromTranscript(transcript);
  const measures = SourceFile.use(path, (file) => measureItems({ file, transcript, reader }, opencodeMeasures));
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const series = recordedSeries({ columns, tokens });
  return {
    columns: { ...columns, measures },
    tokens,
    series,
    simulated: false,
    request,
    window: 200_000,
    overhead: NO_OVERHEAD,
  };
}

it("the breakdown equals the panel computed from messages", () => {
  // The fixture has the exported format.
  const { messages } = JSON.parse(readFileSync(path, "utf8")) as { messages: SessionMessage[] };
  const asked = question(1);
  const input = asked.columns.requests.input[1] ?? 0;
  const responses = messages
    .map((message, index) => (message.info.role === "assistant" ? index : -1))
    .filter((index) => index >= 0);
  const panel = contextPanel(messages.slice(0, responses[1]), input, undefined);
  const { rows, total } = opencodeBreakdown.at(asked, "current");
  const parts = rows.find(({ id }) => id === "messages")?.parts ?? [];
  const tokens = (key: string) => panel.find((segment) => segment.key === key)?.tokens;
  expect(parts.map((part) => part.tokens)).toEqual(
    [tokens("user"), tokens("assistant"), tokens("tool")].filter(Boolean),
  );
  expect(rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(200_000);
  expect(total?.tokens).toBe(asked.series.context[1]);
});

it("a simulated context has the common breakdown", () => {
  const { rows } = opencodeBreakdown.at({ ...question(1), simulated: true }, "current");
  expect(rows.some(({ id }) => id === "overheadInferred")).toBe(true);
});
