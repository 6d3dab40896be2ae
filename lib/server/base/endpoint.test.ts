import { describe, expect, it } from "vitest";
import type { EndpointChoice } from "./endpoint";
import { endpointOf, endpointWire, keyOf, silenceOf } from "./endpoint";

const at = (url: string, protocol?: EndpointChoice["protocol"]) => endpointOf({ url, model: "m", protocol });

describe("an endpoint's address", () => {
  it.each([
    ["https://api.anthropic.com/v1/messages", undefined, "https://api.anthropic.com/v1/messages", "messages"],
    ["https://api.anthropic.com", "messages", "https://api.anthropic.com/v1/messages", "messages"],
    ["http://localhost:11434", undefined, "http://localhost:11434/v1/chat/completions", "chat"],
    ["http://localhost:11434/v1/", undefined, "http://localhost:11434/v1/chat/completions", "chat"],
    ["https://x.example/a?api-version=2", undefined, "https://x.example/a/chat/completions?api-version=2", "chat"],
    ["https://x.example/v1/chat/completions", undefined, "https://x.example/v1/chat/completions", "chat"],
  ] as const)("%s with protocol %s resolves to %s", (url, protocol, whole, spoken) => {
    const endpoint = at(url, protocol);
    expect([endpoint.url.href, endpoint.protocol]).toEqual([whole, spoken]);
  });

  it.each([
    "ftp://x.example/",
    "x.example",
    "",
    "file:///etc/passwd",
    "https://me:hidden@x.example/v1",
    "https://x.example/v1?api_key=hidden",
    "https://x.example/v1?access_TOKEN=hidden",
  ])("%s is rejected with a message that does not repeat it", (url) => {
    expect(() => at(url)).toThrow("The summarizer");
    expect(() => at(url)).not.toThrow("hidden");
  });

  it("is shown without its query parameters and without the key", () => {
    const env = { CONTEXT_REPLAY_SUMMARIZER_KEY: "k-1" };
    expect(endpointWire(at("http://x.example:81/v1?api-version=2"), env)).toEqual({
      host: "x.example:81",
      address: "http://x.example:81/v1/chat/completions",
      model: "m",
      protocol: "chat",
      encrypted: false,
      hasKey: true,
    });
  });
});

describe("an API key", () => {
  const env = { OPENAI_API_KEY: "open", ANTHROPIC_API_KEY: "anthropic" };

  it("of a provider is sent to that provider only, and only over HTTPS", () => {
    expect(keyOf(at("https://api.openai.com/v1"), env)).toBe("open");
    expect(keyOf(at("https://api.anthropic.com/v1/messages"), env)).toBe("anthropic");
    expect(keyOf(at("http://api.openai.com/v1"), env)).toBeUndefined();
    expect(keyOf(at("https://api.openai.com.example/v1"), env)).toBeUndefined();
    expect(keyOf(at("http://localhost:11434"), env)).toBeUndefined();
  });

  it("of the summarizer is sent to any endpoint", () => {
    const own = { ...env, CONTEXT_REPLAY_SUMMARIZER_KEY: " own\n" };
    expect(keyOf(at("https://api.openai.com/v1"), own)).toBe("own");
    expect(keyOf(at("http://localhost:11434"), own)).toBe("own");
  });
});

it("a key with a line break is rejected with a message that does not repeat it", () => {
  const wrong = () => keyOf(at("http://localhost"), { CONTEXT_REPLAY_SUMMARIZER_KEY: "hidden\nline" });
  expect(wrong).toThrow("has a character that no key has");
  expect(wrong).not.toThrow("hidden");
});

it("the timeout is a positive number of seconds, else the default", () => {
  const limit = (value: string) => silenceOf({ CONTEXT_REPLAY_SUMMARIZER_TIMEOUT: value });
  expect([limit("2.5"), limit(""), limit("-1"), limit("soon"), limit("Infinity")]).toEqual([
    2500,
    ...Array(4).fill(300_000),
  ]);
});
