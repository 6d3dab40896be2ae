/** The parts of the router that the components of a session use. */
export function useRouter() {
  return { push: () => undefined, replace: () => undefined, refresh: () => undefined };
}
export function usePathname(): string {
  return "/";
}
export function useSearchParams(): URLSearchParams {
  return new URLSearchParams(window.location.search);
}
