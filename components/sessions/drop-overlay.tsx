import { useDropzone } from "react-dropzone";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";

interface DropOverlayProps {
  readonly shown: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Covers the window while files are dragged over it, and takes dropped files and folders. */
export function DropOverlay({ shown, onFiles }: DropOverlayProps) {
  const t = useTranslations("sessions.drop");
  const { getRootProps } = useDropzone({ noClick: true, noKeyboard: true, onDropAccepted: onFiles });
  return (
    <div
      {...getRootProps()}
      role="presentation"
      className={cn(
        "fixed inset-0 z-50 grid place-items-center bg-bg/85 shadow-[inset_0_0_0_2px_var(--accent)]",
        !shown && "hidden",
      )}
    >
      <div className="pointer-events-none text-center">
        <p className="text-xl font-semibold">{t("over")}</p>
        <p className="text-t2">{t("overNote")}</p>
      </div>
    </div>
  );
}
