/**
 * Facts that methods of one kind share, in one place because most rows are of one of these kinds. A row begins with
 * them, adds what is its own, and names again what differs.
 */

/** A list of what everybody sees: a key is enough, and a page costs a unit. */
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
/** Sets something that is no resource of its own: once more changes nothing. */
export const setFacts = { ...written, verb: "POST", retry: "set" } as const;
export const deleteFacts = {
  ...written,
  verb: "DELETE",
  effect: "destroy",
  retry: "delete",
} as const;

/** The only one that comments take; a token with others is refused even for public ones (facts, section 3). */
export const commentScopes = ["youtube.force-ssl"] as const;
