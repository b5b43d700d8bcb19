import type { Database } from "../database/index.ts";
import type { AccessTokens, Credential, Credentials } from "../store/index.ts";
import { isWeekOld } from "./grant.ts";
import type { Held } from "./renewal.ts";

/** Told once, by one process, that the consent of a linked channel is over; part of the transaction that marks it. */
export type OnGone = (
  guildId: string,
  channelId: string,
  how: { readonly isSevenDays: boolean },
) => Promise<void>;

interface MarkServices {
  readonly database: Pick<Database, "transaction">;
  readonly credentials: Pick<Credentials, "changeChannel">;
  readonly accessTokens: Pick<AccessTokens, "remove">;
  readonly now: () => number;
  readonly onGone?: OnGone | undefined;
}

/** Marks of links whose consent the service calls over. */
export function createMarks({ database, credentials, accessTokens, now, onGone }: MarkServices) {
  return { mark, heal };

  /** Answers whether it is marked, here or elsewhere; only who marks it tells. */
  async function mark({ guildId, credential }: Held): Promise<boolean> {
    const { channelId, secret } = credential;
    if (channelId === undefined) return false;
    const goneAt = now();
    const isWhole = (current: Credential) =>
      current.secret === secret && current.brokenAt === undefined;
    try {
      const change = { brokenAt: goneAt };
      await database.transaction(async () => {
        const isFirst = await credentials.changeChannel(guildId, channelId, change, isWhole);
        if (!isFirst) return;
        await onGone?.(guildId, channelId, { isSevenDays: isWeekOld(credential, goneAt) });
      });
    } catch {
      return false;
    }
    await accessTokens.remove(guildId, channelId).catch(() => undefined);
    return true;
  }

  /** The consent lives after all. */
  async function heal(guildId: string, channelId: string, secret: string): Promise<void> {
    const isSame = (current: Credential) => current.secret === secret;
    // Tried again with the next refresh.
    await credentials
      .changeChannel(guildId, channelId, { brokenAt: undefined }, isSame)
      .catch(() => undefined);
  }
}
