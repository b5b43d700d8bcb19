import { createHash, randomBytes } from "node:crypto";
import { checkSnowflake } from "../database/index.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import { readStore, writeStore } from "./failure.ts";
import { checkUserId } from "./ids.ts";
import { ifReadable, openSealed, sealContextFor, seal as sealText } from "./seal.ts";

/** What a token that works once stands for. */
export interface OneTimeToken {
  readonly guildId: string;
  readonly userId: string;
  /** JSON-shaped; may hold secrets. */
  readonly content: unknown;
  /** `push` for the path of a hub's callback; absent for a step of a link. Not sealed. */
  readonly of?: "push";
}

/** What a callback's path stands for, together with the path. */
export interface PushToken extends Pick<OneTimeToken, "content"> {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>;

/** With the token itself where it is a callback's path. */
type OpenedToken = OneTimeToken & { readonly token?: string };

/** The stored form. The server is readable, so that its tokens can be erased; the rest is sealed. */
export interface StoredOneTimeToken {
  readonly guildId: string;
  readonly sealed: string;
  readonly of?: OneTimeToken["of"];
}

const namespace = "ticket";
const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Tokens that work once. A record is found only with its token, and only one caller can take it. The token has 256 random
 * bits (43 characters of base64url), and only its SHA-256 is stored.
 */
export function createOneTimeTokens({ records, keyring }: Omit<SealedRecordsDeps, "onSecret">) {
  function seal(key: string, { guildId, userId, content, of, token }: OpenedToken) {
    const text = JSON.stringify({ userId, content, token });
    const sealed = sealText(keyring, sealContextFor("ticket", key, guildId), text);
    return { guildId, sealed, ...(of && { of }) } satisfies StoredOneTimeToken;
  }

  function open(key: string, stored: unknown): OpenedToken {
    const { guildId, sealed, of } = stored as StoredOneTimeToken;
    const text = openSealed(keyring, sealContextFor("ticket", key, guildId), sealed);
    const { userId, content, token } = JSON.parse(text);
    return { guildId, userId, content, ...(of && { of }), ...(token && { token }) };
  }

  async function read(key: string): Promise<OneTimeToken | undefined> {
    const stored = await records.get({ namespace, key });
    return stored === undefined ? undefined : open(key, stored);
  }

  return {
    /** Returns the token. @throws ServiceError `store_unavailable`. */
    put: (record: OneTimeToken, ttlMs: number) =>
      writeStore(async () => {
        const guildId = checkSnowflake(record.guildId);
        const token = randomBytes(tokenBytes).toString("base64url");
        const key = hashToken(token);
        // The path of a callback is stored too: it is needed once more when its subscription has to end.
        const stored = seal(key, record.of ? { ...record, token } : record);
        await records.set({ namespace, key, guildId }, stored, Math.max(1, ttlMs));
        return token;
      }),
    /** Absent for anything that does not look like a token. */
    read: (token: string) =>
      readStore(async () => (tokenShape.test(token) ? read(hashToken(token)) : undefined)),
    /** Reads and removes the record. Of several callers at the same time only one gets it. */
    take: (token: string) =>
      readStore(async () => {
        if (!tokenShape.test(token)) return undefined;
        const key = hashToken(token);
        let taken: unknown;
        await records.change({ namespace, key }, (value) => {
          taken = value;
          return undefined;
        });
        return taken === undefined ? undefined : open(key, taken);
      }),
    /**
     * The paths of a server's hub callbacks, the last to expire first; those that don't open are left out.
     * @throws ServiceError `store_unavailable`.
     */
    pushes: (guildId: string): Promise<readonly PushToken[]> =>
      writeStore(async () => {
        const { db, servers, now } = records.database;
        const serverId = await servers.find(checkSnowflake(guildId));
        if (serverId === undefined) return [];
        const rows = await db
          .selectFrom("keyv")
          .select(["key", "value", "expires_at"])
          .where("server_id", "=", serverId)
          .where("key", "like", `${namespace}:%`)
          .where("value", "like", '%"of":"push"%')
          .where("expires_at", ">", now())
          .orderBy("expires_at", "desc")
          .execute();
        return rows.flatMap(({ key, value, expires_at: expiresAt }) =>
          ifReadable(() => {
            const stored = (JSON.parse(value) as { readonly value: unknown }).value;
            const { content, token } = open(key.slice(namespace.length + 1), stored);
            return token === undefined ? [] : [{ content, token, expiresAt: expiresAt ?? 0 }];
          }),
        );
      }),
    /** What all tokens of one person in one server share. It is sealed too. */
    readDraft: (guildId: string, userId: string) =>
      readStore(async () => read(draftKey(guildId, userId))),
    /**
     * Replaces the content of the draft by what `make` returns for it (it gets `undefined` if there is none), and returns the
     * new content. Nobody, in this process or another, changes it in between. If `make` returns `undefined`, the record is
     * removed. `make` may be called several times.
     * @throws ServiceError `store_unavailable`.
     */
    changeDraft: <T>(
      { guildId, userId }: Pick<OneTimeToken, "guildId" | "userId">,
      make: (content: unknown) => T,
      ttlMs: number,
    ): Promise<T> =>
      writeStore(async () => {
        const key = draftKey(guildId, userId);
        let made: { content: T } | undefined;
        const change = (stored: unknown) => {
          const content = make(stored && open(key, stored).content);
          made = { content };
          return content === undefined ? undefined : seal(key, { guildId, userId, content });
        };
        await records.change({ namespace, key, guildId }, change, Math.max(1, ttlMs));
        if (made === undefined) throw new Error("the store made nothing of a draft");
        return made.content;
      }),
  };
}

/** No token has this hash, so that nobody can use a draft as a token. */
function draftKey(guildId: string, userId: string): string {
  return hashToken(`${checkSnowflake(guildId)}:${checkUserId(userId)}`);
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
