import type { Body } from "./body.ts";

/** Why a field is refused, as the service names it (facts/video-api.json, errors of the methods). */
export interface FieldReasons {
  readonly missing?: string | ((body: Body) => string);
  /** Like `missing` when absent. */
  readonly empty?: string;
  readonly invalid?: string;
}

const branding = { invalid: "brandingValidationError" } as const;

/** By resource and place; what is not listed is `required` or `badRequest`. */
export const bodyReasons: Readonly<Record<string, Readonly<Record<string, FieldReasons>>>> = {
  Video: {
    "snippet.title": {
      missing: "invalidVideoMetadata",
      empty: "invalidTitle",
      invalid: "invalidTitle",
    },
    "snippet.categoryId": {
      missing: "invalidVideoMetadata",
      empty: "invalidCategoryId",
      invalid: "invalidCategoryId",
    },
    "snippet.description": { invalid: "invalidDescription" },
    "snippet.tags": { invalid: "invalidTags" },
    "status.privacyStatus": { invalid: "invalidVideoMetadata" },
    "status.license": { invalid: "invalidVideoMetadata" },
    "status.publishAt": { invalid: "invalidPublishAt" },
    "recordingDetails.recordingDate": { invalid: "invalidRecordingDetails" },
  },
  VideoAbuseReport: { reasonId: { missing: "invalidAbuseReason" } },
  Playlist: {
    "snippet.title": { missing: "playlistTitleRequired", invalid: "invalidPlaylistSnippet" },
    "snippet.description": { invalid: "invalidPlaylistSnippet" },
  },
  PlaylistItem: {
    "snippet.playlistId": { missing: "playlistIdRequired" },
    "snippet.resourceId": { missing: "resourceIdRequired" },
    "snippet.position": { invalid: "invalidPlaylistItemPosition" },
    "contentDetails.note": { invalid: "invalidContentDetails" },
  },
  Channel: {
    "brandingSettings.channel.description": branding,
    "brandingSettings.channel.keywords": branding,
    "brandingSettings.channel.country": branding,
    "brandingSettings.channel.defaultLanguage": branding,
    "brandingSettings.channel.unsubscribedTrailer": branding,
    "brandingSettings.image.bannerExternalUrl": branding,
  },
  ChannelSection: {
    id: { missing: "idRequired" },
    "snippet.type": {
      missing: ({ snippet }) => (snippet === undefined ? "snippetNeeded" : "typeRequired"),
    },
    "snippet.title": { invalid: "titleLengthExceeded" },
    "snippet.position": { invalid: "inValidPosition" },
  },
  Caption: {
    "snippet.videoId": { missing: "invalidMetadata" },
    "snippet.language": { missing: "invalidMetadata" },
    "snippet.name": { missing: "invalidMetadata", invalid: "nameTooLong" },
  },
  CommentThread: {
    "snippet.channelId": { missing: "channelOrVideoIdMissing" },
    "snippet.topLevelComment.snippet.textOriginal": {
      missing: "commentTextRequired",
      invalid: "commentTextTooLong",
    },
  },
  Comment: {
    "snippet.parentId": { missing: "parentIdMissing" },
    "snippet.textOriginal": { missing: "commentTextRequired", invalid: "commentTextTooLong" },
  },
  Subscription: { "snippet.resourceId": { missing: "publisherRequired" } },
};
