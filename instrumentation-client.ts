import { noteNavigation } from "./app/leaving";

/** The framework calls this, by its name and in a file of this name, whenever the router sets off for an address. */
export const onRouterTransitionStart = noteNavigation;
