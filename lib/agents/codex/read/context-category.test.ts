import { expect, it } from "vitest";
import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { readTranscript } from "@/verify/support/read";
import { codexReader } from "./reader";

const message = (role: string, ...texts: string[]) => ({
  type: "response_item",
  payload: { type: "message", role, content: texts.map((text) => ({ type: "input_text", text })) },
});

it("context that Codex re-creates counts in the overhead's categories", () => {
  const records = [
    { type: "session_meta", payload: { id: "1", base_instructions: { text: "You are Codex." } } },
    message("developer", "<permissions instructions>Ask.</permissions instructions>", "Prefer short answers."),
    message("user", "# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>Be kind.</INSTRUCTIONS>"),
    message("user", "<environment_context><cwd>/home/ada</cwd></environment_context>"),
    message("user", "Sort the pears."),
    message("user", "<turn_aborted>Stopped.</turn_aborted>"),
  ];
  const bytes = new TextEncoder().encode(records.map((record) => JSON.stringify(record)).join("\n"));
  const columns = columnsFromTranscript(readTranscript(bytes, codexReader));
  expect(Array.from(columns.category, (code) => ITEM_CATEGORIES[code])).toEqual([
    "systemPrompt",
    "overheadInferred",
    "systemPrompt",
    "systemPrompt",
    "memoryFiles",
    "startupContext",
    "user",
    "attachments",
  ]);
});
