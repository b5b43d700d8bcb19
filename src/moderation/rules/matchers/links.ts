import { bareHost, type FoundLink, parsed } from "../links/find-links.ts";
import { linkKey, platformLinkOf } from "../links/platform-links.ts";
import { cutTo } from "../text/cut.ts";
import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";

const mostAllowed = 50;

/**
 * Addresses of other sites than the allowed ones and their subdomains. What leads to the channel's own videos,
 * playlists and page is always allowed. @throws InputError `rule_links`
 */
export function linksMatcher(allowed: readonly string[]): Matcher {
  if (allowed.length > mostAllowed)
    throw refuse("rule_links", { reason: "many", most: mostAllowed });
  const hosts = allowed.map(allowedHost);
  return ({ subject, ownLinks, spend }) => {
    spend?.(subject.written.length);
    const isFine = (link: FoundLink) => {
      if (hosts.some((host) => link.host === host || link.host.endsWith(`.${host}`))) return true;
      const place = platformLinkOf(link);
      if (place === undefined || ownLinks === undefined) return false;
      return ownLinks === "unknown" || ownLinks.has(linkKey(place));
    };
    return subject.links().find((link) => !isFine(link))?.shown;
  };
}

/** The host of an address that somebody allows. @throws InputError `rule_links` */
function allowedHost(given: string): string {
  const trimmed = given.trim();
  const address = /^[a-z]+:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = parsed(address.replace("://*.", "://"));
  const host = bareHost(url?.hostname ?? "");
  const isHost = host.includes(".") && !/\s/u.test(trimmed);
  if (!isHost) throw refuse("rule_links", { reason: "host", link: cutTo(trimmed, 60) });
  return host;
}
