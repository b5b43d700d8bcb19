import { type ChannelRef, readChannelId, readHandle, readPlaylistId, readVideoId } from "./ids.ts";

/** What a YouTube address leads to. A video in a playlist has both; an address with several videos names none. */
export interface LinkedPlace {
  readonly kind: LinkedKind;
  readonly video?: string | undefined;
  readonly playlist?: string | undefined;
  readonly channel?: ChannelRef | undefined;
  readonly comment?: string | undefined;
}

/** A clip does not say which video it is from. */
export type LinkedKind = "video" | "playlist" | "channel" | "clip" | "post" | "other";

/** `names`: channels have addresses like `/x`. `videos`: nothing but videos and their pictures. */
type HostKind = "names" | "pages" | "short" | "videos";

/** With all their subdomains, such as `m.`, `music.`, `studio.` and `img.`. */
const hosts: ReadonlyMap<string, HostKind> = new Map([
  ["youtube.com", "names"],
  ["studio.youtube.com", "pages"],
  ["music.youtube.com", "pages"],
  ["img.youtube.com", "videos"],
  ["youtu.be", "short"],
  ["yt.be", "short"],
  ["youtube-nocookie.com", "pages"],
  ["youtubekids.com", "pages"],
  ["youtubegaming.com", "names"],
  ["youtubeeducation.com", "pages"],
  ["youtube.googleapis.com", "videos"],
  ["ytimg.com", "videos"],
]);

/** Other sites that lead on to an address in their query. */
const redirectors: ReadonlySet<string> = new Set([
  "google.com",
  "facebook.com",
  "instagram.com",
  "messenger.com",
  "reddit.com",
  "safelinks.protection.outlook.com",
  "vk.com",
  "steamcommunity.com",
  "duckduckgo.com",
  "slack-redir.net",
  "t.umblr.com",
  "linkedin.com",
  "web.archive.org",
]);
/** Where they have it; `/web/2020/https://…` has it in the path. */
const redirectQueries = [
  "q",
  "url",
  "u",
  "to",
  "uddg",
  "z",
  "ru",
  "imgrefurl",
  "continue",
] as const;

/** The site of a host, by its own name or that of a domain above it. */
function lookUp<T>(host: string, find: (domain: string) => T | undefined): T | undefined {
  let domain = host.toLowerCase().replace(/\.$/u, "");
  for (let level = 0; level < 6 && domain.includes("."); level += 1) {
    const found = find(domain);
    if (found !== undefined) return found;
    domain = domain.slice(domain.indexOf(".") + 1);
  }
  return undefined;
}

function kindOfHost(host: string): HostKind | undefined {
  return lookUp(host, (domain) => hosts.get(domain));
}

/** `youtube.de` and its like lead to youtube.com, but not all of them belong to YouTube. */
function isCountryHost(host: string): boolean {
  return /^(?:www\.|m\.)?youtube\.(?:com?\.)?[a-z]{2}$/iu.test(host);
}

function isRedirector(host: string): boolean {
  if (/^(?:www\.)?google\.(?:com?\.)?[a-z]{2}$/iu.test(host)) return true;
  return lookUp(host, (domain) => redirectors.has(domain) || undefined) === true;
}

/** Whether an address there may lead to YouTube. */
export function isLinkHost(host: string): boolean {
  return kindOfHost(host) !== undefined || isCountryHost(host) || isRedirector(host);
}

const home = "https://www.youtube.com";
/** Redirects within redirects. */
const mostSteps = 4;

/** What an address leads to, through pages that lead on to others. Undefined for other sites. */
export function placeBehind(url: URL, steps = mostSteps): LinkedPlace | undefined {
  const { hostname, pathname } = url;
  if (steps === 0) return undefined;
  if (isCountryHost(hostname)) {
    const same = parsed(`${pathname}${url.search}${url.hash}`, home);
    return same && placeBehind(same, steps - 1);
  }
  const at = placeAt(url);
  const direct = at?.kind === "channel" ? (playedAt(url) ?? at) : at;
  if (direct !== undefined && direct.kind !== "other") return direct;
  const isOwn = kindOfHost(hostname) !== undefined;
  if (!isOwn && !isRedirector(hostname)) return undefined;
  const [first = ""] = splitPath(url);
  const queries = isOwn ? (leadsOn.get(first.toLowerCase()) ?? []) : redirectQueries;
  const inPath = addressInPath(url);
  const [target = inPath] = queries.flatMap((name) => valueBehind(url.search, name) ?? []);
  const next = target === undefined ? undefined : parsed(target, isOwn ? home : undefined);
  return (next && placeBehind(next, steps - 1)) ?? direct;
}

/** `/web/20200101/https://…` of the archive, `/amp/s/www.youtube.com/…` of Google. */
function addressInPath({ hostname, pathname, search }: URL): string | undefined {
  const isArchive = hostname === "web.archive.org";
  const [, path] = (isArchive ? /^\/web\/[^/]+\/(.+)$/u : /^\/amp\/s\/(.+)$/u).exec(pathname) ?? [];
  if (path === undefined) return undefined;
  const address = decodeAddress(`${path}${search}`);
  return isArchive ? address : `https://${address}`;
}

/** What an address of YouTube itself leads to, and nowhere else. Undefined for other sites. */
export function placeAt(url: URL): LinkedPlace | undefined {
  const host = kindOfHost(url.hostname);
  if (host === undefined) return undefined;
  const segments = splitPath(url);
  const [first = ""] = segments;
  if (first.toLowerCase() === "attribution_link") {
    const target = parsed(valueBehind(url.search, "u") ?? "", home);
    const isSole = url.search.match(/[?&]u=/gu)?.length === 1;
    const isWithin = target !== undefined && splitPath(target)[0] !== "attribution_link";
    return isSole && isWithin ? placeAt(target) : undefined;
  }
  if (leadsOn.has(first.toLowerCase())) return { kind: "other" };
  // What the mobile page had before its own addresses could change: `/#/watch?v=`.
  const [, moved] = /^#!?(\/.+)$/u.exec(url.hash) ?? [];
  if (first === "" && moved !== undefined) {
    const target = parsed(`${home}${moved.replaceAll("#", "")}`);
    return target && placeAt(target);
  }
  const page = { host, segments, query: parseQuery(url) };
  const videos = videosAt(page);
  const [video] = videos.length === 1 ? videos : [];
  const playlist = host === "videos" ? undefined : playlistAt(page);
  const channel = host === "videos" || host === "short" ? undefined : channelAt(page);
  const comment = /^[\w.-]{11,199}[\w-]/u.exec(page.query.get("lc") ?? "")?.[0];
  const kind = videos.length > 0 ? "video" : kindAt(page, { playlist, channel });
  return { kind, video, playlist, channel, comment };
}

interface AddressParts {
  readonly host: HostKind;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

function kindAt(
  { segments: [first = ""] }: AddressParts,
  found: Pick<LinkedPlace, "playlist" | "channel">,
): LinkedKind {
  if (found.playlist !== undefined) return "playlist";
  if (found.channel !== undefined) return "channel";
  const page = first.toLowerCase();
  return page === "clip" || page === "post" ? page : "other";
}

/** Pages of the video that their path names: `/shorts/ID`. */
const pathPages: ReadonlySet<string> = new Set(
  "shorts live embed e v vi vi_lc vi_webp an_webp sb video source".split(" "),
);
/** Pages of the video that their query names, today or once: `/watch?v=ID`. */
const queryPages: ReadonlySet<string> = new Set([
  "",
  ..."watch watch_popup watch_videos live_chat live_chat_replay details ytscreeningroom get_video_info all_comments live_dashboard edit my_videos_edit timedtext_editor timedtext_video".split(
    " ",
  ),
]);
const videoQueries = ["v", "vi", "video_id", "video_ids", "docid"] as const;
/** Players without a video of their own, whose names have the length of an id. */
const players: ReadonlySet<string> = new Set(["videoseries", "live_stream"]);

/** An address that names two videos may play either, so it leads to none of them. */
function videosAt({ host, segments, query }: AddressParts): readonly string[] {
  const [first = "", second = ""] = segments;
  const short = host === "short" ? readVideoId(first) : undefined;
  if (short !== undefined) return [short];
  const page = first.toLowerCase();
  const isPathPage = pathPages.has(page);
  const ids = (texts: readonly string[]) => texts.flatMap((text) => readVideoId(text) ?? []);
  if (isPathPage && second !== "") return players.has(second) ? [] : ids([second]);
  // The dialog of Studio that edits a video stands above the list of a channel's videos.
  if (query.get("d") === "ud") return ids(query.getAll("udvid"));
  if (!isPathPage && !queryPages.has(page)) return [];
  const values = videoQueries.flatMap((name) => query.getAll(name));
  return [...new Set(ids([second, ...values.flatMap((value) => value.split(","))]))];
}

/** Channels' pages once played their videos: `/user/x#p/u/1/ID`. */
function playedAt({ hash }: URL): LinkedPlace | undefined {
  const [, id = ""] = /^#p\/(?:[a-z]\/){0,3}\d{1,5}\/(.+)$/u.exec(hash) ?? [];
  const video = readVideoId(id);
  return video === undefined ? undefined : { kind: "video", video };
}

/** Without a known beginning it is an id only where an address has one. */
const anyListId = /^[\w-]{12,64}$/u;

function isVideoPage(page: string): boolean {
  return pathPages.has(page) || queryPages.has(page);
}

function playlistAt({
  host,
  segments: [first = "", second = ""],
  query,
}: AddressParts): string | undefined {
  const page = first.toLowerCase();
  // Ids of old addresses lack their beginning.
  const old = page === "p" ? second : page === "view_play_list" ? query.get("p") : undefined;
  if (old) return readPlaylistId(old) ?? readPlaylistId(`PL${old}`);
  if (page === "browse" || page === "playlist") {
    const list = readPlaylistId(second);
    if (list !== undefined) return list;
  }
  if (page === "feeds" || page === "xml") return readListId(soleValue(query, "playlist_id"));
  const isOfChannel = ["user_uploads", "search"].includes(query.get("listType") ?? "");
  const hasList =
    host === "short" || ["playlist", "course", "show"].includes(page) || isVideoPage(page);
  return isOfChannel || !hasList ? undefined : readListId(soleValue(query, "list"));
}

/** Undefined if it has several, since any of them may count. */
function soleValue(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = new Set(query.getAll(name));
  return others.length === 0 ? value : undefined;
}

function readListId(value: string | undefined): string | undefined {
  const [id = ""] = /^[\w-]+/u.exec(value ?? "") ?? [];
  return readPlaylistId(id) ?? (anyListId.test(id) ? id : undefined);
}

function channelAt({ host, segments, query }: AddressParts): ChannelRef | undefined {
  const [first = "", second = ""] = segments;
  const handle = readHandle(first);
  if (handle !== undefined) return { handle };
  const page = first.toLowerCase();
  const isChannelPage = ["channel", "user", "c", "browse"].includes(page);
  const within = isChannelPage ? readHandle(second) : undefined;
  if (within !== undefined) return { handle: within };
  const id = readChannelId(leadingId(isChannelPage ? second : first));
  if (id !== undefined) return { id };
  if (page === "user") return named(second, "username");
  if (page === "c") return named(second, "name");
  if (page === "feeds" || page === "xml") return refIn(query, ["channel_id", "user"]);
  if (page === "embed") {
    const isOfChannel = query.get("listType") === "user_uploads";
    return refIn(query, isOfChannel ? ["channel", "list"] : ["channel"]);
  }
  if (page === "subscription_center") return refIn(query, ["add_user_id", "add_user"]);
  if (page === "profile") return refIn(query, ["user"]);
  const isOwnPage =
    ownPages.has(page) || isVideoPage(page) || leadsOn.has(page) || /\.\w{2,5}$/u.test(page);
  return host === "names" && !isOwnPage ? named(first, "name") : undefined;
}

function leadingId(text: string): string {
  return /^[\w-]+/u.exec(text)?.[0] ?? "";
}

function refIn(query: URLSearchParams, names: readonly string[]): ChannelRef | undefined {
  const [value = ""] = names.flatMap((name) => soleValue(query, name) ?? []);
  const id = readChannelId(leadingId(value));
  return id === undefined ? named(value, "username") : { id };
}

/** The name in an address, which signs of a sentence may follow. */
function named(text: string, kind: "username" | "name"): ChannelRef | undefined {
  const [, name] =
    /^([\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Join_C}_.·-]{0,99})[^\p{L}\p{N}]*$/u.exec(
      text.normalize("NFC"),
    ) ?? [];
  if (name === undefined) return undefined;
  return kind === "username" ? { username: name } : { name };
}

/** Pages that lead on, to YouTube or anywhere, with the queries that say where. */
const leadsOn: ReadonlyMap<string, readonly string[]> = new Map([
  ["redirect", ["q"]],
  ["oembed", ["url"]],
  ["signin", ["next"]],
  ["verify_age", ["next_url"]],
  ["verify_controversy", ["next_url"]],
  // consent.youtube.com
  ["m", ["continue"]],
  ["ml", ["continue"]],
  ["d", ["continue"]],
  ["servicelogin", ["continue"]],
]);

/** YouTube's own pages, which are no channel's name. */
const ownPages: ReadonlySet<string> = new Set(
  `about account accounts account_advanced account_notifications account_privacy ads age_restricted api artist artists attribution
  browse c channel channels channel_switcher clip copyright course creators creators_corner csi_204 dashboard data
  developers e explore embed event events fashion feed feeds gaming gdpr generate_204 handle hashtag howyoutubeworks
  iframe_api index intl jobs kids learning library live logout movies music my_live_events my_videos new news oops originals p
  paid_memberships party playables playlist playlists podcast podcasts post posts premium press privacy profile purchases results rss s
  safety search settings shop show shows sports storefront subscriptions subscription_center supported_browsers t
  terms testtube trending trends tv upload user verify view_all_playlists view_play_list wallet yt yts`.split(
    /\s+/u,
  ),
);

function splitPath({ pathname }: URL): readonly string[] {
  return pathname.split("/").filter(Boolean).map(decodeAddress);
}

/** A second question mark parts values too, as HTML's ampersands do and a hash that stands where the query should be. */
function parseQuery({ search, hash }: URL): URLSearchParams {
  const moved = /^#!?([a-z_]{1,20}=.*)$/u.exec(hash)?.[1] ?? "";
  const query = search
    .replaceAll("?", "&")
    .replaceAll("&amp;", "&")
    .replace(/&(v|list)%3D/giu, "&$1=");
  return new URLSearchParams(`${query}&${moved}`);
}

/** The rest of the query, since an address in it may not be encoded. */
function valueBehind(search: string, name: string): string | undefined {
  const starts = [`?${name}=`, `&${name}=`].map((sign) => search.indexOf(sign));
  const [start] = starts.filter((at) => at !== -1).sort((one, other) => one - other);
  return start === undefined ? undefined : decodeAddress(search.slice(start + name.length + 2));
}

function parsed(address: string, base?: string): URL | undefined {
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

/** The address with its percent signs decoded; unchanged if they are no valid encoding. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
