import type { Backend } from "./backend.ts";
import { answer, change } from "./failure.ts";
import { checkChannelId, checkGuildId } from "./ids.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { AccessToken, AccessTokens } from "./types.ts";

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
  readonly now: () => number;
}

/** One record a linked channel, gone when its token is over. */
export function createAccessTokens({ backend, keyring, onSecret, now }: Parts): AccessTokens {
  const records = backend.records.token;
  return {
    read: (guildId, channelId) =>
      answer(async () => {
        const sealed: unknown = await records.get(accessTokenKey(guildId, channelId));
        if (sealed === undefined) return undefined;
        const token = JSON.parse(
          open(keyring, accessTokenContext(guildId, channelId), String(sealed)),
        );
        onSecret(token.token);
        return token as AccessToken;
      }),
    write: (guildId, channelId, token) =>
      change(async () => {
        onSecret(token.token);
        const { grantHash, renewAt, endsAt } = token;
        const text = JSON.stringify({ token: token.token, grantHash, renewAt, endsAt });
        const sealed = seal(keyring, accessTokenContext(guildId, channelId), text);
        const at = {
          namespace: "token",
          key: accessTokenKey(guildId, channelId),
          guildId,
        } as const;
        await backend.update(at, () => sealed, Math.max(1, endsAt - now()));
      }),
    remove: (guildId, channelId) =>
      change(async () => void (await records.delete(accessTokenKey(guildId, channelId)))),
  };
}

export function accessTokenKey(guildId: string, channelId: string): string {
  return `${checkGuildId(guildId)}:${checkChannelId(channelId)}`;
}

export function accessTokenContext(guildId: string, channelId: string): Context {
  return { purpose: "token", guildId, kind: channelId, field: "record" };
}
