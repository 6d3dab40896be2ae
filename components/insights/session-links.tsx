import Link from "next/link";
import { sessionHref } from "@/components/sessions/relation";

/** Sessions by the beginnings of their ids, which open them, each with a remark. */
export function SessionLinks({ sessions }: { readonly sessions: readonly (readonly [id: string, remark: string])[] }) {
  return (
    <ul className="mt-1 flex max-h-40 flex-wrap gap-x-3 gap-y-0.5 overflow-y-auto">
      {sessions.map(([id, remark]) => (
        <li key={id}>
          <Link href={sessionHref(id)} prefetch={false} className="underline underline-offset-2">
            {id.slice(0, 8)}
          </Link>
          {remark !== "" && <span className="text-t3"> {remark}</span>}
        </li>
      ))}
    </ul>
  );
}
