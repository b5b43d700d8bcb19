import type { Context } from "hono";
import { type PendingLink, permissions } from "../oauth/index.ts";
import { createCookie } from "./cookie.ts";

/** What the last page shows of a consent. */
export type Outcome = Pick<PendingLink, "permissions"> & {
  readonly channel: Pick<PendingLink["channel"], "title">;
};

export type Outcomes = ReturnType<typeof createOutcomes>;

const lifetimeS = 60;
const longestTitle = 200;

/**
 * Carries what the last page shows from the service's answer to an address without its code and state, in a cookie of
 * the browser that brought it: any process can show it, and nothing but that page believes it.
 */
export function createOutcomes(site: { readonly isSecure: boolean }) {
  const cookie = createCookie("outcome", site);
  return {
    put: (c: Context, { channel, permissions: granted }: Outcome): void => {
      const kept = JSON.stringify([channel.title.slice(0, longestTitle), ...granted]);
      cookie.write(c, Buffer.from(kept).toString("base64url"), lifetimeS);
    },
    /** Once; undefined where there is none, or something else in it. */
    take: (c: Context): Outcome | undefined => {
      const value = cookie.read(c);
      if (value === undefined) return undefined;
      cookie.write(c, "", 0);
      return read(value);
    },
  };
}

function read(value: string): Outcome | undefined {
  try {
    const [title, ...given]: unknown[] = JSON.parse(Buffer.from(value, "base64url").toString());
    if (typeof title !== "string" || title.length > longestTitle) return undefined;
    return { channel: { title }, permissions: permissions.filter((one) => given.includes(one)) };
  } catch {
    return undefined;
  }
}
