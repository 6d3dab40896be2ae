import { expect, test } from "vitest";
import { put, temporaryFolder } from "../testing/files";
import { SourceFile } from "./source-file";
import { wholeText } from "./whole-text";

const folder = temporaryFolder();

test.each([1, 100_000, 20_000_000])(
  "a file of %i characters or more is read unchanged, even after its bytes were released",
  (chars) => {
    const content = `${"x".repeat(chars)}字é😀`;
    const path = put(folder, "file.json", content);
    const { text, bytes } = SourceFile.use(path, wholeText);
    expect([text === content, bytes]).toEqual([true, chars + 9]);
  },
);
