export const scopePrefix = "https://www.googleapis.com/auth/";

/** What a scope means to the person who is asked for it. */
export interface ScopeWords {
  readonly title: string;
  readonly detail: string;
}

/** Every scope of the video service (facts/video-api.json, oauth.scopes), without its address prefix. */
export const scopes: Readonly<Record<string, ScopeWords>> = {
  "youtube.force-ssl": {
    title: "Run your channel and its comments",
    detail: "Approve, reject and write comments, edit captions, videos and playlists.",
  },
  youtube: {
    title: "Run your channel",
    detail: "Edit videos, playlists, sections and subscriptions. Not comments, not captions.",
  },
  "youtube.readonly": {
    title: "See your channel",
    detail: "Videos, playlists and subscriptions, the private ones too. Change nothing.",
  },
  "youtube.upload": {
    title: "Upload to your channel",
    detail: "New videos, their thumbnails, the banner and the watermark.",
  },
  "youtube.channel-memberships.creator": {
    title: "See your channel's members",
    detail: "Who they are, since when, and at which level.",
  },
  youtubepartner: {
    title: "Manage partner assets",
    detail: "What a content owner has registered, and its rules.",
  },
  "youtubepartner-channel-audit": {
    title: "See what a partner's audit needs",
    detail: "Private details of your channel, for a network that takes you on.",
  },
};

/** Scopes by their short names, or undefined when one is not known. Double ones count once. */
export function readScopes(text: string): readonly string[] | undefined {
  const addresses = new Set(text.split(" ").filter((each) => each !== ""));
  const names = [...addresses].map((address) => address.replace(scopePrefix, ""));
  const isKnown = [...addresses].every((address) => address.startsWith(scopePrefix));
  if (!isKnown || names.length === 0) return undefined;
  return names.every((name) => Object.hasOwn(scopes, name)) ? names : undefined;
}

export function writeScopes(names: readonly string[]): string {
  return names.map((name) => scopePrefix + name).join(" ");
}
