import { checkGuildId } from "../database/index.ts";
import { answer, change } from "./failure.ts";
import { checkChannelId } from "./ids.ts";
import type { KeyedRecords, ServerRecordAt } from "./records.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";

/** An access token of a linked channel; times in milliseconds since the epoch. */
export interface AccessToken {
  readonly token: string;
  /** SHA-256, in hex, of the refresh token that it came from: after a new link it is another's. */
  readonly grantHash: string;
  /** From then on another one is fetched. */
  readonly renewAt: number;
  /** From then on it is used no more, and the record is gone. */
  readonly endsAt: number;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export interface SealedRecordsDeps {
  readonly records: KeyedRecords;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
}

/** One sealed record a linked channel, gone when its token is over: what one process refreshed, the others use. */
export function createAccessTokens({ records, keyring, onSecret }: SealedRecordsDeps) {
  return {
    read: (guildId: string, channelId: string) =>
      answer(async () => {
        const sealed = await records.get(tokenAt(guildId, channelId));
        if (sealed === undefined) return undefined;
        const text = open(keyring, accessTokenContext(guildId, channelId), String(sealed));
        const token: AccessToken = JSON.parse(text);
        onSecret(token.token);
        return token;
      }),
    /** @throws ServiceError `store_unavailable`. */
    write: (guildId: string, channelId: string, { token, ...facts }: AccessToken) =>
      change(async () => {
        onSecret(token);
        const text = JSON.stringify({ token, ...facts });
        const sealed = seal(keyring, accessTokenContext(guildId, channelId), text);
        const ttlMs = Math.max(1, facts.endsAt - records.database.now());
        await records.set(tokenAt(guildId, channelId), sealed, ttlMs);
      }),
    /** @throws ServiceError `store_unavailable`. */
    remove: (guildId: string, channelId: string) =>
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
