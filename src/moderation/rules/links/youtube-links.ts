import { placeAt } from "../../../video-links/index.ts";
import type { FoundLink } from "./find-links.ts";

/** What a YouTube link leads to. */
export interface YouTubeLink {
  readonly kind: "video" | "playlist" | "channel" | "handle";
  readonly id: string;
}

/** What a YouTube link leads to; undefined for other sites, and for pages that may lead anywhere. */
export function parseYouTubeLink({ url }: Pick<FoundLink, "url">): YouTubeLink | undefined {
  const { kind, video, playlist, channel } = placeAt(url) ?? {};
  if (video !== undefined) return { kind: "video", id: video };
  // Of several videos, any may be played.
  if (kind === "video") return undefined;
  if (playlist !== undefined) return { kind: "playlist", id: playlist };
  if (channel === undefined) return undefined;
  if ("id" in channel) return { kind: "channel", id: channel.id };
  // Channels got their old names as handles, unless they chose others.
  const [name = ""] = Object.values(channel);
  return { kind: "handle", id: comparedHandle(name) };
}

/** Texts of comments are normalized before links are found in them, so handles are compared in the same form. */
export function comparedHandle(handle: string): string {
  const name = handle.replace(/^@/u, "").normalize("NFKC").toLowerCase();
  return `@${name.replaceAll("·", ".").replace(/\p{Join_C}/gu, "")}`;
}

/** Whether a link leads to the channel itself; while that is unknown, all links to YouTube count as its own. */
export function isOwnLink(
  link: Pick<FoundLink, "url">,
  ownLinks: ReadonlySet<string> | "unknown" | undefined,
): boolean {
  const place = parseYouTubeLink(link);
  if (place === undefined || ownLinks === undefined) return false;
  return ownLinks === "unknown" || ownLinks.has(linkKey(place));
}

/** The key of a link in caches and sets. */
export function linkKey({ kind, id }: YouTubeLink): string {
  return `${kind}:${id}`;
}
