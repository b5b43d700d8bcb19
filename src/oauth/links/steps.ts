import { createHash } from "node:crypto";
import type { Read, Ticket, Tickets } from "../../store/index.ts";
import type { Permission } from "../permissions.ts";
import type { Access } from "../refresh.ts";
import { linkOver, otherBrowser, storeUnavailable } from "./failure.ts";
import type { ConsentedChannel, Decider, LinkAsk } from "./types.ts";

/** How long a link is open, and then how long its consent waits to be confirmed. */
export const linkMs = 10 * 60_000;

/** What the tickets of one link have in common; a person has one a guild. */
export interface Draft {
  /** 128 bits; tickets of an earlier link have another. */
  readonly id: string;
  readonly ask: LinkAsk;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** Hash of the browser that took the first step. */
  readonly browser?: string;
  /** That browser has proven to be the requester's. */
  readonly isProven?: boolean;
  /** A consent is here; its page leads nowhere any more. */
  readonly isAnswered?: boolean;
}

interface Bound {
  readonly link: string;
}

/** Sent through the person's browser to another server and back. */
interface Sent extends Bound {
  readonly browser: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** What lies behind each kind of ticket. */
export interface Steps {
  readonly page: Bound;
  /** `page`: where it goes on. */
  readonly identity: Sent & { readonly page: string };
  readonly consent: Sent & { readonly asked: readonly string[] };
  readonly pending: Bound & {
    readonly refreshToken: string;
    readonly access: Access;
    readonly scopes: readonly string[];
    readonly permissions: readonly Permission[];
    readonly channel: ConsentedChannel;
    readonly readAt: number;
    /** Of the row that ends the consent unless it is confirmed. */
    readonly revocationId: string;
  };
}

export type Step = keyof Steps;

/** A ticket of an open link. */
export interface Opened<S extends Step> {
  readonly content: Steps[S];
  readonly draft: Draft;
}

/** Tickets and drafts of links. Everything throws ServiceError `store_unavailable`, and AccessError `link_over`. */
export function createSteps(tickets: Tickets, now: () => number) {
  async function read<S extends Step>(step: S, token: string): Promise<Opened<S>> {
    return opened(step, found(await tickets.read(token)));
  }

  async function opened<S extends Step>(step: S, ticket: Ticket): Promise<Opened<S>> {
    const content = ticket.content as { readonly step?: unknown } & Steps[S];
    if (content.step !== step) throw linkOver();
    const kept = found(await tickets.readDraft(ticket.guildId, ticket.userId));
    const draft = kept.content as Draft;
    if (!isOpen(draft, content.link)) throw linkOver();
    return { content, draft };
  }

  function isOpen(draft: Draft | undefined, link: string): draft is Draft {
    return draft?.id === link && now() < draft.endsAt;
  }

  function put<S extends Step>({ ask }: Draft, step: S, content: Steps[S]): Promise<string> {
    const { guildId, userId } = ask;
    return tickets.put({ guildId, userId, content: { ...content, step } }, linkMs);
  }

  /** Changes it only while the same link is open. */
  async function change(draft: Draft, make: (current: Draft) => Draft | undefined) {
    let made: Draft | undefined;
    await tickets.changeDraft(
      draft.ask,
      (content) => {
        const current = content as Draft | undefined;
        const isSame = isOpen(current, draft.id);
        made = isSame ? make(current) : undefined;
        return isSame ? made : current;
      },
      linkMs,
    );
    return made;
  }

  return {
    async start(draft: Draft): Promise<string> {
      await tickets.changeDraft(draft.ask, () => draft, linkMs);
      return put(draft, "page", { link: draft.id });
    },
    put,
    change,
    async visit(token: string, browser: string): Promise<Draft> {
      const { draft } = await read("page", token);
      if (draft.isAnswered) throw linkOver();
      if (draft.browser !== undefined && draft.browser !== hashOf(browser)) throw otherBrowser();
      return draft;
    },
    /** From the first step on the link is that browser's. */
    async bind(draft: Draft, browser: string): Promise<Draft> {
      const hash = hashOf(browser);
      const bound = await change(draft, (current) => ({ browser: hash, ...current }));
      if (bound === undefined) throw linkOver();
      if (bound.browser !== hash) throw otherBrowser();
      return bound;
    },
    /** Takes what was sent as `state`; a wrong browser uses nothing up. */
    async takeSent<S extends "identity" | "consent">(step: S, state: string, browser: string) {
      const { content, draft } = await read(step, state);
      if (content.browser !== hashOf(browser)) throw otherBrowser();
      if (draft.isAnswered) throw linkOver();
      found(await tickets.take(state));
      return { content, draft };
    },
    async readPending(handle: string, { guildId, userId }: Decider): Promise<Opened<"pending">> {
      const opened = await read("pending", handle);
      const { ask } = opened.draft;
      if (ask.guildId !== guildId || ask.userId !== userId) throw linkOver();
      return opened;
    },
    async take(token: string): Promise<void> {
      found(await tickets.take(token));
    },
  };
}

function found(read: Read<Ticket>): Ticket {
  if (read.state === "failed") throw storeUnavailable(read.error);
  if (read.state === "absent") throw linkOver();
  return read.value;
}

export function hashOf(browser: string): string {
  return createHash("sha256").update(`browser:${browser}`).digest("hex");
}

/** No two of these look alike, in any usual typeface. */
const letters = "ACEFHJKMNPRTWXY";
const digits = "34679";

/** Two pairs like `K7-R4`, the same for the same link wherever it is shown. */
export function shortCode(linkId: string): string {
  const bytes = createHash("sha256").update(`code:${linkId}`).digest();
  const pick = (from: string, at: number) => from[bytes.readUInt32BE(at) % from.length];
  return `${pick(letters, 0)}${pick(digits, 4)}-${pick(letters, 8)}${pick(digits, 12)}`;
}
