import { basename, join } from "node:path";
import { bundleLines } from "../export/write-bundle";
import { OpenedSession } from "../sessions/opened-session";
import { LocalRunner } from "../threads/local-runner";
import { put } from "./files";

/** Opens a session's file as the command line does. */
export async function openFile(path: string): Promise<OpenedSession> {
  const runner = new LocalRunner();
  return new OpenedSession(path, await runner.ingest({ path }), runner);
}

export async function bundleText(session: OpenedSession): Promise<string> {
  const lines: string[] = [];
  for await (const line of bundleLines(session)) lines.push(line);
  return lines.join("");
}

/** Opens a session from its file, and again from a bundle that it writes into a folder. */
export async function withBundle(path: string, folder: string) {
  const session = await openFile(path);
  const bundle = join(folder, `${basename(path)}.bundle.jsonl`);
  put(folder, basename(bundle), await bundleText(session));
  return { session, bundled: await openFile(bundle), bundle };
}
