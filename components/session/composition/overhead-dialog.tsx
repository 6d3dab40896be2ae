import { type Query, type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Layers, Trash2 } from "lucide-react";
import { type ChangeEvent, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { ask, request } from "@/lib/queries/client/client";
import type { ProfileChoice, StoredProfile } from "@/lib/queries/contract/types";
import { useSession } from "../shared/state/stores";

const SCOPES = ["session", "project", "agent"] as const;
type Scope = ProfileChoice["scope"];

/** Sources of the overhead's sizes, and the context profiles that can supply them. */
export function OverheadDialog() {
  const t = useTranslations("session.overhead");
  const { given } = useSession("given");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <DialogTrigger asChild>
          <Button>
            <Layers aria-hidden />
            {t("open")}
          </Button>
        </DialogTrigger>
        <span className="min-w-0 truncate text-sm text-t2" data-testid="overhead-source">
          {given.source === "report"
            ? t("reported")
            : given.profile === null
              ? t("inferred")
              : t("chosen", { name: given.profile.name })}
        </span>
      </span>
      <DialogContent>
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription>{t("about")}</DialogDescription>
        {open && <Profiles />}
      </DialogContent>
    </Dialog>
  );
}

/** The saved profiles, the scope in which each applies, and a form for a new one. */
function Profiles() {
  const t = useTranslations("session.overhead");
  const errorText = useErrorText();
  const { id, summary, columns, given } = useSession("id", "summary", "columns", "given");
  const [scope, setScope] = useState<Scope>(given.profile?.scope ?? "session");
  const profiles = useQuery({ queryKey: ["profiles"], queryFn: ({ signal }) => ask("profiles", {}, signal) });
  const client = useQueryClient();
  const changed = () => profilesChanged(client);
  const choose = useMutation({
    mutationFn: (profile: string | null) => request("chooseProfile", { id, body: { scope, profile } }),
    onSuccess: changed,
  });
  const remove = useMutation({
    mutationFn: (profile: string) => request("removeProfile", { id: profile }),
    onSuccess: changed,
  });
  const keep = useMutation({
    mutationFn: () => ask("addProfile", { body: { name: summary.title ?? summary.file, session: id } }),
    onSuccess: changed,
  });
  const scopes = SCOPES.filter((one) => one === "session" || summary[one] !== null);
  const failed = choose.error ?? remove.error ?? keep.error ?? profiles.error;
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2 text-sm">
        <span className="text-t2">{t("scope")}</span>
        <Choice
          label={t("scope")}
          value={scope}
          options={scopes.map((one) => [one, t(`scopes.${one}`)])}
          onChange={setScope}
        />
      </div>
      <ul className="mt-2 border-t border-line" data-testid="profiles">
        <ProfileLine name={t("none")} chosen={given.profile === null} onChoose={() => choose.mutate(null)} />
        {(profiles.data?.profiles ?? []).map((profile) => (
          <ProfileLine
            key={profile.id}
            name={profile.name}
            chosen={given.profile?.id === profile.id}
            scope={given.profile?.id === profile.id ? given.profile.scope : undefined}
            onChoose={() => choose.mutate(profile.id)}
            onRemove={() => remove.mutate(profile.id)}
          />
        ))}
      </ul>
      {failed !== null && (
        <p role="alert" className="mt-2 text-sm text-danger [overflow-wrap:anywhere]">
          {errorText(failed)}
        </p>
      )}
      {columns.overheadRows > 1 && (
        <Button className="mt-3" onClick={() => keep.mutate()} disabled={keep.isPending}>
          {t("keep")}
        </Button>
      )}
      <NewProfile onAdded={(profile) => choose.mutate(profile.id)} />
    </>
  );
}

interface ProfileLineProps {
  readonly name: string;
  readonly chosen: boolean;
  readonly scope?: Scope | undefined;
  readonly onChoose: () => void;
  readonly onRemove?: () => void;
}

function ProfileLine({ name, chosen, scope, onChoose, onRemove }: ProfileLineProps) {
  const t = useTranslations("session.overhead");
  return (
    <li className="flex min-h-9 items-center gap-2 border-b border-line">
      <span className="min-w-0 grow truncate" title={name}>
        {name}
        {scope !== undefined && <span className="ml-2 text-sm text-t2">{t(`scopes.${scope}`)}</span>}
      </span>
      <Button aria-pressed={chosen} onClick={onChoose} className="aria-pressed:bg-sunk">
        {chosen ? t("inForce") : t("use")}
      </Button>
      {onRemove !== undefined && (
        <Button variant="ghost" size="icon" aria-label={t("remove", { name })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      )}
    </li>
  );
}

const EXAMPLE = `{
  "systemPrompt": 4500,
  "tools": [{ "name": "read_file", "schema": {} }],
  "memoryFiles": [{ "path": "AGENTS.md", "content": "…" }],
  "skills": [{ "name": "pdf", "description": "…" }]
}`;

/** Reads a context profile from JSON, pasted or from a file, and reports its errors field by field. */
function NewProfile({ onAdded }: { readonly onAdded: (profile: StoredProfile) => void }) {
  const t = useTranslations("session.overhead");
  const errorText = useErrorText();
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [notJson, setNotJson] = useState(false);
  const field = useId();
  const save = useMutation({
    mutationFn: (profile: unknown) => ask("addProfile", { body: { name: name.trim() || t("untitled"), profile } }),
    onSuccess: (profile) => {
      setName("");
      setText("");
      onAdded(profile);
    },
  });
  const submit = (): void => {
    const profile = parsed(text);
    setNotJson(profile === undefined);
    if (profile !== undefined) save.mutate(profile);
  };
  const load = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (file === undefined) return;
    setText(await file.text());
    setName((before) => before || file.name.replace(/\.json$/i, ""));
  };
  return (
    <form
      className="mt-4 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3 className="font-semibold">{t("new")}</h3>
      <Input
        aria-label={t("name")}
        placeholder={t("name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <label htmlFor={field} className="text-sm text-t2">
        {t("json")}
      </label>
      <textarea
        id={field}
        rows={8}
        spellCheck={false}
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="w-full rounded-md border border-line2 bg-bg p-2 font-mono text-sm placeholder:text-t3"
      />
      {(notJson || save.isError) && (
        <p role="alert" className="text-sm text-danger [overflow-wrap:anywhere]">
          {notJson ? t("notJson") : errorText(save.error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={text.trim() === "" || save.isPending}>
          {t("save")}
        </Button>
        <Button asChild>
          <label className="cursor-pointer focus-within:outline-2">
            {t("load")}
            <input
              type="file"
              accept=".json,application/json"
              className="sr-only"
              onChange={(event) => void load(event)}
            />
          </label>
        </Button>
      </div>
    </form>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A text that is not JSON gets its error message next to the field.
  }
}

/** Kinds of queries whose answers depend on the overhead or window of the context profile; the session's facts have no kind. */
const WITH_PROFILE: ReadonlySet<unknown> = new Set([
  undefined,
  ...["boundary", "export", "fidelity", "ledger", "overhead", "report", "summary"],
]);

/** Invalidates every answer that depends on context profiles, of all sessions: a profile may apply to a project or an agent. */
export function profilesChanged(client: QueryClient): Promise<void> {
  const predicate = ({ queryKey: [what, , kind] }: Query) =>
    what === "profiles" || what === "compared" || (what === "session" && WITH_PROFILE.has(kind));
  return client.invalidateQueries({ predicate });
}
