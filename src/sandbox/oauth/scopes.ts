const scopePrefix = "https://www.googleapis.com/auth/";

/** How a scope is explained on the consent page. */
interface ScopeWords {
  readonly title: string;
  readonly detail: string;
}

/** Every scope of YouTube, without its address prefix: docs/services/youtube.md#credentials-and-scopes */
export const videoScopes: Readonly<Record<string, ScopeWords>> = {
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

/** Sign-in scopes: requested beside the service's own scopes, and granted with any of them. */
export const signInScopes: Readonly<Record<string, ScopeWords>> = {
  openid: { title: "Know that it is you", detail: "An identifier of your account." },
  email: { title: "See your email address", detail: "The one of the account." },
  profile: { title: "See your name", detail: "As the account has it." },
};

/** Besides its short name each has an address, in which it is answered. */
const signInAddresses: Readonly<Record<string, string>> = {
  openid: "openid",
  email: `${scopePrefix}userinfo.email`,
  profile: `${scopePrefix}userinfo.profile`,
};

const signInNames: ReadonlyMap<string, string> = new Map(
  Object.entries(signInAddresses).flatMap(([name, address]) => [
    [name, name],
    [address, name],
  ]),
);

/** Scopes by their short names, or undefined when one is not known. Double ones count once. */
export function readScopeList(text: string): readonly string[] | undefined {
  const names = text.split(" ").flatMap((address) => (address === "" ? [] : [nameOf(address)]));
  const known = names.filter((name) => name !== undefined);
  return names.length > 0 && known.length === names.length ? [...new Set(known)] : undefined;
}

function nameOf(address: string): string | undefined {
  const name = address.startsWith(scopePrefix) ? address.slice(scopePrefix.length) : undefined;
  const isOfService = name !== undefined && Object.hasOwn(videoScopes, name);
  return isOfService ? name : signInNames.get(address);
}

export function writeScopeList(names: readonly string[]): string {
  return names.map((name) => signInAddresses[name] ?? scopePrefix + name).join(" ");
}
