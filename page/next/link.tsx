import type { ComponentProps } from "react";

/** Links to other pages, which do not exist here; only the link to the start works. */
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
