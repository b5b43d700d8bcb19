import type { ParamSpec } from "./spec.ts";

/** Facts of parameters that many methods share. */

export const pageToken = {
  type: "string",
  about: "Where to go on, from the previous answer",
} as const satisfies ParamSpec;

export const onBehalfOfContentOwner = {
  type: "string",
  about: "Partners only: id of the content owner acted for",
} as const satisfies ParamSpec;

export const onBehalfOfContentOwnerChannel = {
  type: "string",
  about: "Partners only: channel acted for; needs onBehalfOfContentOwner",
} as const satisfies ParamSpec;
