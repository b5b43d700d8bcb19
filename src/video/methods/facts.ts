/**
 * Facts that methods of one kind share. The spec of a method begins with them, adds its own, and overrides what differs.
 */

/** For a list that everybody may see: a key is enough, and a page costs one unit. */
export const readFacts = {
  verb: "GET",
  auth: "key-or-token",
  scopes: ["youtube", "youtube.force-ssl", "youtube.readonly", "youtubepartner"],
  bucket: "units",
  cost: 1,
  effect: "read",
  retry: "read",
} as const;

const written = {
  auth: "token",
  scopes: ["youtube", "youtube.force-ssl", "youtubepartner"],
  bucket: "units",
  cost: 50,
  effect: "write",
} as const;

export const insertFacts = { ...written, verb: "POST", retry: "create" } as const;
export const updateFacts = { ...written, verb: "PUT", retry: "set" } as const;
/** For a method that sets something which is no resource of its own; repeating it changes nothing. */
export const setFacts = { ...written, verb: "POST", retry: "set" } as const;
export const deleteFacts = {
  ...written,
  verb: "DELETE",
  effect: "destroy",
  retry: "delete",
} as const;

/** A token with other scopes is refused even for public comments: docs/services/youtube.md#credentials-and-scopes */
export const commentScopes = ["youtube.force-ssl"] as const;
