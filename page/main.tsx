import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/react";
import { useCallback, useState } from "react";
import { createRoot } from "react-dom/client";
import { useDropzone } from "react-dropzone";
import { IntlProvider, useTranslations } from "use-intl";
import { pickLocale } from "@/app/i18n/locales";
import { MESSAGES } from "@/app/i18n/messages";
import { SessionScreen } from "@/components/session/session-screen";
import { Button } from "@/components/ui/button";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import { answerWithin, type Transport } from "@/lib/queries/client/client";
import type { TimeLimit } from "./node/vm";
import { unpackedUrl } from "./unpacked";
import type { FromWorker, ToWorker } from "./worker";

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
/** A query, or a file, as it is sent to the worker. */
type Asked = WithoutId<ToWorker>;

/** Maximum time in ms of a step that only this page can end, whatever limit the worker sets. */
const MAX_MS = 10_000;

/**
 * The worker that reads files and answers. If a step does not return, the worker is terminated: pending queries get an error, and a new worker gets
 * all files except the one that was being read.
 */
class WatchedWorker {
  readonly #start: () => Promise<Worker>;
  readonly #mostMs: number;
  readonly #files = new Map<string, File>();
  readonly #waiting = new Map<number, { readonly asked: Asked; readonly resolve: (message: FromWorker) => void }>();
  #last = 0;
  #running: Promise<Worker> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param start makes the worker */
  constructor(start: () => Promise<Worker>, mostMs = MAX_MS) {
    this.#start = start;
    this.#mostMs = mostMs;
  }

  ask(asked: Asked): Promise<FromWorker> {
    if ("file" in asked) this.#files.set(asked.file.name, asked.file);
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, { asked, resolve });
      void this.#worker().then((worker) => worker.postMessage({ id, ...asked } satisfies ToWorker));
    });
  }

  #worker(): Promise<Worker> {
    this.#running ??= this.#start().then((worker) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker | TimeLimit>) => {
        if ("within" in data) this.#watch(worker, data.within);
        else this.#answer(data);
      });
      return worker;
    });
    return this.#running;
  }

  #answer(message: FromWorker): void {
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }

  #watch(worker: Worker, within: number | null): void {
    clearTimeout(this.#timer);
    if (within !== null) this.#timer = setTimeout(() => this.#end(worker), Math.min(within, this.#mostMs));
  }

  /** Terminates a worker at an endless step. */
  #end(worker: Worker): void {
    worker.terminate();
    this.#running = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    const names = new Set(waiting.flatMap(([, { asked }]) => nameOf(asked)));
    for (const name of names) this.#files.delete(name);
    // A new worker has none of the files.
    for (const file of this.#files.values()) void this.ask({ file });
    const seconds = this.#mostMs / 1000;
    for (const [id, { asked, resolve }] of waiting) {
      const [name = "The file"] = nameOf(asked);
      resolve(refusal(id, `${name} is damaged: unpacking it took longer than ${seconds} s, and was stopped.`));
    }
  }
}

/** The file of a query. */
function nameOf(asked: Asked): readonly string[] {
  if ("file" in asked) return [asked.file.name];
  const [, id] = /^\/api\/sessions\/([^/?]+)/.exec(asked.path) ?? [];
  return id === undefined ? [] : [decodeURIComponent(id)];
}

function refusal(id: number, detail: string): FromWorker {
  const problem = { type: "about:blank", title: "Not possible", status: 422, detail };
  const body = new TextEncoder().encode(JSON.stringify(problem));
  return { id, status: 422, headers: { "Content-Type": "application/problem+json" }, body };
}

/** The worker that reads files and answers, made from this page's own text: no request leaves the page. */
const worker = new WatchedWorker(async () => new Worker(await unpackedUrl("worker")));

/** Passes a file to it; the promise gives the id of its session. */
async function handOver(file: File): Promise<string> {
  const { body } = await worker.ask({ file });
  return (JSON.parse(new TextDecoder().decode(body)) as { readonly id: string }).id; // The worker's own answer.
}

/** Sends a query to the worker. */
const answerLocally: Transport = async (path, { method = "GET", body }) => {
  const answer = await worker.ask({ path, method, body: typeof body === "string" ? body : null });
  const hasBody = answer.status !== 204;
  return new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers });
};

answerWithin(answerLocally);
const locale = pickLocale(undefined, navigator.languages.join(","));
document.documentElement.lang = locale;
const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, refetchOnWindowFocus: false, retry: false } },
});
const timeZone = ownTimeZone();
const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <ThemeProvider attribute="class" disableTransitionOnChange>
      <IntlProvider locale={locale} messages={MESSAGES[locale]} timeZone={timeZone}>
        <QueryClientProvider client={client}>
          <NuqsAdapter>
            <Start />
          </NuqsAdapter>
        </QueryClientProvider>
      </IntlProvider>
    </ThemeProvider>,
  );

/** Takes a recording or a bundle by drop or from a dialog, and shows its session. Another one may be dropped at any time. */
function Start() {
  const t = useTranslations("common.page");
  const [id, setId] = useState<string>();
  const onDrop = useCallback(async ([file]: File[]) => {
    if (file !== undefined) setId(await handOver(file));
  }, []);
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    onDrop,
    multiple: false,
    noClick: true,
    noKeyboard: true,
  });
  return (
    <div {...getRootProps()} className="flex min-h-dvh flex-col">
      <input {...getInputProps()} aria-label={t("choose")} />
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
        <span className="font-semibold">{t("product")}</span>
        <span className="grow truncate text-sm text-t2">{t("local")}</span>
        {id !== undefined && <Button onClick={open}>{t("another")}</Button>}
      </header>
      {id === undefined ? (
        <main id="content" className={`grid grow place-items-center p-6 ${isDragActive ? "bg-sunk" : ""}`}>
          <div className="max-w-xl text-center">
            <h1 className="text-lg font-semibold">{t("title")}</h1>
            <p className="mt-2 text-t2">{t("body")}</p>
            <Button variant="primary" className="mt-4" onClick={open}>
              {t("choose")}
            </Button>
          </div>
        </main>
      ) : (
        <SessionScreen key={id} id={id} />
      )}
    </div>
  );
}
