import { createHash, randomBytes } from "node:crypto";
import { checkGuildId } from "../database/index.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import { readStore, writeStore } from "./failure.ts";
import { checkUserId } from "./ids.ts";
import { isUnreadable, type Keyring, openSealed, type SealContext, seal } from "./seal.ts";

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

/** The stored form. The guild is readable, so that its tokens can be erased; the rest is sealed. */
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
  async function read(key: string): Promise<OneTimeToken | undefined> {
    const stored = await records.get(recordAt(key));
    return stored === undefined ? undefined : openToken(keyring, key, stored);
  }

  return {
    /** Returns the token. @throws ServiceError `store_unavailable`. */
    put: (record: OneTimeToken, ttlMs: number) =>
      writeStore(async () => {
        const guildId = checkGuildId(record.guildId);
        const token = randomBytes(tokenBytes).toString("base64url");
        const key = keyOf(token);
        // A path is needed once more when its subscription has to end.
        const stored = sealToken(keyring, key, record.of ? { ...record, token } : record);
        await records.set({ ...recordAt(key), guildId }, stored, Math.max(1, ttlMs));
        return token;
      }),
    /** Absent for anything that does not look like a token. */
    read: (token: string) =>
      readStore(async () => (tokenShape.test(token) ? read(keyOf(token)) : undefined)),
    /** Reads and removes the record. Of several callers at the same time only one gets it. */
    take: (token: string) =>
      readStore(async () => {
        if (!tokenShape.test(token)) return undefined;
        const key = keyOf(token);
        const taken = await takeValue(records, key);
        return taken === undefined ? undefined : openToken(keyring, key, taken);
      }),
    /**
     * The paths of a guild's hub callbacks, the last to expire first; those that don't open are left out.
     * @throws ServiceError `store_unavailable`.
     */
    pushes: (guildId: string) => writeStore(() => readPushes({ records, keyring }, guildId)),
    /** What all tokens of one person in one guild share. It is sealed too. */
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
        const text = (stored: unknown) => {
          const content = make(stored && openToken(keyring, key, stored).content);
          made = { content };
          if (content === undefined) return undefined;
          return sealToken(keyring, key, { guildId, userId, content });
        };
        await records.change({ ...recordAt(key), guildId }, text, Math.max(1, ttlMs));
        if (made === undefined) throw new Error("the store made nothing of a draft");
        return made.content;
      }),
  };
}

async function readPushes(
  { records, keyring }: Omit<SealedRecordsDeps, "onSecret">,
  guildId: string,
): Promise<readonly PushToken[]> {
  const { db, servers, now } = records.database;
  const serverId = await servers.find(checkGuildId(guildId));
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
  return rows.flatMap(({ key, value, expires_at: expiresAt }) => {
    try {
      const stored = (JSON.parse(value) as { readonly value: unknown }).value;
      const { content, token } = openToken(keyring, key.slice(namespace.length + 1), stored);
      return token === undefined ? [] : [{ content, token, expiresAt: expiresAt ?? 0 }];
    } catch (error) {
      if (isUnreadable(error)) return [];
      throw error;
    }
  });
}

async function takeValue(records: SealedRecordsDeps["records"], key: string): Promise<unknown> {
  let taken: unknown;
  await records.change(recordAt(key), (value) => {
    taken = value;
    return undefined;
  });
  return taken;
}

/** With the token itself where it is a callback's path. */
interface OpenedToken extends OneTimeToken {
  readonly token?: string;
}

function openToken(keyring: Keyring, key: string, stored: unknown): OpenedToken {
  const { guildId, sealed, of } = stored as StoredOneTimeToken;
  const { userId, content, token } = JSON.parse(
    openSealed(keyring, oneTimeTokenContext(guildId, key), sealed),
  );
  return { guildId, userId, content, ...(of && { of }), ...(token && { token }) };
}

function sealToken(
  keyring: Keyring,
  key: string,
  { guildId, userId, content, of, token }: OpenedToken,
): StoredOneTimeToken {
  const text = JSON.stringify({ userId, content, token });
  const stored = { guildId, sealed: seal(keyring, oneTimeTokenContext(guildId, key), text) };
  return { ...stored, ...(of && { of }) };
}

/** No token has this hash, so that nobody can use a draft as a token. */
function draftKey(guildId: string, userId: string): string {
  return keyOf(`${checkGuildId(guildId)}:${checkUserId(userId)}`);
}

function recordAt(key: string) {
  return { namespace, key } as const;
}

function keyOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function oneTimeTokenContext(guildId: string, key: string): SealContext {
  return { purpose: "ticket", guildId, kind: "ticket", field: key };
}
