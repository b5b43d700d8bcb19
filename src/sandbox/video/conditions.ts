import type { Call } from "./call.ts";
import { Refusal } from "./refusal.ts";
import { hasEtag } from "./reply.ts";

/** Refuses a write whose `If-Match` names another state than the resource, as the same parts show it, is in. */
export function checkUnchanged({ ifMatch }: Call, resource: object): void {
  const { etag } = resource as { readonly etag?: string };
  if (ifMatch === undefined || etag === undefined || hasEtag(ifMatch, etag)) return;
  throw new Refusal(412, {
    reason: "conditionNotMet",
    message: "The resource was changed since its etag was read.",
    place: { location: "If-Match", locationType: "header" },
  });
}
