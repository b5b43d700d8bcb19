import type { FoundLink } from "./find-links.ts";

/** What a YouTube link leads to. */
export interface PlatformLink {
  readonly kind: "video" | "playlist" | "channel" | "handle";
  readonly id: string;
}

const hosts: ReadonlySet<string> = new Set([
  ...["youtube.com", "m.youtube.com", "music.youtube.com", "studio.youtube.com"],
  ...["youtu.be", "youtube-nocookie.com"],
]);
const videoId = /^[\w-]{11}$/u;
const channelId = /^UC[\w-]{22}$/u;
const listId = /^[\w-]{12,64}$/u;

/** What a YouTube link leads to; undefined for other sites, and for pages that may lead anywhere. */
export function platformLinkOf({ host, url }: FoundLink): PlatformLink | undefined {
  if (!hosts.has(host)) return undefined;
  const [first = "", second = ""] = url.pathname.split("/").filter(Boolean);
  const video = videoOf(host, { url, first, second });
  if (video !== undefined) return videoId.test(video) ? { kind: "video", id: video } : undefined;
  const list = url.searchParams.get("list") ?? "";
  if (first === "playlist" && listId.test(list)) return { kind: "playlist", id: list };
  if (first === "channel" && channelId.test(second)) return { kind: "channel", id: second };
  if (first.startsWith("@")) return { kind: "handle", id: decodeSegment(first).toLowerCase() };
  return undefined;
}

interface AddressParts {
  readonly url: URL;
  readonly first: string;
  readonly second: string;
}

function videoOf(host: string, { url, first, second }: AddressParts): string | undefined {
  if (host === "youtu.be") return first;
  if (first === "watch") return url.searchParams.get("v") ?? "";
  return ["shorts", "live", "embed", "v"].includes(first) ? second : undefined;
}

/** The key of a link in caches and sets. */
export function linkKey({ kind, id }: PlatformLink): string {
  return `${kind}:${id}`;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
