import { ConnectError, NetworkError, ServiceError } from "../../errors.ts";
import {
  type AuthorizationAnswer,
  exchangeCode,
  questionUrl,
  type Registered,
  readAnswer,
} from "../exchange.ts";
import { isGrantGone, refusalOf } from "../failure.ts";
import {
  type Permission,
  permissions,
  permissionsOf,
  readScopes,
  scopesFor,
  writeScopes,
} from "../permissions.ts";
import { accessOf } from "../refresh.ts";
import {
  codeRefused,
  consentDenied,
  interrupted,
  linkOver,
  noChannel,
  noRefreshToken,
  nothingTicked,
  readNotGranted,
  unproven,
} from "./failure.ts";
import { wantsIdentity } from "./identity.ts";
import {
  bindBrowser,
  changeDraft,
  linkMs,
  type OpenedTicket,
  putStep,
  requireClient,
  sentWith,
  stateOf,
  type TicketContents,
  takeSent,
  visitPage,
  whileOpen,
} from "./steps.ts";
import type { ConsentedChannel, Decider, LinksOptions, PendingLink } from "./types.ts";

/** The authorisation endpoint's page for what was ticked, and always for reading. */
export async function authorise(
  options: LinksOptions,
  { ticket, browser }: { readonly ticket: string; readonly browser: string },
  given: readonly Permission[],
): Promise<URL> {
  const { client, publicUrl } = requireClient(options);
  return whileOpen(options, await visitPage(options, ticket, browser), async (visited) => {
    const draft = await bindBrowser(options, visited, browser);
    if (wantsIdentity(options, draft)) throw unproven();
    const asked = scopesFor(withReading(given));
    const sent = sentWith(browser, draft, `${publicUrl}/oauth/callback`);
    const state = await putStep(options, draft, "consent", { ...sent, asked });
    // Without a prompt for consent a second link of an account gets no refresh token.
    const more = { access_type: "offline", prompt: "consent" };
    return questionUrl(client, { ...sent, scope: writeScopes(asked), state, more });
  });
}

/** @throws InputError `nothing_ticked` */
function withReading(given: readonly Permission[]): readonly Permission[] {
  const ticked = permissions.filter((permission) => given.includes(permission));
  if (ticked.length === 0) throw nothingTicked();
  return ["read", ...ticked];
}

/** Takes the answer of the authorisation endpoint, and has the requester asked in Discord. */
export async function answered(
  options: LinksOptions,
  answer: URL,
  browser: string,
): Promise<PendingLink> {
  const { client } = requireClient(options);
  const state = stateOf(answer);
  const opened = await takeSent(options, "consent", { state, browser });
  const read = readAnswer(client, answer, state);
  return whileOpen(options, opened.draft, () => askRequester(options, client, { opened, read }));
}

/** A decision of the last moment is carried out before the consent is ended. */
const graceMs = 60_000;

async function askRequester(
  options: LinksOptions,
  client: Registered,
  {
    opened,
    read,
  }: { readonly opened: OpenedTicket<"consent">; readonly read: AuthorizationAnswer },
): Promise<PendingLink> {
  const { content, draft } = opened;
  const { revocations, now, onPending } = options;
  const consent = await takeConsent(client, { read, by: draft.ask, ...content }, options);
  const { refreshToken, channel, permissions: granted } = consent;
  const waitUntil = now() + linkMs;
  // Written first: what is never confirmed ends, also when everything after this fails.
  const revocationId = await revocations.add(refreshToken, {
    channelId: channel.channelId,
    dueAt: waitUntil + graceMs,
  });
  const handle = await putStep(options, draft, "pending", {
    ...consent,
    ...{ link: draft.id, readAt: now(), revocationId },
  });
  const waiting = await changeDraft(options, draft, (current) => ({
    ...current,
    isAnswered: true,
    endsAt: waitUntil,
  }));
  if (waiting === undefined) throw linkOver();
  const { guildId, userId, answerTo } = draft.ask;
  const missing = permissionsOf(content.asked).filter((one) => !granted.includes(one));
  const pending = { handle, guildId, userId, answerTo, channel, permissions: granted, missing };
  await onPending(pending);
  return pending;
}

/** What a person agreed to, and for which channel. */
type Consent = Pick<
  TicketContents["pending"],
  "refreshToken" | "access" | "scopes" | "permissions" | "channel"
>;

type Taken = Pick<TicketContents["consent"], "verifier" | "redirectUri" | "asked"> & {
  readonly read: AuthorizationAnswer;
  readonly by: Decider;
};

/** Exchanges what came back from the authorisation service, and looks whose it is. Nothing is stored yet. */
async function takeConsent(
  client: Registered,
  { read, by, verifier, redirectUri, asked }: Taken,
  options: LinksOptions,
): Promise<Consent> {
  if (read.kind === "foreign") throw linkOver();
  if (read.kind === "error") throw refusedBy(read.word);
  const { parameters } = read;
  const tokens = await exchange(client, { verifier, redirectUri, parameters }, options);
  const { refreshToken, accessToken, scope, askedAt, expiresInSeconds = 0 } = tokens;
  for (const secret of [accessToken, refreshToken]) if (secret) options.onSecret(secret);
  if (refreshToken === undefined) throw noRefreshToken();
  const scopes = scope === undefined ? asked : readScopes(scope);
  const granted = permissionsOf(scopes);
  // Whose account it is stays unknown, and to end its consent might part a link that it has: it is forgotten.
  if (!granted.includes("read")) throw readNotGranted();
  const channel = await channelOf(accessToken, by, options);
  if (channel === undefined) {
    await endAtOnce(refreshToken, options);
    throw noChannel();
  }
  const access = accessOf(accessToken, expiresInSeconds, askedAt);
  return { refreshToken, access, scopes, permissions: granted, channel };
}

function refusedBy(word: string | undefined): ConnectError | ServiceError {
  if (word === "access_denied") return consentDenied();
  const facts = { service: "consent", ...(word && { reason: word }) };
  const message = `the authorisation endpoint answered ${word ?? "an error"}`;
  const code = refusalOf(word);
  if (code !== undefined) return new ConnectError(message, { code, facts });
  return new ServiceError(message, { code: "unexpected_answer", facts });
}

async function exchange(
  client: Registered,
  how: Parameters<typeof exchangeCode>[1],
  options: LinksOptions,
) {
  try {
    return await exchangeCode(client, how, options);
  } catch (error) {
    if (error instanceof NetworkError) throw interrupted(error);
    throw isGrantGone(error) ? codeRefused() : error;
  }
}

/** Undefined where the account has none. */
async function channelOf(
  accessToken: string,
  { guildId, userId }: Decider,
  { channelsOf }: LinksOptions,
): Promise<ConsentedChannel | undefined> {
  try {
    const [channel] = await channelsOf(accessToken, { guildId, userId });
    return channel;
  } catch (error) {
    if (error instanceof ConnectError && error.code === "no_channel") return undefined;
    throw error;
  }
}

/** No link can have come from an account without a channel. */
async function endAtOnce(refreshToken: string, { revocations, now }: LinksOptions): Promise<void> {
  // Where the store fails, the consent is forgotten, and the account's owner can end it at the service.
  await revocations.add(refreshToken, { dueAt: now() }).catch(() => undefined);
}
