/** What people tick when they link a channel. */
export const permissions = ["read", "comments", "upload", "memberships"] as const;

export type Permission = (typeof permissions)[number];

/**
 * The least that each needs, without the address prefix (facts/video-api.json, oauth.scopes). Comments and captions accept
 * `youtube.force-ssl` alone, which reads and edits everything else too.
 */
const scopeOf = {
  read: "youtube.readonly",
  comments: "youtube.force-ssl",
  upload: "youtube.upload",
  memberships: "youtube.channel-memberships.creator",
} as const satisfies Record<Permission, string>;

/** In front of every scope at the service. */
const scopePrefix = "https://www.googleapis.com/auth/";

/** As the service writes them, with a space between. */
export function writeScopes(scopes: readonly string[]): string {
  return scopes.map((scope) => `${scopePrefix}${scope}`).join(" ");
}

/** Those of this service, without their prefix; what else was consented to is nothing here. */
export function readScopes(text: string): readonly string[] {
  const own = text.split(" ").filter((scope) => scope.startsWith(scopePrefix));
  return [...new Set(own.map((scope) => scope.slice(scopePrefix.length)))];
}

/** The scopes to ask for, without one that another contains. */
export function scopesFor(ticked: readonly Permission[]): readonly string[] {
  const asked = permissions.filter((permission) => ticked.includes(permission));
  const least = asked.filter((one) => one !== "read" || !asked.includes("comments"));
  return least.map((permission) => scopeOf[permission]);
}

/** What the scopes of a link amount to. */
export function permissionsOf(scopes: readonly string[]): readonly Permission[] {
  return permissions.filter((permission) => {
    const wanted: readonly string[] = [scopeOf[permission], ...(containers[permission] ?? [])];
    return scopes.some((scope) => wanted.includes(scope));
  });
}

/** Scopes that contain another one's. */
const containers: Readonly<Partial<Record<Permission, readonly string[]>>> = {
  read: ["youtube", "youtube.force-ssl"],
  upload: ["youtube", "youtube.force-ssl"],
};

/**
 * What to tick, so that a call with one of these scopes becomes possible: the least that serves. Undefined for calls
 * that no link can make.
 */
export function permissionFor(scopes: readonly string[]): Permission | undefined {
  return leastFirst.find((permission) => scopes.includes(scopeOf[permission]));
}

/** What allows the least beside it comes first. */
const leastFirst = ["read", "memberships", "upload", "comments"] as const;
