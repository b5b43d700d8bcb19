import { createHash } from "node:crypto";
import { generateRandomCodeVerifier } from "oauth4webapi";
import { ServiceError } from "../../errors.ts";
import type { OneTimeToken, StoreRead } from "../../store/index.ts";
import type { AuthorizationRegistration } from "../exchange.ts";
import { clientMissing } from "../failure.ts";
import type { Permission } from "../permissions.ts";
import type { TimedAccessToken } from "../refresh.ts";
import { linkError } from "./failure.ts";
import type { ConsentedChannel, LinkDecider, LinkRequest, LinksDeps } from "./types.ts";

/** How long a link is open, and then how long its consent waits to be confirmed. */
export const linkMs = 10 * 60_000;

/** What the tokens of one link have in common. A person has at most one open link per server. */
export interface LinkDraft {
  /** 128 random bits, so that tokens of an earlier link do not fit this one. */
  readonly id: string;
  readonly ask: LinkRequest;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** Hash of the cookie of the browser that took the first step. */
  readonly browser?: string;
  /** Whether that browser has proven that it belongs to the requester. */
  readonly isProven?: boolean;
  /** Whether a consent has arrived. The page no longer works then. */
  readonly isAnswered?: boolean;
  /** How many wrong codes were typed. */
  readonly wrongCodes?: number;
}

interface LinkBound {
  readonly link: string;
}

/** Sent through the person's browser to another server and back. */
interface SentToken extends LinkBound {
  readonly browser: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export interface LinkTokenContents {
  readonly page: LinkBound;
  /** `page`: the token of the page to continue at. */
  readonly identity: SentToken & { readonly page: string };
  readonly consent: SentToken & { readonly asked: readonly string[] };
  readonly pending: LinkBound & {
    readonly refreshToken: string;
    readonly access: TimedAccessToken;
    readonly scopes: readonly string[];
    readonly permissions: readonly Permission[];
    readonly channel: ConsentedChannel;
    readonly readAt: number;
    /** Id of the record that ends the consent unless it is confirmed. */
    readonly revocationId: string;
    /** The code that is typed to confirm it; absent where the browser has proven who it is. */
    readonly code?: string;
  };
}

type LinkTokenKind = keyof LinkTokenContents;

/** A token of an open link, after it was read. */
export interface OpenedLinkToken<S extends LinkTokenKind> {
  readonly content: LinkTokenContents[S];
  readonly draft: LinkDraft;
}

/*
 * Tokens and drafts of links. All of these functions throw ServiceError `store_unavailable`, and AccessError `link_over`
 * when the link is no longer open.
 */

/** Returns the token of the step. */
export function putStep<S extends LinkTokenKind>(
  { oneTimeTokens }: LinksDeps,
  { ask: { guildId, userId } }: LinkDraft,
  step: S,
  content: LinkTokenContents[S],
): Promise<string> {
  return oneTimeTokens.put({ guildId, userId, content: { ...content, step } }, linkMs);
}

async function readStep<S extends LinkTokenKind>(
  { oneTimeTokens, now }: LinksDeps,
  step: S,
  token: string,
): Promise<OpenedLinkToken<S>> {
  const { guildId, userId, content: stored } = requireFound(await oneTimeTokens.read(token));
  const content = stored as { readonly step?: unknown } & LinkTokenContents[S];
  if (content.step !== step) throw linkError("link_over");
  const draft = requireFound(await oneTimeTokens.readDraft(guildId, userId)).content as LinkDraft;
  if (!isOpen(draft, content.link, now())) throw linkError("link_over");
  return { content, draft };
}

function isOpen(draft: LinkDraft | undefined, link: string, now: number): draft is LinkDraft {
  return draft?.id === link && now < draft.endsAt;
}

/** Changes the draft only while the same link is open. Returns undefined when it is not. */
export async function changeDraft(
  { oneTimeTokens, now }: LinksDeps,
  draft: LinkDraft,
  make: (current: LinkDraft) => LinkDraft | undefined,
): Promise<LinkDraft | undefined> {
  let made: LinkDraft | undefined;
  await oneTimeTokens.changeDraft(
    draft.ask,
    (content) => {
      const current = content as LinkDraft | undefined;
      const isSame = isOpen(current, draft.id, now());
      made = isSame ? make(current) : undefined;
      return isSame ? made : current;
    },
    linkMs,
  );
  return made;
}

/** @throws AccessError `link_other_browser` */
export async function visitPage(
  deps: LinksDeps,
  token: string,
  browser: string,
): Promise<LinkDraft> {
  const { draft } = await readStep(deps, "page", token);
  if (draft.isAnswered) throw linkError("link_over");
  if (draft.browser !== undefined && draft.browser !== hashBrowser(browser))
    throw linkError("link_other_browser");
  return draft;
}

/** The first step binds the link to its browser. @throws AccessError `link_other_browser` */
export async function bindBrowser(
  deps: LinksDeps,
  draft: LinkDraft,
  browser: string,
): Promise<LinkDraft> {
  const hash = hashBrowser(browser);
  const bound = await changeDraft(deps, draft, (current) => ({ browser: hash, ...current }));
  if (bound === undefined) throw linkError("link_over");
  if (bound.browser !== hash) throw linkError("link_other_browser");
  return bound;
}

/** What is stored while a browser visits another server, which sends it back to `redirectUri`. */
export function sentWith(browser: string, { id }: LinkDraft, redirectUri: string): SentToken {
  const verifier = generateRandomCodeVerifier();
  return { link: id, browser: hashBrowser(browser), verifier, redirectUri };
}

/** Takes the token that was sent as `state`. The wrong browser does not use it up. @throws AccessError `link_other_browser` */
export async function takeSent<S extends "identity" | "consent">(
  deps: LinksDeps,
  step: S,
  { state, browser }: { readonly state: string; readonly browser: string },
): Promise<OpenedLinkToken<S>> {
  const { content, draft } = await readStep(deps, step, state);
  if (content.browser !== hashBrowser(browser)) throw linkError("link_other_browser");
  if (draft.isAnswered) throw linkError("link_over");
  await takeToken(deps, state);
  return { content, draft };
}

/** The `state` of an answer. @throws AccessError `link_over` unless there is exactly one. */
export function readStateParameter(answer: URL): string {
  const [state, ...more] = answer.searchParams.getAll("state");
  if (state === undefined || more.length > 0) throw linkError("link_over");
  return state;
}

export async function readPending(
  deps: LinksDeps,
  handle: string,
  { guildId, userId }: LinkDecider,
): Promise<OpenedLinkToken<"pending">> {
  const opened = await readStep(deps, "pending", handle);
  const { ask } = opened.draft;
  if (ask.guildId !== guildId || ask.userId !== userId) throw linkError("link_over");
  return opened;
}

export async function takeToken({ oneTimeTokens }: LinksDeps, token: string): Promise<void> {
  requireFound(await oneTimeTokens.take(token));
}

/** @throws ConnectError `oauth_client_missing` or `links_closed` if the bot has no registration or no public address. */
export function requireClient({ client, publicUrl }: LinksDeps): {
  readonly client: AuthorizationRegistration;
  readonly publicUrl: string;
} {
  if (client === undefined) throw clientMissing();
  if (publicUrl === undefined) throw linkError("links_closed");
  return { client, publicUrl };
}

/** Runs a step of a link that is still open. If the server is erased meanwhile, the step stores nothing. */
export function whileOpen<T>(
  options: LinksDeps,
  draft: LinkDraft,
  step: (draft: LinkDraft) => Promise<T>,
): Promise<T> {
  return options.database.servers.runFor(draft.ask.guildId, async () => {
    const open = await changeDraft(options, draft, (current) => current);
    if (open === undefined) throw linkError("link_over");
    return step(open);
  });
}

function requireFound(read: StoreRead<OneTimeToken>): OneTimeToken {
  if (read.state === "failed") {
    throw new ServiceError("a link can't be read from the store", {
      code: "store_unavailable",
      cause: read.error,
    });
  }
  if (read.state === "absent") throw linkError("link_over");
  return read.value;
}

function hashBrowser(browser: string): string {
  return createHash("sha256").update(`browser:${browser}`).digest("hex");
}
