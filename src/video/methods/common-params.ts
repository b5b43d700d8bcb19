import type { ParamSpec } from "./spec.ts";

/**
 * What every method takes beside its own parameters. Credentials, the upload protocol and the answer's format are the
 * client's own to choose.
 */
export const commonParams = {
  fields: {
    type: "string",
    about: "Which fields to answer with, like items(id,snippet/title),nextPageToken",
  },
  quotaUser: {
    type: "string",
    about: "Whom the service counts the call to",
    maxChars: 40,
  },
} as const satisfies Readonly<Record<string, ParamSpec>>;
