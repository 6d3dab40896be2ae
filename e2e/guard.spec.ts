import { request as httpRequest, type IncomingMessage } from "node:http";
import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type Served, sessionId } from "./support/server";

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Sends a request as any client might. Fetch does not allow a forged Host header or path. */
function ask(
  app: Served,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(app.origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: options.method ?? "GET", headers: options.headers ?? {} },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      },
    );
    request.on("error", reject);
    request.end(options.body);
  });
}

const API = ["/api/sessions", "/api/sources", "/api/health"];

for (const path of ["/", ...API]) {
  test(`${path} rejects requests for another host name`, async ({ app }) => {
    for (const host of ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1", "127.0.0.1:1"]) {
      const { status, body } = await ask(app, path, { headers: { host } });
      expect([400, 421], `Host: ${host}`).toContain(status);
      expect(body).not.toContain("shipments");
    }
  });
}

test("a page of another origin can neither read nor write", async ({ app }) => {
  const id = await sessionId(app, ENGLISH);
  const foreign = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: app.origin.replace("127.0.0.1", "localhost") },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    for (const path of [...API, `/api/sessions/${id}`, `/api/sessions/${id}/columns`]) {
      const { status } = await ask(app, path, { headers });
      expect(status, `${path} ${JSON.stringify(headers)}`).toBe(403);
    }
    const upload = { method: "POST", headers: { ...headers, "x-file-name": "a.jsonl" }, body: "{}\n" };
    expect((await ask(app, "/api/uploads", upload)).status).toBe(403);
  }
});

test("a foreign request is neither redirected nor told the methods of a route", async ({ app }) => {
  const evil = { host: "evil.example" };
  const { port } = new URL(app.origin);
  const foreign = { host: `127.0.0.1:${port}`, origin: "http://evil.example" };
  for (const path of ["/sessions/x/", "//sessions/x", "/api/sessions/", "//api/sessions", "/api/sessions"]) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      expect((await ask(app, path, { method, headers: evil })).status, `${method} ${path}`).toBe(421);
      if (!path.includes("api")) continue;
      expect((await ask(app, path, { method, headers: foreign })).status, `${method} ${path}`).toBe(403);
    }
  }
});

test("a client that sends too long a body gets an answer", async ({ app }) => {
  const body = JSON.stringify("x".repeat(8 << 20));
  const path = `/api/sessions/${await sessionId(app, ENGLISH)}/replay`;
  const { status, headers } = await ask(app, path, { method: "POST", body });
  expect([status, headers.connection]).toEqual([413, "close"]);
});

test("an unknown method gets a problem document with the route's methods", async ({ app }) => {
  for (const [method, path, allowed] of [
    ["PATCH", "/api/health", "GET, HEAD, OPTIONS"],
    ["DELETE", "/api/sessions", "GET, HEAD, OPTIONS"],
    ["GET", "/api/uploads", "POST, OPTIONS"],
  ] as const) {
    const { status, headers, body } = await ask(app, path, { method });
    expect([status, headers.allow], `${method} ${path}`).toEqual([405, allowed]);
    expect(JSON.parse(body)).toMatchObject({ status: 405, detail: `This route does not answer ${method}.` });
  }
});

test("a path is not accepted as an id", async ({ app }) => {
  const ids = [
    "..%2f..%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "..",
    "%2e%2e",
    "....%2f%2f",
    encodeURIComponent(`${app.folder}/${ENGLISH}`),
    "a%00b",
    "constructor",
    "__proto__",
  ];
  for (const id of ids) {
    for (const rest of ["", "/columns", "/items?from=0&to=1", "/breakdown?at=0"]) {
      const { status, body } = await ask(app, `/api/sessions/${id}${rest}`);
      expect([400, 404, 308], `${id}${rest}`).toContain(status);
      expect(body).not.toMatch(/root:|shipments/);
      expect(body, "no path of this machine").not.toContain(app.folder);
    }
  }
});

test("pages have a Content-Security-Policy with a new nonce, and forbid sniffing and framing", async ({ app }) => {
  const nonces = new Set<string>();
  for (const path of ["/", `/sessions/${await sessionId(app, ENGLISH)}`, "/nothing-here"]) {
    const { headers, body } = await ask(app, path);
    const policy = String(headers["content-security-policy"]);
    const nonce = /script-src 'self' 'nonce-([\w+/=-]{16,})' 'strict-dynamic'/.exec(policy)?.[1] ?? "";
    expect(nonce, policy).not.toBe("");
    nonces.add(nonce);
    for (const part of ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-frame-options"]).toBe("DENY");
    const scripts = [...body.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
  }
  expect(nonces.size, "a nonce is used once").toBe(3);
});

test("API answers forbid sniffing, and only the list of sources contains folders", async ({ app }) => {
  const id = await sessionId(app, ENGLISH);
  for (const path of [
    "/api/sessions",
    "/api/health",
    "/api/openapi.json",
    `/api/sessions/${id}`,
    `/api/sessions/${id}/items?from=0&to=5`,
  ]) {
    const { status, headers, body } = await ask(app, path);
    expect(status, path).toBe(200);
    expect(headers["x-content-type-options"], path).toBe("nosniff");
    expect(body, path).not.toContain(app.folder);
  }
  expect((await ask(app, "/api/sources")).body).toContain(app.folder);
});
