import type { Credentials } from "../store/index.ts";
import type { BackgroundServer } from "./background/index.ts";
import type { Account, OAuthServer } from "./oauth/index.ts";
import type { VideoServer } from "./video/index.ts";

interface Link {
  readonly guildId: string;
  readonly credentials: Credentials;
  readonly oauth: OAuthServer;
}

interface Connection extends Link {
  readonly video: VideoServer;
  readonly background: BackgroundServer;
  readonly addedBy: string;
  readonly addedAt: number;
}

/** Connects the server with both stand-ins' keys and with the creator's own channel, as its owner would. */
export async function connect(connection: Connection): Promise<void> {
  const { guildId, credentials, oauth, video, background, addedBy, addedAt } = connection;
  const facts = { addedBy, addedAt };
  const channelId = video.ownChannelId;
  const channelTitle = video.channels.get(channelId)?.title ?? channelId;
  const { refreshToken, scopes } = oauth.mint({ channelId });
  const channel = { channelId, channelTitle, scopes, secret: refreshToken };
  await credentials.write(guildId, { ...facts, kind: "video-key", secret: video.key });
  await credentials.write(guildId, { ...facts, kind: "background-key", secret: background.key });
  await credentials.write(guildId, { ...facts, kind: "channel", ...channel });
}

/**
 * The stand-in for consents forgets its tokens when it ends, and the real service does not: links to its accounts get
 * new tokens of the same consent. Without a link, or with another's, nothing is done.
 */
export async function reviveLinks({ guildId, credentials, oauth }: Link): Promise<void> {
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
export function accountsOf({ ownChannelId, channels }: VideoServer): readonly Account[] {
  const other = [...channels.keys()].find((id) => id !== ownChannelId);
  const owned = [ownChannelId, ...(other === undefined ? [] : [other])];
  return [
    ...owned.map((channelId, index): Account => {
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
