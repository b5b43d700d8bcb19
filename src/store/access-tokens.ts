import { checkSnowflake } from "../database/index.ts";
import { readStore, writeStore } from "./failure.ts";
import { checkChannelId } from "./ids.ts";
import type { KeyedRecords, ServerRecordKey } from "./records.ts";
import { type Keyring, openSealed, seal, sealContextFor } from "./seal.ts";

/** An access token of a linked channel; times in milliseconds since the epoch. */
export interface AccessToken {
  readonly token: string;
  /** SHA-256, in hex, of the refresh token that it came from: after a new link it no longer matches. */
  readonly grantHash: string;
  /** From this time on a new one is requested. */
  readonly renewAt: number;
  /** From this time on it is not used any more, and the record is gone. */
  readonly endsAt: number;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export interface SealedRecordsDeps {
  readonly records: KeyedRecords;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
}

/**
 * One sealed record for each linked channel, which expires with its token. All processes use the token that one of them got.
 */
export function createAccessTokens({ records, keyring, onSecret }: SealedRecordsDeps) {
  return {
    read: (guildId: string, channelId: string) =>
      readStore(async () => {
        const at = tokenAt(guildId, channelId);
        const sealed = await records.get(at);
        if (sealed === undefined) return undefined;
        const text = openSealed(keyring, sealContextFor("token", at.key), String(sealed));
        const token: AccessToken = JSON.parse(text);
        onSecret(token.token);
        return token;
      }),
    /** @throws ServiceError `store_unavailable`. */
    write: (guildId: string, channelId: string, { token, ...facts }: AccessToken) =>
      writeStore(async () => {
        onSecret(token);
        const at = tokenAt(guildId, channelId);
        const text = JSON.stringify({ token, ...facts });
        const ttlMs = Math.max(1, facts.endsAt - records.database.now());
        await records.set(at, seal(keyring, sealContextFor("token", at.key), text), ttlMs);
      }),
    /** @throws ServiceError `store_unavailable`. */
    remove: (guildId: string, channelId: string) =>
      writeStore(async () => void (await records.remove(tokenAt(guildId, channelId)))),
  };
}

function tokenAt(guildId: string, channelId: string): ServerRecordKey {
  const key = `${checkSnowflake(guildId)}:${checkChannelId(channelId)}`;
  return { namespace: "token", key, guildId };
}
