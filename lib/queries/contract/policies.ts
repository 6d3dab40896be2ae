import { z } from "zod";

/** A policy of one's own as it is in its file: its code, which nobody has run. */
export const ownPolicySource = z.object({ id: z.string(), file: z.string(), text: z.string() });

/** `GET /api/policies`: the policies of one's own. */
export const ownPoliciesAnswer = z.object({ policies: z.array(ownPolicySource) });

export type OwnPoliciesAnswer = z.infer<typeof ownPoliciesAnswer>;
