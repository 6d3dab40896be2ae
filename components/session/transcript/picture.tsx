import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { picturePath } from "@/lib/api/client";
import { isServed } from "@/lib/api/transport";
import { useSession } from "../state/session-data";

/** A picture out of the recording, loaded once it comes into sight. */
export function Picture({ item }: { readonly item: number }) {
  const t = useTranslations("session.reading");
  const format = useFormat();
  const { id, version, columns } = useSession();
  const [hasFailed, setFailed] = useState(false);
  const size = format.bytes(columns.bytes[item] ?? 0);
  // Nobody answers its address there.
  if (!isServed()) return <p className="text-sm text-t3">{t("pictureNotHere", { size })}</p>;
  if (hasFailed) return <p className="text-sm text-t3">{t("noPicture", { size })}</p>;
  return (
    // biome-ignore lint/performance/noImgElement: it comes from the recording as it is
    <img
      src={picturePath(id, item, version)}
      alt={t("pictureOf", { size })}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
      className="max-h-120 min-h-10 max-w-full rounded-md border border-line bg-sunk object-contain"
    />
  );
}
