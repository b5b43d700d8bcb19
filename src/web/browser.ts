import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";

export type Browsers = ReturnType<typeof createBrowsers>;

/** Longer than any link is good for. */
const lifetimeS = 15 * 60;

/**
 * Tells one browser from another while it links something: 256 random bits in a cookie, and nothing about it. Behind https the name's prefix makes browsers refuse the cookie from a neighbour on the same domain
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2). `Lax`, because people come back
 * from another site.
 */
export function createBrowsers({ isSecure }: { readonly isSecure: boolean }) {
  const name = isSecure ? "__Host-greenroom-link" : "greenroom-link";
  const attributes = `Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

  /** Undefined where there is no such cookie, or something else in it. */
  const read = (c: Context): string | undefined => {
    const value = getCookie(c, name);
    return value !== undefined && /^[\w-]{43}$/u.test(value) ? value : undefined;
  };
  return {
    read,
    /** The browser's own, or a fresh one; kept for a quarter of an hour from now. */
    keep: (c: Context): string => {
      const browser = read(c) ?? randomBytes(32).toString("base64url");
      c.header("Set-Cookie", `${name}=${browser}; ${attributes}`);
      return browser;
    },
  };
}
