import { compact, cut, link, md, type ReplyItem, time, type Words } from "../../discord/index.ts";
import type { AuditAct, AuditEntry, ChangeAct } from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import { collapseSpaces, describeDecider, describeStoredFailure } from "../watches/index.ts";

/** Kinds of changes that the log can be filtered by. */
export const changeGroups = [
  "videos",
  "branding",
  "playlists",
  "captions",
  "channel",
  "own_comments",
] as const;

type ChangeGroup = (typeof changeGroups)[number];

const groups: Readonly<Record<ChangeAct, ChangeGroup>> = {
  "videos.insert": "videos",
  "videos.update": "videos",
  "videos.delete": "videos",
  "videos.rate": "videos",
  "videos.reportAbuse": "videos",
  "thumbnails.set": "branding",
  "channelBanners.insert": "branding",
  "watermarks.set": "branding",
  "watermarks.unset": "branding",
  "playlists.insert": "playlists",
  "playlists.update": "playlists",
  "playlists.delete": "playlists",
  "playlistItems.insert": "playlists",
  "playlistItems.update": "playlists",
  "playlistItems.delete": "playlists",
  "captions.insert": "captions",
  "captions.update": "captions",
  "captions.delete": "captions",
  "channels.update": "channel",
  "channelSections.insert": "channel",
  "channelSections.update": "channel",
  "channelSections.delete": "channel",
  "subscriptions.insert": "channel",
  "subscriptions.delete": "channel",
  "commentThreads.insert": "own_comments",
  "comments.update": "own_comments",
  "comments.delete": "own_comments",
};

/** What people can filter the log by: what happened to a comment, or a kind of changes. */
export type LogKind = Exclude<AuditAct, ChangeAct> | ChangeGroup;

/** The entries of a kind. */
export function actsOfKind(kind: LogKind): readonly AuditAct[] {
  const acts = (Object.keys(groups) as ChangeAct[]).filter((act) => groups[act] === kind);
  return acts.length > 0 ? acts : [kind as Exclude<LogKind, ChangeGroup>];
}

type ChangeEntry = AuditEntry & { readonly act: ChangeAct };

export function isChange(entry: AuditEntry): entry is ChangeEntry {
  return entry.act in groups;
}

const deletions: ReadonlySet<ChangeAct> = new Set([
  "videos.delete",
  "playlists.delete",
  "comments.delete",
]);

/** The page of what was changed, where it is still there. */
export function changedPage(entry: ChangeEntry): string | undefined {
  const { act, answer, source, commentId, videoId, playlistId, channelId } = entry;
  if (deletions.has(act) && answer === "done") return undefined;
  if (commentId !== "" && videoId !== undefined) return youtubePages.comment(videoId, commentId);
  if (videoId !== undefined) return youtubePages.video(videoId);
  if (playlistId !== undefined) return youtubePages.playlist(playlistId);
  const ofChannel = groups[act] === "channel" || groups[act] === "branding";
  const id = channelId ?? (ofChannel ? source : "");
  return id === "" ? undefined : youtubePages.channel(id);
}

const titleChars = 100;

/** One change: what was done to what, by whom and when. */
export function drawChange(entry: ChangeEntry, words: Words): ReplyItem {
  const { act, answer, by, at, text, videoId, playlistId, channelId } = entry;
  const hasPlaylist = videoId !== undefined && playlistId !== undefined;
  const label = words.say(`comments.log.change.${act}`);
  // Titles are forgotten after a while; ids stay.
  const name = cut(collapseSpaces(text ?? ""), titleChars) || (videoId ?? playlistId ?? channelId);
  const page = changedPage(entry);
  const shown = name ?? label;
  const linked = page === undefined ? shown : link(shown, page);
  return {
    title: name === undefined ? linked : md`${label}: ${linked}`,
    lines: compact([
      md`${describeDecider(by, words)} · ${time(new Date(at))}`,
      answer !== "done" &&
        words.say("comments.log.failed", { why: describeStoredFailure(answer, words) }),
    ]),
    buttons: compact([
      hasPlaylist && {
        label: words.say("comments.log.playlist"),
        url: youtubePages.playlist(playlistId),
      },
    ]),
  };
}
