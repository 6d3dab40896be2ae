import { readdirSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { temporaryFolder } from "../testing/files";
import { ProfileStore } from "./profile-store";
import { UploadStore } from "./upload-store";

const folder = temporaryFolder();
const failing = vi.hoisted(() => ({ code: "" }));

/** Files that can be opened but not written to. */
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const open = async (...given: Parameters<typeof real.open>): Promise<FileHandle> => {
    const file = await real.open(...given);
    const fail = async () => {
      throw Object.assign(new Error(failing.code), { code: failing.code });
    };
    Object.assign(file, { write: fail, writeFile: fail });
    return file;
  };
  return { ...real, open };
});

const REFUSALS = [
  ["ENOSPC", "no-room", "There is no room left on the disk"],
  ["EROFS", "not-writable", "The data folder may not be written to"],
] as const;

it.each(REFUSALS)(
  "an upload that cannot be written (%s) is refused in one sentence after its body was read",
  async (code, reason, sentence) => {
    failing.code = code;
    let sent = 0;
    const body = (async function* () {
      for (; sent < 20; sent++) yield Buffer.from("one part\n");
    })();
    await expect(new UploadStore(folder, 1000).receive({ body, name: "a.jsonl" })).rejects.toMatchObject({
      reason,
      message: `${sentence}, so the file was not kept.`,
    });
    expect([sent, readdirSync(folder)]).toEqual([20, []]);
  },
);

it.each(REFUSALS)(
  "a context profile that cannot be written (%s) is refused in one sentence, and no file is left",
  async (code, reason, sentence) => {
    failing.code = code;
    const refusal = { reason, message: `${sentence}, so nothing was changed.` };
    const store = new ProfileStore(folder);
    await expect(store.add("Mine", { systemPrompt: 10 })).rejects.toMatchObject(refusal);
    const subject = { session: "one", project: null, agent: null };
    await expect(store.choose("session", subject, null)).rejects.toMatchObject(refusal);
    expect(readdirSync(folder)).toEqual([]);
  },
);
