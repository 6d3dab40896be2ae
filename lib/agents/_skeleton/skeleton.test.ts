import path from "node:path";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "@/verify/support/conformance";
import { FORMATS } from "../agents";
import { READERS } from "../registry";
import { profile as skeleton } from ".";
import { server } from "./server";

/** The skeleton passes the checks of every registered format, so that a copy of it starts from working code. */
describe("the skeleton", () => {
  it("is in no registry", () => {
    expect(FORMATS.map(({ id }) => id)).not.toContain(server.reader.format);
    expect(skeleton.places.files).not.toEqual([]);
  });

  const folder = path.join(import.meta.dirname, "fixtures");
  describeFixtures(server.reader, folder, [...READERS, server.reader]);
});
