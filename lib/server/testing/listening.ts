import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterAll, beforeAll } from "vitest";

/** A server on this machine for the tests of one file. Returns a function that gives its port. */
export function listening(listener: RequestListener): () => number {
  const server = createServer(listener);
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => server.close());
  return () => {
    const address = server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  };
}
