import { createHash, randomBytes } from "node:crypto";
import { checkGuildId } from "../database/index.ts";
import { answer, change } from "./failure.ts";
import { checkUserId } from "./ids.ts";
import type { KeyedRecords } from "./records.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { Ticket, Tickets } from "./types.ts";

interface TicketsDeps {
  readonly records: KeyedRecords;
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
export function createTickets({ records, keyring }: TicketsDeps): Tickets {
  function opened(key: string, { guildId, sealed, of }: KeptTicket): Ticket {
    const { userId, content } = JSON.parse(open(keyring, ticketContext(guildId, key), sealed));
    return { guildId, userId, content, ...(of && { of }) };
  }

  function sealed({ guildId, userId, content, of }: Ticket, key: string): KeptTicket {
    const text = JSON.stringify({ userId, content });
    const kept = { guildId, sealed: seal(keyring, ticketContext(guildId, key), text) };
    return { ...kept, ...(of && { of }) };
  }

  async function read(key: string): Promise<Ticket | undefined> {
    const kept = await records.get(ticketAt(key));
    return kept === undefined ? undefined : opened(key, kept as KeptTicket);
  }

  return {
    put: (ticket, ttlMs) =>
      change(async () => {
        const guildId = checkGuildId(ticket.guildId);
        const token = randomBytes(tokenBytes).toString("base64url");
        const key = keyOf(token);
        await records.set({ ...ticketAt(key), guildId }, sealed(ticket, key), Math.max(1, ttlMs));
        return token;
      }),
    read: (token) => answer(async () => (shape.test(token) ? read(keyOf(token)) : undefined)),
    take: (token) =>
      answer(async () => {
        if (!shape.test(token)) return undefined;
        const key = keyOf(token);
        let taken: unknown;
        await records.change(ticketAt(key), (value) => {
          taken = value;
          return undefined;
        });
        return taken === undefined ? undefined : opened(key, taken as KeptTicket);
      }),
    readDraft: (guildId, userId) => answer(async () => read(draftKey(guildId, userId))),
    changeDraft: ({ guildId, userId }, make, ttlMs) =>
      change(async () => {
        const key = draftKey(guildId, userId);
        let made: { content: ReturnType<typeof make> } | undefined;
        const text = (kept: unknown) => {
          const content = make(kept && opened(key, kept as KeptTicket).content);
          made = { content };
          return content === undefined ? undefined : sealed({ guildId, userId, content }, key);
        };
        await records.change({ ...ticketAt(key), guildId }, text, Math.max(1, ttlMs));
        if (made === undefined) throw new Error("the store made nothing of a draft");
        return made.content;
      }),
  };
}

/** No token is made of these, so that a draft is nobody's ticket. */
function draftKey(guildId: string, userId: string): string {
  return keyOf(`${checkGuildId(guildId)}:${checkUserId(userId)}`);
}

function ticketAt(key: string) {
  return { namespace: "ticket", key } as const;
}

function keyOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function ticketContext(guildId: string, key: string): Context {
  return { purpose: "ticket", guildId, kind: "ticket", field: key };
}
