import { ConnectError, NetworkError, ServiceError } from "../../errors.ts";
import { type Answered, exchangeCode, type Registered } from "../exchange.ts";
import { isGrantGone, refusalOf } from "../failure.ts";
import { type Permission, permissionsOf, readScopes } from "../permissions.ts";
import { type Access, accessOf } from "../refresh.ts";
import type { LinksOptions } from "./create-links.ts";
import {
  codeRefused,
  consentDenied,
  interrupted,
  linkOver,
  noChannel,
  noRefreshToken,
  readNotGranted,
} from "./failure.ts";
import type { ConsentedChannel, Decider } from "./types.ts";

/** What a person agreed to, and for which channel. */
export interface Consent {
  readonly refreshToken: string;
  readonly access: Access;
  readonly scopes: readonly string[];
  readonly permissions: readonly Permission[];
  readonly channel: ConsentedChannel;
}

interface Taken {
  readonly read: Answered;
  readonly by: Decider;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly asked: readonly string[];
}

/** Exchanges what came back from the authorisation service, and looks whose it is. Nothing is stored yet. */
export async function takeConsent(
  client: Registered,
  { read, by, verifier, redirectUri, asked }: Taken,
  options: LinksOptions,
): Promise<Consent> {
  if (read.kind === "foreign") throw linkOver();
  if (read.kind === "error") throw refusedBy(read.word);
  const { parameters } = read;
  const granted = await exchange(client, { verifier, redirectUri, parameters }, options);
  const { refreshToken, accessToken, scope, askedAt, expiresInSeconds = 0 } = granted;
  for (const secret of [accessToken, refreshToken]) if (secret) options.onSecret(secret);
  if (refreshToken === undefined) throw noRefreshToken();
  const scopes = scope === undefined ? asked : readScopes(scope);
  const permissions = permissionsOf(scopes);
  // Whose account it is stays unknown, and to end its consent might part a link that it has: it is forgotten.
  if (!permissions.includes("read")) throw readNotGranted();
  const channel = await channelOf(accessToken, by, options);
  if (channel === undefined) {
    await endAtOnce(refreshToken, options);
    throw noChannel();
  }
  const access = accessOf(accessToken, expiresInSeconds, askedAt);
  return { refreshToken, access, scopes, permissions, channel };
}

function refusedBy(word: string | undefined): ConnectError | ServiceError {
  if (word === "access_denied") return consentDenied();
  const facts = { service: "consent", ...(word && { reason: word }) };
  const message = `the authorisation endpoint answered ${word ?? "an error"}`;
  const refusal = refusalOf(word);
  if (refusal !== undefined) return new ConnectError(message, { ...refusal, facts });
  return new ServiceError(message, {
    code: "unexpected_answer",
    hint: "The link to the channel is as it was. Try again in a few minutes.",
    facts,
  });
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
