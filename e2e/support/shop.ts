import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Concatenated here so that no scanner takes this file for a leak.
const [github, amazon, password] = [
  `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`,
  `AKIA${"Q3EGRPZL7MJV5XKD"}`,
  `correct-horse-${"battery-9"}`,
] as const;

/** The secrets in the session that must be masked. */
export const SECRETS = [github, amazon, password] as const;

export const SHOP = "shop.jsonl";

/** Writes a session whose texts hold the secrets. */
export function writeShop(folder: string): void {
  const line = (at: number, role: "user" | "assistant", content: unknown) => ({
    type: role,
    uuid: `m${at}`,
    parentUuid: at === 0 ? null : `m${at - 1}`,
    sessionId: "s",
    version: "2.1.37",
    isSidechain: false,
    userType: "external",
    cwd: "/home/ada/shop",
    timestamp: new Date(Date.parse("2026-02-01T00:00:00.000Z") + at * 1000).toISOString(),
    message: {
      role,
      content,
      ...(role === "assistant" && { id: `msg-${at}`, type: "message", model: "claude-opus-4-5" }),
    },
  });
  const lines = [
    line(0, "user", `Deploy the shop with ${github} and <b>bold</b> words.`),
    line(1, "assistant", [{ type: "text", text: `I use ${amazon}.` }]),
    line(2, "user", `DB_PASSWORD=${password}`),
    line(3, "assistant", [{ type: "text", text: "Done." }]),
  ];
  writeFileSync(join(folder, SHOP), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
}
