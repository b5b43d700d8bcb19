import type { CredentialStore } from "../store/index.ts";
import type { BackgroundServer } from "./background/index.ts";
import type { HubServer } from "./hub/index.ts";
import type { OAuthAccount, OAuthServer } from "./oauth/index.ts";
import type { VideoServer } from "./video/index.ts";

interface StandInConnectionDeps {
  readonly guildId: string;
  readonly credentials: CredentialStore;
  readonly oauth: OAuthServer;
  readonly video: VideoServer;
  /** None is connected when absent. */
  readonly background?: BackgroundServer | undefined;
  readonly addedBy: string;
  readonly addedAt: number;
}

interface AddressedStandIns {
  readonly video: VideoServer;
  readonly background: BackgroundServer;
  readonly oauth: OAuthServer;
  readonly hub?: HubServer;
}

/** The environment variables that point a bot at the stand-ins. */
export function describeAddresses({ video, background, oauth, hub }: AddressedStandIns) {
  return {
    VIDEO_API_URL: video.url,
    VIDEO_UPLOAD_URL: video.uploadUrl,
    BACKGROUND_API_URL: background.url,
    OAUTH_CLIENT_ID: oauth.clientId,
    OAUTH_CLIENT_SECRET: oauth.clientSecret,
    OAUTH_AUTHORIZE_URL: oauth.authorizeUrl,
    OAUTH_TOKEN_URL: oauth.tokenUrl,
    OAUTH_REVOKE_URL: oauth.revokeUrl,
    ...(hub && { WEBSUB_HUB_URL: hub.url }),
  };
}

/**
 * Connects the server with the keys for YouTube and remove.bg and with the creator's own channel, as the server's owner would.
 */
export async function connect(connection: StandInConnectionDeps): Promise<void> {
  const { guildId, credentials, oauth, video, background, addedBy, addedAt } = connection;
  const facts = { addedBy, addedAt };
  const channelId = video.ownChannelId;
  const channelTitle = video.channels.get(channelId)?.title ?? channelId;
  const { refreshToken, scopes } = oauth.mint({ channelId });
  const channel = { channelId, channelTitle, scopes, secret: refreshToken };
  await credentials.write(guildId, { ...facts, kind: "video-key", secret: video.key });
  if (background !== undefined) {
    await credentials.write(guildId, { ...facts, kind: "background-key", secret: background.key });
  }
  await credentials.write(guildId, { ...facts, kind: "channel", ...channel });
}

/**
 * The stand-in for consents forgets its tokens when it ends, and Google does not: links to its accounts get
 * new tokens of the same consent. Links to accounts that are not the sandbox's stay as they are.
 */
export async function reviveLinks({
  guildId,
  credentials,
  oauth,
}: Pick<StandInConnectionDeps, "guildId" | "credentials" | "oauth">): Promise<void> {
  const read = await credentials.channels(guildId);
  if (read.state !== "found") return;
  for (const channel of read.value) {
    const { channelId, scopes, secret } = channel;
    const isOwn = oauth.accounts.some((account) => account.channelId === channelId);
    if (channelId === undefined || !isOwn || oauth.knows(secret)) continue;
    const { refreshToken } = oauth.mint({ channelId, ...(scopes && { scopes }) });
    await credentials.write(guildId, { ...channel, secret: refreshToken });
  }
}

/**
 * Who can consent in the sandbox: the creator's own channel, another of the same person's, and an account that has
 * no channel. Their names are those of the channels at the time.
 */
export function listAccounts({ ownChannelId, channels }: VideoServer): readonly OAuthAccount[] {
  const other = [...channels.keys()].find((id) => id !== ownChannelId);
  const owned = [ownChannelId, ...(other === undefined ? [] : [other])];
  return [
    ...owned.map((channelId, index): OAuthAccount => {
      return {
        id: `10000000000000000000${index + 1}`,
        get name() {
          return channels.get(channelId)?.title ?? "A deleted channel";
        },
        email: index === 0 ? "robin@studio.example" : "robin@bakery.example",
        channelId,
        hue: channels.get(channelId)?.hue ?? 0,
      };
    }),
    {
      id: "100000000000000000009",
      name: "Robin Hale",
      email: "robin.hale@mail.example",
      channelId: undefined,
      hue: 262,
    },
  ];
}
