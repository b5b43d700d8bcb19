/** What people tick when they link a channel. */
export const linkPermissions = ["read", "comments", "upload", "memberships"] as const;

export type Permission = (typeof linkPermissions)[number];

/**
 * The smallest scope that each needs, without the address prefix. Comments and captions accept `youtube.force-ssl` alone,
 * which reads and edits everything else too: docs/services/youtube.md#credentials-and-scopes
 */
const scopeOf = {
  read: "youtube.readonly",
  comments: "youtube.force-ssl",
  upload: "youtube.upload",
  memberships: "youtube.channel-memberships.creator",
} as const satisfies Record<Permission, string>;

const scopePrefix = "https://www.googleapis.com/auth/";

/** Scopes as Google writes them, separated by spaces. */
export function formatScopes(scopes: readonly string[]): string {
  return scopes.map((scope) => `${scopePrefix}${scope}`).join(" ");
}

/** The scopes of this service without their prefix; others are ignored. */
export function parseScopes(text: string): readonly string[] {
  const own = text.split(" ").filter((scope) => scope.startsWith(scopePrefix));
  return [...new Set(own.map((scope) => scope.slice(scopePrefix.length)))];
}

/** The scopes to ask for, without one that another contains. */
export function scopesFor(ticked: readonly Permission[]): readonly string[] {
  const asked = linkPermissions.filter((permission) => ticked.includes(permission));
  const least = asked.filter((one) => one === "comments" || !isIncluded(one, asked));
  return least.map((permission) => scopeOf[permission]);
}

/** Whether a permission comes with running the channel, whose scope is the broadest. */
export function isIncluded(one: Permission, among: readonly Permission[]): boolean {
  return among.includes("comments") && (one === "read" || one === "upload");
}

/** The permissions that a link's scopes give. */
export function permissionsGivenBy(scopes: readonly string[]): readonly Permission[] {
  return linkPermissions.filter((permission) => {
    const wanted: readonly string[] = [scopeOf[permission], ...(containers[permission] ?? [])];
    return scopes.some((scope) => wanted.includes(scope));
  });
}

/** Larger scopes that contain a permission's own scope. */
const containers: Readonly<Partial<Record<Permission, readonly string[]>>> = {
  read: ["youtube", "youtube.force-ssl"],
  upload: ["youtube", "youtube.force-ssl"],
};

/**
 * The smallest permission with which a call that needs one of these scopes becomes possible. Undefined for calls that no link
 * can make.
 */
export function permissionFor(scopes: readonly string[]): Permission | undefined {
  return leastFirst.find((permission) => scopes.includes(scopeOf[permission]));
}

/** The permission that also allows the fewest other things comes first. */
const leastFirst = ["read", "memberships", "upload", "comments"] as const;
