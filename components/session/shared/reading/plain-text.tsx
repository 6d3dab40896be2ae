/** A text as a person reads it before its Markdown is shown. */
export function PlainText({ text }: { readonly text: string }) {
  return <p className="max-w-[80ch] break-words whitespace-pre-wrap">{text}</p>;
}
