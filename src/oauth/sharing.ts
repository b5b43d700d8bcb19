import type { AccessTokens, Credentials } from "../store/index.ts";
import { hashOf } from "./grant.ts";
import type { Access } from "./refresh.ts";
import type { RefreshClaims } from "./refresh-claims.ts";
import type { Held } from "./renewal.ts";

interface SharingServices {
  readonly credentials: Pick<Credentials, "read">;
  readonly accessTokens: AccessTokens;
  readonly claims: RefreshClaims;
  readonly now: () => number;
}

interface Turn {
  /** Lets others have it. */
  readonly release?: (() => Promise<void>) | undefined;
  readonly found?: Access | undefined;
}

/** Longer than a refresh takes that succeeds at once; a killed process holds the others up for no longer. */
const holdMs = 30_000;
/** Then another refresh harms less than further waiting. */
const waitMs = 40_000;
const pollMs = 50;

/** What the processes of one bot know of each other's refreshes. */
export function createSharing(services: SharingServices, sleep: (ms: number) => Promise<void>) {
  const { credentials, accessTokens, claims, now } = services;

  return { find, takeTurn, share };

  /** Undefined unless it is better than the one held. */
  async function find(held: Held, refused: string | undefined): Promise<Access | undefined> {
    const { guildId, credential, access } = held;
    if (credential.channelId === undefined) return undefined;
    const read = await accessTokens.read(guildId, credential.channelId);
    if (read.state !== "found") return undefined;
    const { grantHash, token, renewAt, endsAt } = read.value;
    if (grantHash !== hashOf(credential.secret) || token === refused) return undefined;
    const isBetter = now() < renewAt || (now() < endsAt && token !== access?.token);
    return isBetter ? { token, renewAt, endsAt } : undefined;
  }

  /** Without a claim where the database fails, or where another's refresh takes too long. */
  async function takeTurn(held: Held, refused: string | undefined): Promise<Turn> {
    const { channelId } = held.credential;
    if (channelId === undefined) return {};
    const endAt = now() + waitMs;
    while (now() < endAt) {
      try {
        const release = await claims.take(held.guildId, channelId, holdMs);
        if (release !== undefined) return { release };
      } catch {
        return {};
      }
      await sleep(pollMs);
      const found = await find(held, refused);
      if (found !== undefined) return { found };
    }
    return {};
  }

  /** Memory has it already: where the store fails, the next process asks for its own. */
  async function share({ guildId, credential }: Held, access: Access): Promise<void> {
    const { channelId, secret } = credential;
    if (channelId === undefined) return;
    const row = { ...access, grantHash: hashOf(secret) };
    await accessTokens.write(guildId, channelId, row).catch(() => undefined);
    await keepNothingOfGone(guildId, channelId);
  }

  /** Who unlinked it meanwhile has removed its token already, and this one came afterwards. */
  async function keepNothingOfGone(guildId: string, channelId: string): Promise<void> {
    const { state } = await credentials.read(guildId, "channel", channelId);
    if (state === "absent") await accessTokens.remove(guildId, channelId).catch(() => undefined);
  }
}
