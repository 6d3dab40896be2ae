import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useSettled } from "@/components/hooks/use-settled";
import { agentName } from "@/lib/agents/names";
import { listSessions } from "@/lib/api/client";
import { isServed } from "@/lib/api/transport";
import type { PaletteEntry } from "./entries";

/** How many sessions are listed; the way to all others stands below them. */
const SESSIONS = 8;
const PAUSE_MS = 120;

/** The sessions that a query finds, asked of the server when the typing pauses; without a query those that ended last. */
export function useSessionEntries(query: string): {
  readonly entries: readonly PaletteEntry[];
  readonly pending: boolean;
} {
  const t = useTranslations("common.palette");
  const wanted = query.trim();
  const asked = useSettled(wanted, PAUSE_MS);
  const { data, isFetching } = useQuery({
    queryKey: ["sessions", "palette", asked],
    queryFn: ({ signal }) => listSessions({ limit: SESSIONS, ...(asked !== "" && { q: asked }) }, signal),
    enabled: isServed(),
  });
  // What an earlier query found is not shown: Enter would open it.
  const found = asked === wanted ? (data?.sessions ?? []) : [];
  const sessions = found.map(({ id, title, name, agent, project }): PaletteEntry => {
    const known = [agentName(agent)?.label, project?.split("/").at(-1)].filter((part) => part !== undefined);
    return {
      id: `session ${id}`,
      group: "session",
      title: title ?? name,
      hint: known.join(" · "),
      action: { href: `/sessions/${id}` },
    };
  });
  const all: PaletteEntry = {
    id: "session list",
    group: "session",
    title: t("searchList", { query: wanted }),
    action: { href: `/?${new URLSearchParams({ q: wanted })}` },
  };
  return {
    entries: wanted === "" || !isServed() ? sessions : [...sessions, all],
    pending: isFetching || asked !== wanted,
  };
}
