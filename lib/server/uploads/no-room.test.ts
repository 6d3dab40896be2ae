import { readdirSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { temporaryFolder } from "../testing/files";
import { UploadStore } from "./upload-store";

const folder = temporaryFolder();
const failing = vi.hoisted(() => ({ code: "" }));

/** Files that can be opened but not written to. */
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const open = async (...given: Parameters<typeof real.open>): Promise<FileHandle> => {
    const file = await real.open(...given);
    file.write = async () => {
      throw Object.assign(new Error(failing.code), { code: failing.code });
    };
    return file;
  };
  return { ...real, open };
});

it.each([
  ["ENOSPC", 507, "There is no room left on the disk, so the file was not kept."],
  ["EROFS", 503, "The data folder may not be written to, so the file was not kept."],
])(
  "an upload that cannot be written (%s) is refused in a sentence once it was taken, and leaves nothing",
  async (code, status, message) => {
    failing.code = code;
    let sent = 0;
    const body = (async function* () {
      for (; sent < 20; sent++) yield Buffer.from("one part\n");
    })();
    await expect(new UploadStore(folder, 1000).receive({ body, name: "a.jsonl" })).rejects.toMatchObject({
      status,
      message,
    });
    expect([sent, readdirSync(folder)]).toEqual([20, []]);
  },
);
