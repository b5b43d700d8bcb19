import type { Http } from "../../http/index.ts";
import {
  type ExchangeServices,
  exchangeCode,
  type Question,
  type Registered,
} from "../exchange.ts";

/** Discord as an authorisation server. */
export interface DiscordApp {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Undefined where no identity is asked for. */
  readonly clientSecret: string | undefined;
}

const deadlineMs = 10_000;
const maxBytes = 64 * 1024;

/** An application's id is its client's too. https://docs.discord.com/developers/topics/oauth2 */
export function discordAt(
  { apiUrl }: DiscordApp,
  clientId: string,
  clientSecret: string,
): Registered {
  return {
    authorizeUrl: `${new URL(apiUrl).origin}/oauth2/authorize`,
    tokenUrl: `${apiUrl}/oauth2/token`,
    clientId,
    clientSecret,
  };
}

/** Learns whose browser it was, and ends the token that said so. */
export async function userIdOf(
  { apiUrl }: DiscordApp,
  at: Registered,
  how: Pick<Question, "redirectUri" | "verifier"> & { readonly parameters: URLSearchParams },
  services: ExchangeServices & { readonly onSecret: (secret: string) => void },
): Promise<string> {
  const { accessToken, refreshToken } = await exchangeCode(at, how, services);
  for (const secret of [accessToken, refreshToken]) if (secret) services.onSecret(secret);
  try {
    return await askWho(apiUrl, accessToken, services.http);
  } finally {
    // Nobody waits for it: what stays open is good for nothing but a name, and ends by itself.
    revoke(at, accessToken, services.http).catch(() => undefined);
  }
}

async function askWho(
  apiUrl: string,
  accessToken: string,
  http: Pick<Http, "request">,
): Promise<string> {
  const { status, body } = await http.request({
    method: "GET",
    url: `${apiUrl}/users/@me`,
    headers: { authorization: `Bearer ${accessToken}`, accept: "application/json" },
    ...{ retry: "read", deadlineMs, maxBytes },
  });
  const { id } = status === 200 ? Object(JSON.parse(body.toString())) : {};
  if (/^\d{15,20}$/.test(String(id))) return String(id);
  throw new Error(`the platform answered ${status} without a person`);
}

async function revoke(at: Registered, token: string, http: Pick<Http, "request">): Promise<void> {
  const { clientId, clientSecret } = at;
  const form = { token, client_id: clientId, client_secret: clientSecret };
  await http.request({
    method: "POST",
    url: `${at.tokenUrl}/revoke`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams(form)}`,
    ...{ retry: "token", tries: 2, deadlineMs, maxBytes },
  });
}
