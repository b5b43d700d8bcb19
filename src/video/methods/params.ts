import type { ParamSpec } from "./spec.ts";

/** Facts of parameters that many methods share. */

export const pageToken = {
  type: "string",
  about: "opaque cursor from a previous reply",
} as const satisfies ParamSpec;

export const onBehalfOfContentOwner = {
  type: "string",
  about: "partner-only: content-owner id acted for",
} as const satisfies ParamSpec;

export const onBehalfOfContentOwnerChannel = {
  type: "string",
  about: "partner-only: channel acted for; needs onBehalfOfContentOwner",
} as const satisfies ParamSpec;
