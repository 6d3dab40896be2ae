import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Path of Debian's package. Playwright drives only a Firefox of its own build. */
const PROGRAM = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";
const START_MS = 60_000;

/** Reason for the lack of a Firefox; `undefined` if there is one. */
export const noFirefox = existsSync(PROGRAM)
  ? undefined
  : `${PROGRAM} is not there: install Debian's firefox-esr, or name one by FIREFOX_PATH`;

/** A page in its own Firefox. */
export interface FirefoxPage {
  readonly goto: (url: string) => Promise<void>;
  /** Gives a file to a file field, as a user does by the dialog. */
  readonly choose: (selector: string, path: string) => Promise<void>;
  /** Runs the body of a function in the page. Its answer is JSON. */
  readonly run: (body: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Starts Firefox without a window, and drives it by Marionette, its own protocol: messages are JSON with a length prefix. */
export async function startFirefox(): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), "context-replay-firefox-"));
  // The system chooses a port, and Firefox writes down which.
  writeFileSync(join(profile, "user.js"), 'user_pref("marionette.port", 0);\n');
  const program = spawn(PROGRAM, ["--headless", "--marionette", "--no-remote", "--profile", profile], {
    stdio: "ignore",
    env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: profile, LANG: "en_GB.UTF-8" },
  });
  const stop = async () => {
    if (program.exitCode === null && program.signalCode === null) {
      const ended = once(program, "exit");
      program.kill("SIGKILL");
      await ended;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const marionette = new Marionette(await connected(profile));
    await marionette.ask("WebDriver:NewSession", { capabilities: { alwaysMatch: {} } });
    // An element is awaited.
    await marionette.ask("WebDriver:SetTimeouts", { implicit: 20_000 });
    return {
      goto: async (url) => void (await marionette.ask("WebDriver:Navigate", { url })),
      choose: async (selector, path) => {
        const found = await marionette.ask("WebDriver:FindElement", { using: "css selector", value: selector });
        const [id] = Object.values((found as { readonly value: Readonly<Record<string, string>> }).value);
        await marionette.ask("WebDriver:ElementSendKeys", { id, text: path });
      },
      run: async (script) =>
        ((await marionette.ask("WebDriver:ExecuteScript", { script, args: [] })) as { readonly value: unknown }).value,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connected(profile: string): Promise<Socket> {
  const file = join(profile, "MarionetteActivePort");
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    const port = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (port === 0) continue;
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  }
  throw new Error(`Firefox did not say within ${START_MS} ms where it listens.`);
}

class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: readonly [error: unknown, value: unknown]) => void>();
  #received: Buffer = Buffer.alloc(0);
  #last = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => this.#take(bytes));
    socket.on("error", () => undefined);
  }

  async ask(command: string, parameters: object): Promise<unknown> {
    const id = ++this.#last;
    const answered = new Promise<readonly [unknown, unknown]>((resolve) => this.#waiting.set(id, resolve));
    const message = JSON.stringify([0, id, command, parameters]);
    this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [error, value] = await answered;
    if (error !== null) throw new Error(`${command}: ${JSON.stringify(error)}`);
    return value;
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const colon = this.#received.indexOf(":");
      const length = Number(this.#received.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || this.#received.length < colon + 1 + length) return;
      const message: unknown = JSON.parse(this.#received.subarray(colon + 1, colon + 1 + length).toString());
      this.#received = this.#received.subarray(colon + 1 + length);
      // The first message is a greeting; answers are [1, id, error, value].
      if (!Array.isArray(message)) continue;
      const [, id, error, value] = message;
      this.#waiting.get(id)?.([error, value]);
      this.#waiting.delete(id);
    }
  }
}
