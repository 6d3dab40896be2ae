import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { put, temporaryFolder } from "../testing/files";
import { ProfileStore } from "./profile-store";

const folder = temporaryFolder();
const subject = { session: "s1", project: "/home/ada", agent: "codex" };

it("the choice of the narrowest scope applies, and a removed profile is no longer selected", async () => {
  const store = new ProfileStore(join(folder, "a"));
  expect([await store.list(), await store.chosen(subject)]).toEqual([[], undefined]);
  const wide = await store.add("Wide", { systemPrompt: 10 });
  const narrow = await store.add("Narrow\u0007", { systemPrompt: 20 });
  expect((await store.list()).map(({ id }) => id)).toEqual([narrow.id, wide.id]);
  await Promise.all([store.choose("agent", subject, wide.id), store.choose("session", subject, narrow.id)]);
  expect(await store.chosen(subject)).toMatchObject({ id: narrow.id, scope: "session", profile: { systemPrompt: 20 } });
  expect(await store.chosen({ ...subject, session: "s2" })).toMatchObject({ id: wide.id, scope: "agent" });
  await store.choose("session", subject, null);
  expect(await store.chosen(subject)).toMatchObject({ scope: "agent" });
  await store.remove(wide.id);
  expect([await store.chosen(subject), (await store.list()).length]).toEqual([undefined, 1]);
  expect(readdirSync(join(folder, "a")).some((name) => name.startsWith(".tmp"))).toBe(false);
});

it("invalid ids are refused, and so are scopes that the session lacks", async () => {
  const store = new ProfileStore(join(folder, "b"));
  await expect(store.choose("agent", subject, "../../etc/passwd")).rejects.toMatchObject({ reason: "unknown" });
  await expect(store.remove("choices")).rejects.toMatchObject({ reason: "unknown" });
  await expect(store.choose("project", { ...subject, project: null }, null)).rejects.toMatchObject({
    reason: "malformed",
  });
});

it("files that the store did not write are ignored", async () => {
  const store = new ProfileStore(folder);
  put(folder, "choices.json", "{");
  put(folder, `${"0".repeat(32)}.json`, '{"name":"x","profile":{"tools":1}}');
  expect([await store.list(), await store.chosen(subject)]).toEqual([[], undefined]);
});
