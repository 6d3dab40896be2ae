"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { uploadFile } from "@/lib/api/client";
import { SESSIONS_KEY } from "./use-session-list";

export interface UploadState {
  readonly name: string;
  readonly sent: number;
  readonly total: number;
  /** The number of the file among those to send, counted from 1. */
  readonly index: number;
  readonly count: number;
}

export interface Upload {
  /** The file being sent, or the one that failed. */
  readonly state: UploadState | null;
  readonly error: Error | null;
  readonly busy: boolean;
  readonly start: (files: readonly File[]) => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
}

/** Sends files one after another. A single file is opened when it has arrived; several appear in the list. */
export function useUpload(): Upload {
  const router = useRouter();
  const client = useQueryClient();
  const [state, setState] = useState<UploadState | null>(null);
  const abort = useRef<AbortController | null>(null);

  const mutation = useMutation({
    mutationFn: async (files: readonly File[]) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      let last = "";
      for (const [position, file] of files.entries()) {
        const part = { name: file.name, total: file.size, index: position + 1, count: files.length };
        setState({ ...part, sent: 0 });
        last = (await uploadFile(file, { signal, onProgress: ({ sent }) => setState({ ...part, sent }) })).id;
      }
      return last;
    },
    onSuccess: async (_, files) => {
      if (files.length === 1) return;
      setState(null);
      await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
    onError: (error) => {
      if (isCancelled(error)) setState(null);
    },
  });

  return {
    state,
    error: mutation.error !== null && !isCancelled(mutation.error) ? mutation.error : null,
    busy: mutation.isPending,
    start: (files) => {
      if (files.length === 0 || mutation.isPending) return;
      // Only who still waits for it here is taken to it: this is not called once the list was left.
      const open = (id: string) => router.push(`/sessions/${encodeURIComponent(id)}`);
      mutation.mutate(files, files.length === 1 ? { onSuccess: open } : {});
    },
    cancel: () => abort.current?.abort(),
    dismiss: () => {
      setState(null);
      mutation.reset();
    },
  };
}

function isCancelled(error: Error): boolean {
  return error.name === "AbortError";
}
