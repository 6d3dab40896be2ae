import fc from "fast-check";
import { expect, test } from "vitest";
import { looksLikeDocument } from "@/lib/core/records/document";
import { put, temporaryFolder } from "../testing/files";
import { mayBeDocument } from "./feed";
import { SourceFile } from "./source-file";

const folder = temporaryFolder();

test("a file may be a document exactly if its text looks like one, whatever its first line holds", () => {
  const pieces = ["\ufeff", "\n", " ", "\r\n", "[", "{", "}", '"', '"字"', '{"a":"é}\\""}', "x"];
  const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (content) => {
      const path = put(folder, "file.json", content);
      expect(SourceFile.use(path, (file) => mayBeDocument(file))).toBe(looksLikeDocument(content));
    }),
    { numRuns: 500 },
  );
});
