/** The wire's types without their schemas: what the browser imports, so that zod stays out of it. */
export type * from "./contract";
