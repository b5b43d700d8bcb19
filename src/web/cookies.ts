import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import { type BrowserConsent, linkPermissions, type PendingLink } from "../oauth/index.ts";

/**
 * A cookie of these pages. With https, the name's prefix makes browsers refuse it from another host of the same domain
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2). `Lax`, because people come back
 * from another site.
 */
function createCookie(name: string, isSecure: boolean) {
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

/** The part of a consent that the last page shows. */
export type LinkOutcome = Pick<BrowserConsent, "permissions" | "guildId" | "code"> & {
  readonly channel: Pick<PendingLink["channel"], "title">;
  /** The Discord channel where the question waits. */
  readonly answerTo: Pick<PendingLink["answerTo"], "channelId">;
};

export type LinkCookies = ReturnType<typeof createLinkCookies>;

/** Longer than any link lives. */
const browserLifetimeS = 15 * 60;
const outcomeLifetimeS = 60;
/** As long as the code on the last page can be typed in Discord. */
const codeLifetimeS = 10 * 60;
const longestTitle = 200;

export function createLinkCookies({ isSecure }: { readonly isSecure: boolean }) {
  const browser = createCookie("link", isSecure);
  const language = createCookie("language", isSecure);
  const outcome = createCookie("outcome", isSecure);
  /** 256 random bits by which a browser is recognised; undefined if there are none, or they are not ours. */
  const readBrowser = (c: Context): string | undefined => {
    const value = browser.read(c);
    return value !== undefined && /^[\w-]{43}$/u.test(value) ? value : undefined;
  };
  return {
    readBrowser,
    /** The browser's own value, or a new one; valid for 15 minutes from now. */
    keepBrowser: (c: Context): string => {
      const value = readBrowser(c) ?? randomBytes(32).toString("base64url");
      browser.write(c, value, browserLifetimeS);
      return value;
    },
    /** The language of the person's Discord, for the pages that know no link. */
    readLanguage: language.read,
    keepLanguage: (c: Context, locale: string) => language.write(c, locale, browserLifetimeS),
    /**
     * What the last page shows, so that its address needs neither the code nor the state of Google's answer, and every
     * process can show it. Nothing but that page trusts the cookie.
     */
    putOutcome: (c: Context, { channel, permissions, guildId, answerTo, code }: LinkOutcome) => {
      const title = channel.title.slice(0, longestTitle);
      const place = [guildId, answerTo.channelId ?? ""];
      const json = JSON.stringify([title, ...place, code ?? "", ...permissions]);
      const lifetimeS = code === undefined ? outcomeLifetimeS : codeLifetimeS;
      outcome.write(c, Buffer.from(json).toString("base64url"), lifetimeS);
    },
    /**
     * Reads it, and clears it unless it has a code, which people may want to see again. Undefined if there is none or its
     * content is not ours.
     */
    takeOutcome: (c: Context): LinkOutcome | undefined => {
      const value = outcome.read(c);
      if (value === undefined) return undefined;
      const taken = readOutcome(value);
      if (taken?.code === undefined) outcome.write(c, "", 0);
      return taken;
    },
  };
}

const snowflake = z.string().regex(/^\d{1,20}$/u);
const linkCode = z.string().regex(/^[A-Z\d]{2}-[A-Z\d]{2}$/u);
const outcomeParts = z
  .tuple([
    z.string().max(longestTitle),
    snowflake,
    snowflake.optional().catch(undefined),
    linkCode.optional().catch(undefined),
  ])
  .rest(z.unknown());

function readOutcome(value: string): LinkOutcome | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(value, "base64url").toString());
    const [title, guildId, channelId, code, ...permissions] = outcomeParts.parse(json);
    return {
      channel: { title },
      guildId,
      answerTo: { channelId },
      permissions: linkPermissions.filter((one) => permissions.includes(one)),
      ...(code !== undefined && { code }),
    };
  } catch {
    return undefined;
  }
}
