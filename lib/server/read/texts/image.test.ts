import fc from "fast-check";
import { expect, it } from "vitest";
import { itemsAnswer } from "@/lib/queries/contract/schemas";
import { put, userLine } from "../../testing/files";
import { ask, routeOf } from "../../testing/routes";
import { idOf, servedFolder } from "../../testing/serving";
import { IMAGE_TYPES, imageType } from "./image";

const items = routeOf("GET", "/api/sessions/{id}/items");
const imageRoute = routeOf("GET", "/api/sessions/{id}/picture");

const { mounted } = servedFolder();

/** The smallest image of its kind, one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
put(mounted, "text.jsonl", userLine(PNG.toString("base64"), "u0", null));
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>');

function image(source: object): object {
  return { type: "image", source };
}

/** Asks for the images of a file whose one message holds these parts after its text. */
async function images(name: string, parts: readonly object[]): Promise<Response[]> {
  const line: { message: { content: unknown } } = JSON.parse(userLine("Look.", "u0", null));
  line.message.content = [{ type: "text", text: "Look." }, ...parts];
  put(mounted, name, JSON.stringify(line));
  const id = await idOf(name);
  const answer = await ask(items, `/api/sessions/${id}/items?from=0&to=50`, { id });
  const listed = itemsAnswer.parse(await answer.json()).items.filter(({ kind }) => kind === "image");
  // A payload never travels with the texts.
  expect(listed.map(({ text }) => text)).toEqual(listed.map(() => ""));
  expect(listed.length).toBe(parts.length);
  return Promise.all(listed.map(({ index }) => ask(imageRoute, `/api/sessions/${id}/picture?item=${index}`, { id })));
}

it("the route serves only images, with the type of their bytes, whatever type the file states", async () => {
  const base64 = (bytes: Buffer, type: string) => ({
    type: "base64",
    media_type: type,
    data: bytes.toString("base64"),
  });
  const answers = await images("images.jsonl", [
    image(base64(PNG, "image/png")),
    image(base64(PNG, "image/svg+xml")),
    image(base64(SVG, "image/png")),
    image({ type: "url", url: "http://192.0.2.1/p.png" }),
    image({ type: "base64", media_type: "image/png", data: "" }),
    image({ type: "url", url: `data:image/png;base64,${PNG.toString("base64")}` }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 200]);
  for (const answer of answers.filter(({ ok }) => ok)) {
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
  }
});

it("the route rejects text items", async () => {
  const id = await idOf("text.jsonl");
  for (const item of [0, 1, 2, 99]) {
    expect((await ask(imageRoute, `/api/sessions/${id}/picture?item=${item}`, { id })).status).toBe(404);
  }
});

it("the route recognises images by their first bytes", () => {
  const starts = ["\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "GIF89a", "RIFF1234WEBP"];
  expect(starts.map((start) => imageType(Buffer.from(start, "latin1")))).toEqual(IMAGE_TYPES);
  fc.assert(
    fc.property(fc.constantFrom(..."<{ %\n"), fc.string(), (first, rest) => {
      expect(imageType(Buffer.from(first + rest))).toBeUndefined();
    }),
  );
});
