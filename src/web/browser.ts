import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { createCookie } from "./cookie.ts";

export type Browsers = ReturnType<typeof createBrowsers>;

/** Longer than any link is good for. */
const lifetimeS = 15 * 60;

/** Tells one browser from another while it links something: 256 random bits in a cookie, and nothing about it. */
export function createBrowsers(site: { readonly isSecure: boolean }) {
  const cookie = createCookie("link", site);
  /** Undefined where there is no such cookie, or something else in it. */
  const read = (c: Context): string | undefined => {
    const value = cookie.read(c);
    return value !== undefined && /^[\w-]{43}$/u.test(value) ? value : undefined;
  };
  return {
    read,
    /** The browser's own, or a fresh one; kept for a quarter of an hour from now. */
    keep: (c: Context): string => {
      const browser = read(c) ?? randomBytes(32).toString("base64url");
      cookie.write(c, browser, lifetimeS);
      return browser;
    },
  };
}
