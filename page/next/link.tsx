import type { ComponentProps } from "react";

/** Links of the pages lead to other pages, which are not here; only the way back to the start is. */
export default function Link({
  href,
  children,
  prefetch: _,
  ...rest
}: ComponentProps<"a"> & { readonly prefetch?: boolean }) {
  if (href !== "/") return <span {...(rest as ComponentProps<"span">)}>{children}</span>;
  return (
    <a {...rest} href="?">
      {children}
    </a>
  );
}
