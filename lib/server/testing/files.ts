import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { READERS } from "@/lib/agents/registry";

/** A temporary folder that is removed after the file's tests. Call it at the top of a test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file and returns its path. */
export function put(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Our own session files, of every agent that can be read; by default only files of lines. */
export function fixtureFiles(names = /\.jsonl$/): string[] {
  return READERS.flatMap(({ format: agent }) => {
    const folder = join(process.cwd(), "lib", "agents", agent, "fixtures");
    return readdirSync(folder)
      .filter((name) => names.test(name))
      .map((name) => join(folder, name));
  });
}

/** Common fields of a made-up Claude Code session's records. */
const SHARED = { isSidechain: false, userType: "external", cwd: "/home/ada/shop", sessionId: "s-1", version: "2.1.37" };

/** A record of a made-up Claude Code session. */
export function userLine(text: string, uuid: string, parent: string | null = null): string {
  return JSON.stringify({
    parentUuid: parent,
    ...SHARED,
    type: "user",
    message: { role: "user", content: text },
    uuid,
    timestamp: "2026-02-01T09:00:01.000Z",
  });
}

/** The response to it, with usage. */
export function assistantLine(text: string, uuid: string, parent: string): string {
  const message = {
    model: "claude-opus-4-6",
    id: `msg_${uuid}`,
    type: "message",
    role: "assistant",
    content: [{ type: "text", text }],
    usage: { input_tokens: 3, cache_creation_input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 7 },
  };
  return JSON.stringify({
    parentUuid: parent,
    ...SHARED,
    type: "assistant",
    message,
    requestId: `req_${uuid}`,
    uuid,
    timestamp: "2026-02-01T09:00:02.000Z",
  });
}
