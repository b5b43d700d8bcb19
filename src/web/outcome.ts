import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { type PendingLink, permissions } from "../oauth/index.ts";

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
export function createOutcomes({ isSecure }: { readonly isSecure: boolean }) {
  const name = isSecure ? "__Host-greenroom-outcome" : "greenroom-outcome";
  const set = (c: Context, value: string, ageS: number) => {
    const attributes = `Path=/; Max-Age=${ageS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    c.header("Set-Cookie", `${name}=${value}; ${attributes}`, { append: true });
  };
  return {
    put: (c: Context, { channel, permissions: granted }: Outcome): void => {
      const kept = JSON.stringify([channel.title.slice(0, longestTitle), ...granted]);
      set(c, Buffer.from(kept).toString("base64url"), lifetimeS);
    },
    /** Once; undefined where there is none, or something else in it. */
    take: (c: Context): Outcome | undefined => {
      const value = getCookie(c, name);
      if (value === undefined) return undefined;
      set(c, "", 0);
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
