import { createHash, randomBytes } from "node:crypto";
import { checkGuildId } from "../database/index.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import { answer, change } from "./failure.ts";
import { checkUserId } from "./ids.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";

/** A sealed record that whoever holds its token may use once. */
export interface Ticket {
  readonly guildId: string;
  readonly userId: string;
  /** JSON-shaped; may hold secrets. */
  readonly content: unknown;
  /** What it is, where it is no step of a link: `push` is what a hub calls back. Stored openly. */
  readonly of?: "push";
}

export type Tickets = ReturnType<typeof createTickets>;

/** What lies in the store: the guild openly, so that it can be erased, the rest sealed. */
export interface KeptTicket {
  readonly guildId: string;
  readonly sealed: string;
  readonly of?: Ticket["of"];
}

const tokenBytes = 32;
const shape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Records that only the holder of their token can find, and one holder can take. The token has 256 random bits (43
 * characters base64url) and is stored as its SHA-256 only.
 */
export function createTickets({ records, keyring }: Omit<SealedRecordsDeps, "onSecret">) {
  async function read(key: string): Promise<Ticket | undefined> {
    const kept = await records.get(ticketAt(key));
    return kept === undefined ? undefined : openTicket(keyring, key, kept);
  }

  return {
    /** Answers the token. @throws ServiceError `store_unavailable`. */
    put: (ticket: Ticket, ttlMs: number) =>
      change(async () => {
        const guildId = checkGuildId(ticket.guildId);
        const token = randomBytes(tokenBytes).toString("base64url");
        const key = keyOf(token);
        const kept = sealTicket(keyring, key, ticket);
        await records.set({ ...ticketAt(key), guildId }, kept, Math.max(1, ttlMs));
        return token;
      }),
    /** Absent for anything that is no token. */
    read: (token: string) =>
      answer(async () => (shape.test(token) ? read(keyOf(token)) : undefined)),
    /** The same, and only one of all who ask at once gets it. */
    take: (token: string) =>
      answer(async () => {
        if (!shape.test(token)) return undefined;
        const key = keyOf(token);
        let taken: unknown;
        await records.change(ticketAt(key), (value) => {
          taken = value;
          return undefined;
        });
        return taken === undefined ? undefined : openTicket(keyring, key, taken);
      }),
    /** What the tickets of one person in one guild have in common; sealed too. */
    readDraft: (guildId: string, userId: string) =>
      answer(async () => read(draftKey(guildId, userId))),
    /**
     * Replaces the content of that by what is made of it, `undefined` where there is none, and answers it; nobody, in this
     * process or another, comes between. To make `undefined` removes it. `make` may be called several times.
     * @throws ServiceError `store_unavailable`.
     */
    changeDraft: <T>(
      { guildId, userId }: Pick<Ticket, "guildId" | "userId">,
      make: (content: unknown) => T,
      ttlMs: number,
    ): Promise<T> =>
      change(async () => {
        const key = draftKey(guildId, userId);
        let made: { content: T } | undefined;
        const text = (kept: unknown) => {
          const content = make(kept && openTicket(keyring, key, kept).content);
          made = { content };
          if (content === undefined) return undefined;
          return sealTicket(keyring, key, { guildId, userId, content });
        };
        await records.change({ ...ticketAt(key), guildId }, text, Math.max(1, ttlMs));
        if (made === undefined) throw new Error("the store made nothing of a draft");
        return made.content;
      }),
  };
}

function openTicket(keyring: Keyring, key: string, kept: unknown): Ticket {
  const { guildId, sealed, of } = kept as KeptTicket;
  const { userId, content } = JSON.parse(open(keyring, ticketContext(guildId, key), sealed));
  return { guildId, userId, content, ...(of && { of }) };
}

function sealTicket(
  keyring: Keyring,
  key: string,
  { guildId, userId, content, of }: Ticket,
): KeptTicket {
  const text = JSON.stringify({ userId, content });
  const kept = { guildId, sealed: seal(keyring, ticketContext(guildId, key), text) };
  return { ...kept, ...(of && { of }) };
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
