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
  if (url === undefined) return matching(videoId, text.trim());
  if (url.hostname === "youtu.be") return matching(videoId, url.pathname.slice(1));
  const [first, second] = url.pathname.split("/").filter(Boolean);
  if (first === "watch") return matching(videoId, url.searchParams.get("v") ?? "");
  return ["shorts", "live", "embed", "v"].includes(first ?? "")
    ? matching(videoId, second ?? "")
    : undefined;
}

/** The playlist of a pasted link or id. */
export function playlistOf(text: string): string | undefined {
  const url = platformUrl(text);
  return matching(playlistId, url?.searchParams.get("list") ?? text.trim());
}

/** The channel of a pasted link, @handle or id. */
export function channelOf(text: string): ChannelRef | undefined {
  const url = platformUrl(text);
  const segments = url?.pathname.split("/").filter(Boolean).map(decoded) ?? [text.trim()];
  const name = segments[0] === "channel" ? segments[1] : segments[0];
  if (name === undefined) return undefined;
  if (channelId.test(name)) return { id: name };
  return handle.test(name) ? { handle: name } : undefined;
}

/** What a text is, when it can be told by its looks: for the words about a link to something else. */
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
  // The sentence around a link goes on right behind it.
  const links = found.flatMap((link) => /^.*[^.,;:!?'"»”’…*]/u.exec(link) ?? []);
  return [...new Set(links.flatMap((link) => videoOf(link) ?? []))];
}

function platformUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  const withScheme = /^https?:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  return hosts.has(url.hostname) ? url : undefined;
}

function matching(pattern: RegExp, text: string): string | undefined {
  return pattern.test(text) ? text : undefined;
}

/** What is written of an address in letters; as it stands, where a percent sign in it means nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** https://docs.discord.com/developers/resources/message#embed-object */
const longestAddress = 2048;
/** What an address may hold as it is (RFC 3986); whoever made it may have let others stand there. */
const outside = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})/giu;

/** An address of the web as the platform takes it; undefined for what is none, which would keep its message away. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const whole = href.replace(outside, encodeURIComponent);
  return whole.length <= longestAddress ? whole : undefined;
}

/** Addresses of the platforms' own pages, built from ids only. */
export const pages = {
  /** The chat's. */
  server: (guildId: string) => `https://discord.com/channels/${BigInt(guildId)}`,
  video: (id: string) => `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`,
  playlist: (id: string) => `https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`,
  watchHistory: "https://www.youtube.com/feed/history",
  channel: (id: string) => `https://www.youtube.com/channel/${encodeURIComponent(id)}`,
  /** The video's page with that comment on top. */
  comment: (videoId: string, id: string) =>
    `https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}&lc=${encodeURIComponent(id)}`,
} as const;
