import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { growthPerRequest } from "@/lib/core/analysis/growth";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type BoundaryEntry, sizeAfter } from "../../shared/boundaries/entries";
import { useReplay, useSession } from "../../shared/state/stores";

/**
 * Number of requests until the context after a boundary reaches the next trigger. For a simulated boundary this is its policy's trigger; for a
 * recorded one that of the recording's own agent, else the smallest context at which the recording shows an automatic compaction. Empty if no trigger
 * is known.
 */
export function RoomLine({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary.room");
  const format = useFormat();
  const { columns, recorded, ownTrigger, observedTrigger } = useSession(
    "columns",
    "recorded",
    "ownTrigger",
    "observedTrigger",
  );
  const { threshold } = useReplay("threshold");
  const rate = useMemo(() => growthPerRequest(columns, recorded.context), [columns, recorded.context]);
  // These boundaries freed nothing.
  const isSent = sizeAfter(entry.compaction, columns) !== null;
  if (!isSent || entry.what === "refusal" || entry.what === "failure" || entry.what === "skip") return null;
  const trigger = entry.kind === "simulated" ? threshold : (ownTrigger?.tokens ?? observedTrigger);
  const room = roomLeft(entry.compaction, trigger, rate);
  if (room === undefined) return null;
  const { free, requests } = room;
  const metrics = { free: format.count(free), trigger: format.count(room.trigger) };
  return (
    <p className="mt-1 text-sm text-t2" data-testid="room-left">
      {requests === undefined || rate === undefined ? (
        t("free", metrics)
      ) : (
        <>
          {t("requests", { ...metrics, requests })}{" "}
          <span className="text-sm text-t3">{t("rate", { rate: format.count(rate) })}</span>
        </>
      )}
    </p>
  );
}

/** Free space after a boundary, up to the next compaction. */
interface RoomLeft {
  readonly trigger: number;
  /** Tokens. */
  readonly free: number;
  /** Requests that fill it at the session's rate, 1 or more; absent without a rate. */
  readonly requests: number | undefined;
}

/**
 * The free space after a boundary. Absent without a trigger, if the context is still at or above it, and if the boundary's effect
 * held for one request only.
 * @param trigger size at which the next compaction fires
 * @param rate growth of the context from one request to the next (`growthPerRequest`)
 */
export function roomLeft(
  { tokensAfter, transient }: Pick<SimulatedCompaction, "tokensAfter" | "transient">,
  trigger: number | undefined,
  rate: number | undefined,
): RoomLeft | undefined {
  if (trigger === undefined || transient === true) return undefined;
  const free = trigger - tokensAfter;
  if (free <= 0) return undefined;
  return { trigger, free, requests: rate === undefined ? undefined : Math.max(1, Math.round(free / rate)) };
}
