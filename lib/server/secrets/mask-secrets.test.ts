import fc from "fast-check";
import { expect, it } from "vitest";
import { processorMs } from "@/lib/core/testing/processor-time";
import { MASK, maskSecrets } from "./mask-secrets";

/** Made up, and put together here so that no scanner takes this file for a leak. */
const SECRETS: readonly (readonly [string, string, string])[] = [
  ["github", "token is ", `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`],
  ["anthropic", "x ", `sk-ant-api03-${"aB3".repeat(31)}AA`],
  ["aws", "key id ", `AKIA${"Q3EGRPZL7MJV5XKD"}`],
  ["aws", "for a while ", `ASIA${"Q3EGRPZL7MJV5XKD"}`],
  ["slack", "", `xoxb-123456789012-1234567890123-${"abcDEF123456".repeat(2)}`],
  ["privatekey", "", `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${"A1b2".repeat(40)}\n-----END RSA PRIVATE KEY-----`],
  ["assignment", "DB_PASSWORD=", "correcthorsebattery"],
  ["assignment", '{"api_key": "', "9f8a7b6c5d4e3f2a1b0c"],
  ["assignment", 'text "{\\"client_secret\\":\\"', "9f8a7b6c5d4e3f2a1b0c"],
  ["authorization", "Authorization: Bearer ", "abcDEF0123456789abcDEF0123456789"],
  ["address", "ldap://shop:", "hunter22"],
  ["jsonWebToken", "cookie=", `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"dBjftJeZ4CVPmB92K27u"}`],
];

it.each(SECRETS)("a likely secret is masked: %s", async (rule, before, secret) => {
  const after = rule === "address" ? "@db.example/shop" : '" and more';
  const { texts, masked } = await maskSecrets([`First ${before}${secret}${after}`, "nothing here"]);
  expect(texts[0]).not.toContain(secret);
  expect(texts[0]).toContain(MASK);
  expect(texts[0]).toMatch(/^First /);
  expect(texts[1]).toBe("nothing here");
  expect(masked.map(({ rule: name }) => name)).toContain(rule);
});

it.each([
  "const token = readToken();",
  "password: string",
  "the secret of: nothing",
  "max_tokens = 128_000",
  "apiKey: process.env.API_KEY",
  "--token <token>",
  `secret: \${{ secrets.NPM_TOKEN }}`,
  "https://example.com/a:b@c",
  "git@github.com:ada/shop.git",
  "a basic understanding of it",
])("a text without a secret is unchanged: %s", async (text) => {
  expect(await maskSecrets([text])).toEqual({ texts: [text], masked: [] });
});

it("in a text with a byte order mark exactly the secret is masked", async () => {
  const secret = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`;
  const { texts } = await maskSecrets([`\ufeffIt is ${secret}.`, `\ufeff${secret}`]);
  expect(texts).toEqual([`\ufeffIt is ${MASK}.`, `\ufeff${MASK}`]);
});

it("a text with a comment that disables the linter is masked nevertheless", async () => {
  const secret = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`;
  for (const comment of ["# secretlint-disable", "// secretlint-disable-next-line"]) {
    const { texts } = await maskSecrets([`${comment}\n${secret}`]);
    expect(texts).toEqual([`${comment}\n${MASK}`]);
  }
});

it("the number of masks in the text equals the counts", async () => {
  const pieces = fc.constantFrom(
    "a",
    " ",
    "\n",
    "é",
    "token=",
    "://",
    "@",
    ...SECRETS.map(([, before, secret]) => before + secret),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces), async (parts) => {
      const text = parts.join("");
      const once = await maskSecrets([text]);
      const count = once.masked.reduce((sum, one) => sum + one.count, 0);
      expect((once.texts[0] ?? "").split(MASK).length - 1).toBe(count);
    }),
    { numRuns: 60 },
  );
});

it("every rule runs in time proportional to the length of a hostile text", async () => {
  const pieces = [
    "a",
    "A",
    "-",
    "AKIA",
    "sk-",
    "://",
    "a:a@",
    "\n",
    "_",
    "=",
    "0",
    "https://a:",
    "eyJ",
    "eyJ.",
    "token=",
    "token: ",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN ",
    "ghp_",
    "xoxb-",
    "SG.",
    "Bearer ",
    "aA0+/",
    '"',
    'secret\\"',
    "postgres://a:b",
    "-----END PRIVATE KEY-----\n",
    "?token=",
    "密码是",
    '"kty"',
    "kind: Secret\ndata:\n  a: b1\n",
    "machine a login b ",
    "Cookie: a=b; ",
    "mysql -p",
    "curl -u a:",
    "--password ",
    "name: A_KEY ",
    'password="',
    "\\n",
  ];
  for (const piece of pieces) {
    const text = `${piece.repeat(Math.floor(400_000 / piece.length))}\u0001`;
    const started = processorMs();
    await maskSecrets([text]);
    // A quadratic rule would take a minute and more.
    expect([piece, processorMs() - started < 3000]).toEqual([piece, true]);
  }
});

it("masking the last of many texts is as fast as masking the first", async () => {
  performance.clearMarks();
  await maskSecrets(["one text", "another text"]);
  expect(performance.getEntriesByType("mark")).toEqual([]);
});
