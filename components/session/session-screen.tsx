"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { lazy, Suspense, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useTitle } from "@/components/format/use-title";
import { useArrival } from "@/components/hooks/use-arrival";
import { useErrorText } from "@/components/hooks/use-error-text";
import { PaletteKey } from "@/components/palette/palette-key";
import { useOwnPolicies } from "@/components/settings/own-policies";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/status";
import { isLoaded, loadAgents } from "@/lib/agents/policies";
import { CodecError } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { shownTitle } from "@/lib/core/transcript/title";
import { ApiError } from "@/lib/queries/client/api-error";
import { ask } from "@/lib/queries/client/client";
import { SessionHeader } from "./session-header";
import { SessionSkeleton } from "./session-skeleton";
import { SessionView } from "./session-view";
import { columnsKey, loadColumns } from "./shared/state/held-columns";
import { SessionStores, type StoresRef } from "./shared/state/stores";
import { REPLAY_PARSERS, VIEW_PARSERS } from "./shared/state/url-state";
import { useLive } from "./use-live";

const FormatChoice = lazy(async () => ({ default: (await import("./format-choice")).FormatChoice }));
const PagePalette = lazy(async () => ({ default: (await import("@/components/palette/page-palette")).PagePalette }));

/** Loads a session's facts and its columns at the same time, and follows its file. The page shows each as soon as it arrives. */
export function SessionScreen({ id }: { readonly id: string }) {
  const facts = useQuery({
    queryKey: ["session", id],
    queryFn: ({ signal }) => ask("session", { id }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const columns = useQuery({
    queryKey: columnsKey(id),
    queryFn: ({ signal }) => loadColumns(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const t = useTranslations("session.fileState");
  const own = useOwnPolicies();
  const file = useLive(id);
  const live = file === "live";
  const written = useTitle();
  const known = facts.data?.summary.title ?? facts.data?.name;
  const title = known && written(shownTitle(known));
  useDocumentTitle(title);
  const agents = useNeededAgents(facts.data?.summary.agent);
  const error = facts.error ?? columns.error ?? agents.error;
  const isLoaded = agents.isReady && own.isReady;
  const [tab] = useQueryState("tab", VIEW_PARSERS.tab);
  const page = useRef<HTMLElement>(null);
  const stores = useRef<StoresRef["current"]>(null);
  const [costPlace, setCostPlace] = useState<HTMLElement | null>(null);
  useArrival(page, title !== undefined || error !== null);
  const held = error === null && facts.data !== undefined && isLoaded ? columns.data : undefined;
  const hasMessages = held !== undefined && !isEmpty(held.columns);
  const retry = (): void => {
    if (facts.isError) void facts.refetch();
    if (columns.isError) void columns.refetch();
    if (agents.error !== null) agents.retry();
  };
  return (
    <main
      ref={page}
      id="content"
      tabIndex={-1}
      aria-label={title}
      className="flex min-h-0 grow flex-col max-lg:overflow-y-auto"
    >
      {!hasMessages && <PaletteKey palette={PagePalette} />}
      {/* The same header during and after loading: dialogs opened from it stay open. */}
      {error === null && facts.data !== undefined && (
        <SessionHeader
          answer={facts.data}
          live={live}
          stores={stores}
          costPlace={held === undefined || hasMessages ? setCostPlace : undefined}
        />
      )}
      {error === null && (file === "removed" || file === "unreachable") && (
        <p role="alert" className="border-b border-line bg-sunk px-4 py-1 text-sm">
          {t(file)}
        </p>
      )}
      {error !== null ? (
        <Failure id={id} error={error} onRetry={retry} />
      ) : facts.data === undefined || held === undefined ? (
        <SessionSkeleton tab={tab} isKnown={facts.data !== undefined} />
      ) : !hasMessages ? (
        <Empty />
      ) : (
        <SessionStores key={id} id={id} answer={facts.data} held={held} live={live} shown={stores}>
          <SessionView costPlace={costPlace} />
        </SessionStores>
      )}
    </main>
  );
}

/** True if the columns hold only inferred overhead: no message was ever sent. */
function isEmpty(columns: SessionColumns): boolean {
  return columns.length <= columns.overheadRows && columns.requests.length === 0;
}

interface FailureProps {
  readonly id: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** The failed request, its reason, and possible next steps. */
function Failure({ id, error, onRetry }: FailureProps) {
  const t = useTranslations("session.failure");
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  const missing = error instanceof ApiError && error.status === 404;
  const newer = error instanceof CodecError;
  const formats = error instanceof ApiError ? error.formats : [];
  return (
    <Notice
      role="alert"
      heading="h1"
      title={missing ? t("missingTitle") : t("title")}
      body={missing ? t("missingBody") : newer ? t("newer") : errorText(error)}
    >
      {/* Another try reads the same file: only another format can help. */}
      {!missing && formats.length === 0 && (
        <Button variant="primary" onClick={onRetry}>
          {action("retry")}
        </Button>
      )}
      <Button asChild>
        <Link href="/">{action("toSessions")}</Link>
      </Button>
      {formats.length > 0 && (
        <Suspense>
          <FormatChoice id={id} formats={formats} />
        </Suspense>
      )}
    </Notice>
  );
}

/** A session without messages: its header, and the way back. */
function Empty() {
  const t = useTranslations("session.empty");
  const action = useTranslations("common.action");
  return (
    <Notice title={t("title")} body={t("body")}>
      <Button asChild>
        <Link href="/">{action("toSessions")}</Link>
      </Button>
    </Notice>
  );
}

/** Sets the document's title to the session's, and again whenever the page's own title replaces it, such as after a change of language. */
function useDocumentTitle(title: string | undefined): void {
  const product = useTranslations("common")("product");
  useLayoutEffect(() => {
    if (title === undefined) return;
    // White space in a read title may differ from the written one.
    let read: string | undefined;
    const put = () => {
      if (document.title === read) return;
      document.title = `${title} · ${product}`;
      read = document.title;
    };
    put();
    const observer = new MutationObserver(put);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title, product]);
}

/** State of the agent profiles that a session needs. */
interface NeededAgents {
  readonly isReady: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * Loads the profiles of the agent that wrote a session, and of the agent of the policy in the address.
 * @param agent `undefined` until it is known; `null` if the session belongs to none
 */
function useNeededAgents(agent: string | null | undefined): NeededAgents {
  const [policy] = useQueryState("policy", REPLAY_PARSERS.policy);
  const missing = [agent, policy].filter((id) => id !== null && id !== undefined).filter((id) => !isLoaded(id));
  // Reading `isSuccess` makes the page render again when they arrive.
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ["agents", ...missing],
    queryFn: () => loadAgents(missing).then(() => true),
    enabled: missing.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { isReady: agent !== undefined && (missing.length === 0 || isSuccess), error, retry: () => void refetch() };
}
