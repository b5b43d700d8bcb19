import { createHash, randomBytes } from "node:crypto";
import type { Backend, GuildRecordAt } from "./backend.ts";
import { answer, change } from "./failure.ts";
import { checkGuildId, checkUserId } from "./ids.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { Ticket, Tickets } from "./types.ts";

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
}

/** What lies in the store: the guild openly, so that it can be erased, the rest sealed. */
export interface KeptTicket {
  readonly guildId: string;
  readonly sealed: string;
  readonly of?: Ticket["of"];
}

const tokenBytes = 32;
const shape = /^[A-Za-z0-9_-]{43}$/;

/** Records that only the holder of their token can find, and one holder can take. */
export function createTickets({ backend, keyring }: Parts): Tickets {
  const records = backend.records.ticket;

  function opened(key: string, { guildId, sealed, of }: KeptTicket): Ticket {
    const { userId, content } = JSON.parse(open(keyring, ticketContext(guildId, key), sealed));
    return { guildId, userId, content, ...(of && { of }) };
  }

  function sealed({ guildId, userId, content, of }: Ticket, key: string): KeptTicket {
    const text = JSON.stringify({ userId, content });
    const kept = { guildId, sealed: seal(keyring, ticketContext(guildId, key), text) };
    return { ...kept, ...(of && { of }) };
  }

  return {
    put: ({ guildId, userId, content, of }, ttlMs) =>
      change(async () => {
        const token = randomBytes(tokenBytes).toString("base64url");
        const key = keyOf(token);
        const ticket = sealed(
          { guildId: checkGuildId(guildId), userId, content, ...(of && { of }) },
          key,
        );
        await backend.update(recordAt(guildId, key), () => ticket, Math.max(1, ttlMs));
        return token;
      }),
    read: (token) =>
      answer(async () => {
        if (!shape.test(token)) return undefined;
        const key = keyOf(token);
        const kept = await records.get<KeptTicket>(key);
        return kept && opened(key, kept);
      }),
    take: (token) =>
      answer(async () => {
        if (!shape.test(token)) return undefined;
        const key = keyOf(token);
        let taken: unknown;
        await backend.update({ namespace: "ticket", key }, (value) => {
          taken = value;
          return undefined;
        });
        return taken === undefined ? undefined : opened(key, taken as KeptTicket);
      }),
    readDraft: (guildId, userId) =>
      answer(async () => {
        const key = draftKey(guildId, userId);
        const kept = await records.get<KeptTicket>(key);
        return kept && opened(key, kept);
      }),
    changeDraft: ({ guildId, userId }, make, ttlMs) =>
      change(async () => {
        const key = draftKey(guildId, userId);
        let made: { content: ReturnType<typeof make> } | undefined;
        const text = (kept: unknown) => {
          const content = make(kept && opened(key, kept as KeptTicket).content);
          made = { content };
          return content === undefined ? undefined : sealed({ guildId, userId, content }, key);
        };
        await backend.update(recordAt(guildId, key), text, Math.max(1, ttlMs));
        if (made === undefined) throw new Error("the store made nothing of a draft");
        return made.content;
      }),
  };
}

/** No token is made of these, so that a draft is nobody's ticket. */
function draftKey(guildId: string, userId: string): string {
  return keyOf(`${checkGuildId(guildId)}:${checkUserId(userId)}`);
}

function recordAt(guildId: string, key: string): GuildRecordAt {
  return { namespace: "ticket", key, guildId };
}

function keyOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function ticketContext(guildId: string, key: string): Context {
  return { purpose: "ticket", guildId, kind: "ticket", field: key };
}
