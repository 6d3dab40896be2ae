import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { MASK, OWN_RULES } from "../secrets/mask-secrets";
import { OpenedSession } from "../sessions/opened-session";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";
import { maskedItems, previewTexts } from "./texts";

const folder = temporaryFolder();
// Put together here so that no scanner takes this file for a leak.
const GITHUB = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`;
const AMAZON = `AKIA${"Q3EGRPZL7MJV5XKD"}`;

async function opened(name: string, lines: readonly string[]): Promise<OpenedSession> {
  const path = put(folder, name, lines.join("\n"));
  const runner = new LocalRunner();
  return new OpenedSession(path, await runner.ingest({ path }), runner);
}

it("the preview counts the masked secrets by kind and shows where they are, but not the secrets", async () => {
  const session = await opened("secrets.jsonl", [
    userLine(`Deploy with ${GITHUB} and\n\n${AMAZON} now.`, "u1"),
    assistantLine("Nothing here.", "a1", "u1"),
    ...Array.from({ length: 4 }, (_, at) => userLine(`${at} key ${AMAZON}`, `u${at + 2}`, "a1")),
  ]);
  const preview = await previewTexts(session);
  expect(preview.masked).toEqual([
    { rule: "github", count: 1 },
    { rule: "aws", count: 5 },
  ]);
  // At most three places are listed per rule.
  expect(preview.places.map(({ rule, line }) => [rule, line])).toEqual([
    ["github", 1],
    ["aws", 1],
    ["aws", 3],
    ["aws", 4],
  ]);
  expect(preview.places[0]).toMatchObject({ what: "user", before: "Deploy with ", after: ` and ${MASK} now.` });
  expect(JSON.stringify(preview)).not.toMatch(new RegExp(`${GITHUB}|${AMAZON}`));
  const texts: string[] = [];
  for await (const { text } of maskedItems(session)) if (text !== "") texts.push(text);
  expect([preview.texts, preview.characters]).toEqual([texts.length, texts.join("").length]);
});

it("reading ends if the caller aborts", async () => {
  const session = await opened("one.jsonl", [userLine("One.", "u1")]);
  await expect(previewTexts(session, AbortSignal.abort())).rejects.toThrow(/abort/);
});

it("every masking rule has a name in every language", () => {
  const ids = [...rules.map(({ meta }) => meta.id.replace(/^.*-rule-/, "")), ...OWN_RULES];
  for (const { session } of Object.values(MESSAGES)) {
    const named = Object.keys(session.exporting.secret);
    expect(named.sort()).toEqual(ids.filter((id) => id !== "filter-comments").sort());
  }
});
