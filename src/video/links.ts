/** Which channel is meant: by its id or by its handle. */
export type ChannelRef = { readonly id: string } | { readonly handle: string };

const videoId = /^[\w-]{11}$/u;
const playlistId = /^(?:PL|UU|LL|WL|HL|FL|OL|RD|UL)[\w-]{10,}$|^(?:LL|WL|HL)$/u;
const channelId = /^UC[\w-]{22}$/u;
const handle = /^@[\p{L}\p{N}_.·-]{3,30}$/u;
const hosts = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtu.be",
]);

/** The video of a pasted link (watch, short, live, embed, youtu.be) or id; undefined when it is neither. */
export function videoOf(text: string): string | undefined {
  const url = platformUrl(text);
  if (url === undefined) return ifMatching(videoId, text.trim());
  if (url.hostname === "youtu.be") return ifMatching(videoId, url.pathname.split("/")[1] ?? "");
  const [first, second] = url.pathname.split("/").filter(Boolean);
  if (first === "watch") return ifMatching(videoId, url.searchParams.get("v") ?? "");
  return ["shorts", "live", "embed", "v"].includes(first ?? "")
    ? ifMatching(videoId, second ?? "")
    : undefined;
}

/** The playlist of a pasted link or id. */
export function playlistOf(text: string): string | undefined {
  const url = platformUrl(text);
  return ifMatching(playlistId, url?.searchParams.get("list") ?? text.trim());
}

/** The channel of a pasted link, @handle or id. */
export function channelOf(text: string): ChannelRef | undefined {
  const url = platformUrl(text);
  const segments = url?.pathname.split("/").filter(Boolean).map(decodeAddress) ?? [text.trim()];
  const name = segments[0] === "channel" ? segments[1] : segments[0];
  if (name === undefined) return undefined;
  if (channelId.test(name)) return { id: name };
  return handle.test(name) ? { handle: name } : undefined;
}

/** What kind of link or id a text is, if that can be recognised: for messages about a link to the wrong thing. */
export function kindOf(text: string): "video" | "playlist" | "channel" | undefined {
  if (platformUrl(text) === undefined && /\s/u.test(text.trim())) return undefined;
  if (videoOf(text) !== undefined) return "video";
  if (playlistOf(text) !== undefined) return "playlist";
  return channelOf(text) === undefined ? undefined : "channel";
}

/** Every video that a text links to, in its order, each once. */
export function videosIn(text: string): readonly string[] {
  const found =
    text.match(/(?:https?:\/\/)?(?:[\w-]{1,20}\.)?(?:youtube\.com|youtu\.be)\/[^\s<>()|\]]+/giu) ??
    [];
  // Punctuation right behind a link belongs to the sentence.
  const links = found.flatMap((link) => /^.*[^.,;:!?'"»”’…*]/u.exec(link) ?? []);
  return [...new Set(links.flatMap((link) => videoOf(link) ?? []))];
}

function platformUrl(text: string): URL | undefined {
  // In Discord, a link between these shows no preview.
  const trimmed = text.trim().replace(/^<([^<>]*)>$/u, "$1");
  const withScheme = /^https?:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  return hosts.has(url.hostname) ? url : undefined;
}

function ifMatching(pattern: RegExp, text: string): string | undefined {
  return pattern.test(text) ? text : undefined;
}

/** The address with its percent signs decoded; unchanged if they are no valid encoding. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Addresses of the service's own pages, built from ids only. */
export const pages = {
  video: (id: string) => `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`,
  playlist: (id: string) => `https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`,
  watchHistory: "https://www.youtube.com/feed/history",
  channel: (id: string) => `https://www.youtube.com/channel/${encodeURIComponent(id)}`,
  /** The video's page with that comment on top. */
  comment: (videoId: string, id: string) =>
    `https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}&lc=${encodeURIComponent(id)}`,
} as const;
