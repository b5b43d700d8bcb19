import { createHash } from "node:crypto";
import { generateRandomCodeVerifier } from "oauth4webapi";
import type { Read, Ticket } from "../../store/index.ts";
import type { Registered } from "../exchange.ts";
import { clientMissing } from "../failure.ts";
import type { Permission } from "../permissions.ts";
import type { Access } from "../refresh.ts";
import { linkOver, linksClosed, otherBrowser, storeUnavailable } from "./failure.ts";
import type { ConsentedChannel, Decider, LinkAsk, LinksOptions } from "./types.ts";

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
interface SentTicket extends Bound {
  readonly browser: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** What lies behind each kind of ticket. */
export interface TicketContents {
  readonly page: Bound;
  /** `page`: where it goes on. */
  readonly identity: SentTicket & { readonly page: string };
  readonly consent: SentTicket & { readonly asked: readonly string[] };
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

export type TicketKind = keyof TicketContents;

/** A ticket of an open link. */
export interface OpenedTicket<S extends TicketKind> {
  readonly content: TicketContents[S];
  readonly draft: Draft;
}

/*
 * Tickets and drafts of links. All of these throw ServiceError `store_unavailable`, and AccessError `link_over` where the
 * link is not open any more.
 */

type StepDeps = Pick<LinksOptions, "tickets" | "now">;

/** Answers the ticket of its page. */
export async function startDraft(deps: StepDeps, draft: Draft): Promise<string> {
  await deps.tickets.changeDraft(draft.ask, () => draft, linkMs);
  return putStep(deps, draft, "page", { link: draft.id });
}

/** Answers the step's ticket. */
export function putStep<S extends TicketKind>(
  { tickets }: StepDeps,
  { ask: { guildId, userId } }: Draft,
  step: S,
  content: TicketContents[S],
): Promise<string> {
  return tickets.put({ guildId, userId, content: { ...content, step } }, linkMs);
}

async function readStep<S extends TicketKind>(
  { tickets, now }: StepDeps,
  step: S,
  token: string,
): Promise<OpenedTicket<S>> {
  const ticket = found(await tickets.read(token));
  const content = ticket.content as { readonly step?: unknown } & TicketContents[S];
  if (content.step !== step) throw linkOver();
  const stored = found(await tickets.readDraft(ticket.guildId, ticket.userId));
  const draft = stored.content as Draft;
  if (!isOpen(draft, content.link, now())) throw linkOver();
  return { content, draft };
}

function isOpen(draft: Draft | undefined, link: string, now: number): draft is Draft {
  return draft?.id === link && now < draft.endsAt;
}

/** Changes it only while the same link is open; undefined when it is not. */
export async function changeDraft(
  { tickets, now }: StepDeps,
  draft: Draft,
  make: (current: Draft) => Draft | undefined,
): Promise<Draft | undefined> {
  let made: Draft | undefined;
  await tickets.changeDraft(
    draft.ask,
    (content) => {
      const current = content as Draft | undefined;
      const isSame = isOpen(current, draft.id, now());
      made = isSame ? make(current) : undefined;
      return isSame ? made : current;
    },
    linkMs,
  );
  return made;
}

/** @throws AccessError `link_other_browser` */
export async function visitPage(deps: StepDeps, token: string, browser: string): Promise<Draft> {
  const { draft } = await readStep(deps, "page", token);
  if (draft.isAnswered) throw linkOver();
  if (draft.browser !== undefined && draft.browser !== hashOf(browser)) throw otherBrowser();
  return draft;
}

/** From the first step on the link is that browser's. @throws AccessError `link_other_browser` */
export async function bindBrowser(deps: StepDeps, draft: Draft, browser: string): Promise<Draft> {
  const hash = hashOf(browser);
  const bound = await changeDraft(deps, draft, (current) => ({ browser: hash, ...current }));
  if (bound === undefined) throw linkOver();
  if (bound.browser !== hash) throw otherBrowser();
  return bound;
}

/** What goes with a browser to another server, which sends it back to that address. */
export function sentWith(browser: string, { id }: Draft, redirectUri: string): SentTicket {
  const verifier = generateRandomCodeVerifier();
  return { link: id, browser: hashOf(browser), verifier, redirectUri };
}

/** Takes what was sent as `state`; a wrong browser uses nothing up. @throws AccessError `link_other_browser` */
export async function takeSent<S extends "identity" | "consent">(
  deps: StepDeps,
  step: S,
  { state, browser }: { readonly state: string; readonly browser: string },
): Promise<OpenedTicket<S>> {
  const { content, draft } = await readStep(deps, step, state);
  if (content.browser !== hashOf(browser)) throw otherBrowser();
  if (draft.isAnswered) throw linkOver();
  await takeTicket(deps, state);
  return { content, draft };
}

/** The `state` of an answer. @throws AccessError `link_over` unless there is exactly one. */
export function stateOf(answer: URL): string {
  const [state, ...more] = answer.searchParams.getAll("state");
  if (state === undefined || more.length > 0) throw linkOver();
  return state;
}

export async function readPending(
  deps: StepDeps,
  handle: string,
  { guildId, userId }: Decider,
): Promise<OpenedTicket<"pending">> {
  const opened = await readStep(deps, "pending", handle);
  const { ask } = opened.draft;
  if (ask.guildId !== guildId || ask.userId !== userId) throw linkOver();
  return opened;
}

export async function takeTicket({ tickets }: StepDeps, token: string): Promise<void> {
  found(await tickets.take(token));
}

/** @throws ConnectError `oauth_client_missing` or `links_closed` where the bot has no registration or no public address. */
export function requireClient({ client, publicUrl }: LinksOptions): {
  readonly client: Registered;
  readonly publicUrl: string;
} {
  if (client === undefined) throw clientMissing();
  if (publicUrl === undefined) throw linksClosed();
  return { client, publicUrl };
}

/** A step of a link that is still open: should its server be erased during it, nothing of it is written. */
export function whileOpen<T>(
  options: StepDeps & Pick<LinksOptions, "database">,
  draft: Draft,
  step: (draft: Draft) => Promise<T>,
): Promise<T> {
  return options.database.servers.runFor(draft.ask.guildId, async () => {
    const open = await changeDraft(options, draft, (current) => current);
    if (open === undefined) throw linkOver();
    return step(open);
  });
}

function found(read: Read<Ticket>): Ticket {
  if (read.state === "failed") throw storeUnavailable(read.error);
  if (read.state === "absent") throw linkOver();
  return read.value;
}

function hashOf(browser: string): string {
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
