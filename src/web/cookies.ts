import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { type BrowserConsent, linkPermissions, type PendingLink } from "../oauth/index.ts";

/**
 * A cookie of these pages. With https, the name's prefix makes browsers refuse it from another host of the same domain
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2). `Lax`, because people come back
 * from another site.
 */
function createCookie(name: string, { isSecure }: { readonly isSecure: boolean }) {
  const whole = `${isSecure ? "__Host-" : ""}greenroom-${name}`;
  return {
    read: (c: Context): string | undefined => getCookie(c, whole),
    /** Added to other cookies of the same answer. */
    write: (c: Context, value: string, lifetimeS: number): void => {
      const attributes = `Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      c.header("Set-Cookie", `${whole}=${value}; ${attributes}`, { append: true });
    },
  };
}

export type Browsers = ReturnType<typeof createBrowsers>;

/** Longer than any link lives. */
const browserLifetimeS = 15 * 60;

/** Recognises a browser while it links something, by 256 random bits in a cookie, and nothing else. */
export function createBrowsers(site: { readonly isSecure: boolean }) {
  const cookie = createCookie("link", site);
  /** Undefined if there is no such cookie, or its content is not ours. */
  const read = (c: Context): string | undefined => {
    const value = cookie.read(c);
    return value !== undefined && /^[\w-]{43}$/u.test(value) ? value : undefined;
  };
  return {
    read,
    /** The browser's own value, or a new one; valid for 15 minutes from now. */
    keep: (c: Context): string => {
      const browser = read(c) ?? randomBytes(32).toString("base64url");
      cookie.write(c, browser, browserLifetimeS);
      return browser;
    },
  };
}

export type LinkLanguage = ReturnType<typeof createLinkLanguage>;

/** Carries the language of the person's Discord to the pages that know no link. */
export function createLinkLanguage(site: { readonly isSecure: boolean }) {
  const cookie = createCookie("language", site);
  return {
    read: cookie.read,
    keep: (c: Context, locale: string): void => cookie.write(c, locale, browserLifetimeS),
  };
}

/** The part of a consent that the last page shows. */
export type LinkOutcome = Pick<BrowserConsent, "permissions" | "guildId" | "code"> & {
  readonly channel: Pick<PendingLink["channel"], "title">;
  /** The Discord channel where the question waits. */
  readonly answerTo: Pick<PendingLink["answerTo"], "channelId">;
};

export type LinkOutcomes = ReturnType<typeof createLinkOutcomes>;

const outcomeLifetimeS = 60;
/** As long as the code on it can be typed in Discord. */
const codeLifetimeS = 10 * 60;
const longestTitle = 200;

/**
 * Carries what the last page shows in a cookie, so that its address needs neither the code nor the state of the service's
 * answer. So every process can show it. Nothing but that page trusts the cookie.
 */
export function createLinkOutcomes(site: { readonly isSecure: boolean }) {
  const cookie = createCookie("outcome", site);
  return {
    put: (c: Context, { channel, permissions, guildId, answerTo, code }: LinkOutcome): void => {
      const title = channel.title.slice(0, longestTitle);
      const place = [guildId, answerTo.channelId ?? ""];
      const json = JSON.stringify([title, ...place, code ?? "", ...permissions]);
      const lifetimeS = code === undefined ? outcomeLifetimeS : codeLifetimeS;
      cookie.write(c, Buffer.from(json).toString("base64url"), lifetimeS);
    },
    /**
     * Reads it, and clears it unless it has a code, which people may want to see again. Undefined if there is none or its
     * content is not ours.
     */
    take: (c: Context): LinkOutcome | undefined => {
      const value = cookie.read(c);
      if (value === undefined) return undefined;
      const outcome = read(value);
      if (outcome?.code === undefined) cookie.write(c, "", 0);
      return outcome;
    },
  };
}

function isSnowflake(value: unknown): value is string {
  return typeof value === "string" && /^\d{1,20}$/u.test(value);
}

function isLinkCode(value: unknown): value is string {
  return typeof value === "string" && /^[A-Z\d]{2}-[A-Z\d]{2}$/u.test(value);
}

function read(value: string): LinkOutcome | undefined {
  try {
    const [title, guildId, channelId, code, ...permissions]: unknown[] = JSON.parse(
      Buffer.from(value, "base64url").toString(),
    );
    if (typeof title !== "string" || title.length > longestTitle) return undefined;
    if (!isSnowflake(guildId)) return undefined;
    return {
      channel: { title },
      guildId,
      answerTo: { channelId: isSnowflake(channelId) ? channelId : undefined },
      permissions: linkPermissions.filter((one) => permissions.includes(one)),
      ...(isLinkCode(code) && { code }),
    };
  } catch {
    return undefined;
  }
}
