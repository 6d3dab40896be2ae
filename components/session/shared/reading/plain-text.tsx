/** A text shown plainly until its Markdown is rendered. */
export function PlainText({ text }: { readonly text: string }) {
  return <p className="max-w-[80ch] break-words whitespace-pre-wrap">{text}</p>;
}
