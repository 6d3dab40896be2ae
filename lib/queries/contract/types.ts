/** The wire's types without their schemas: the browser imports these, so that it does not load zod. */
export type * from "./schemas";
export type * from "./shapes";
