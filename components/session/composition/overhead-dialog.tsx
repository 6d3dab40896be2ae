import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Layers, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { addProfile, chooseProfile, deleteProfile, listProfiles } from "@/lib/api/client";
import type { ProfileChoice } from "@/lib/api/types";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";
import { NewProfile } from "./new-profile";
import { profilesChanged } from "./profiles-changed";

const SCOPES = ["session", "project", "agent"] as const;
type Scope = ProfileChoice["scope"];

/** Where the overhead's sizes come from, and the context profiles that can supply them. */
export function OverheadDialog() {
  const t = useTranslations("session.overhead");
  const { given } = useRecorded();
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

/** The saved profiles, which of them is in force for what, and a form for a new one. */
function Profiles() {
  const t = useTranslations("session.overhead");
  const errorText = useErrorText();
  const { id, summary, columns } = useSession();
  const { given } = useRecorded();
  const [scope, setScope] = useState<Scope>(given.profile?.scope ?? "session");
  const profiles = useQuery({ queryKey: ["profiles"], queryFn: ({ signal }) => listProfiles(signal) });
  const client = useQueryClient();
  const changed = () => profilesChanged(client);
  const choose = useMutation({
    mutationFn: (profile: string | null) => chooseProfile(id, { scope, profile }),
    onSuccess: changed,
  });
  const remove = useMutation({ mutationFn: deleteProfile, onSuccess: changed });
  const keep = useMutation({
    mutationFn: () => addProfile(summary.title ?? summary.file, { session: id }),
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
