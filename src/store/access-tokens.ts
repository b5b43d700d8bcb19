import { checkGuildId } from "../database/index.ts";
import { answer, change } from "./failure.ts";
import { checkChannelId } from "./ids.ts";
import type { KeyedRecords, ServerRecordAt } from "./records.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { AccessToken, AccessTokens } from "./types.ts";

export interface SealedRecordsDeps {
  readonly records: KeyedRecords;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
}

/** One record a linked channel, gone when its token is over. */
export function createAccessTokens({
  records,
  keyring,
  onSecret,
}: SealedRecordsDeps): AccessTokens {
  return {
    read: (guildId, channelId) =>
      answer(async () => {
        const sealed = await records.get(tokenAt(guildId, channelId));
        if (sealed === undefined) return undefined;
        const text = open(keyring, accessTokenContext(guildId, channelId), String(sealed));
        const token: AccessToken = JSON.parse(text);
        onSecret(token.token);
        return token;
      }),
    write: (guildId, channelId, { token, grantHash, renewAt, endsAt }) =>
      change(async () => {
        onSecret(token);
        const text = JSON.stringify({ token, grantHash, renewAt, endsAt });
        const sealed = seal(keyring, accessTokenContext(guildId, channelId), text);
        const ttlMs = Math.max(1, endsAt - records.database.now());
        await records.set(tokenAt(guildId, channelId), sealed, ttlMs);
      }),
    remove: (guildId, channelId) =>
      change(async () => void (await records.remove(tokenAt(guildId, channelId)))),
  };
}

function tokenAt(guildId: string, channelId: string): ServerRecordAt {
  const key = `${checkGuildId(guildId)}:${checkChannelId(channelId)}`;
  return { namespace: "token", key, guildId };
}

export function accessTokenContext(guildId: string, channelId: string): Context {
  return { purpose: "token", guildId, kind: channelId, field: "record" };
}
