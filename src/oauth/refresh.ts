import { BotError, NetworkError } from "../errors.ts";
import type { Http, HttpResponse } from "../http/index.ts";
import { failureOf, jsonOf, unfinished } from "./failure.ts";
import { readScopes } from "./permissions.ts";

/** The bot's own registration at the authorisation service. */
export interface Client {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface RefreshServices extends Client {
  readonly http: Pick<Http, "request" | "backOff">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Told how each refresh came out: `renewed`, or the code of its failure. */
  readonly onRefresh?: ((outcome: string) => void) | undefined;
  /** All tries together; two minutes when absent. */
  readonly deadlineMs?: number | undefined;
  /** Of one try, before it counts as cut; ten seconds when absent. */
  readonly silenceMs?: number | undefined;
}

/** An access token; times in milliseconds since the epoch. */
export interface Access {
  readonly token: string;
  /** From then on another one is fetched. */
  readonly renewAt: number;
  /** From then on it is used no more. */
  readonly endsAt: number;
}

/** What a refresh token gave. */
interface Refreshed extends Access {
  /** Without their prefix; undefined where the answer names none. */
  readonly scopes: readonly string[] | undefined;
}

const usualDeadlineMs = 120_000;
const usualSilenceMs = 10_000;
const maxBytes = 64 * 1024;

const marginMs = 5 * 60_000;
/** What a request may take on its way, and how far the clocks may be apart. */
const slackMs = 30_000;
/** What the service gives, and what is assumed where an answer names no time. */
const usualSeconds = 3_600;

/**
 * A new access token. Asking twice harms nothing, so that a cut is repeated too.
 * @throws ConnectError `invalid_grant` when the consent is over, and others by the service's word; ServiceError,
 * LimitError and NetworkError for what may be over in a while.
 */
export async function refresh(services: RefreshServices, refreshToken: string): Promise<Refreshed> {
  try {
    const refreshed = await ask(services, refreshToken);
    services.onRefresh?.("renewed");
    return refreshed;
  } catch (error) {
    services.onRefresh?.(error instanceof BotError ? error.code : "aborted");
    throw error;
  }
}

async function ask(services: RefreshServices, refreshToken: string): Promise<Refreshed> {
  const askedAt = services.now();
  const response = await send(
    services,
    refreshToken,
    askedAt + (services.deadlineMs ?? usualDeadlineMs),
  );
  const refreshed = response.status === 200 ? refreshedOf(response, askedAt) : undefined;
  if (refreshed === undefined) throw failureOf(response, services.now());
  return refreshed;
}

/** `http` repeats what was answered or never left; what was cut is repeated here. */
async function send(
  services: RefreshServices,
  refreshToken: string,
  endAt: number,
): Promise<HttpResponse> {
  const { http, tokenUrl, clientId, clientSecret, now, signal } = services;
  const { silenceMs = usualSilenceMs } = services;
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = { method: "POST", url: tokenUrl, headers, body: `${form}` } as const;
  const limits = { retry: "token", silenceMs, maxBytes, signal } as const;
  for (let misses = 1; ; misses += 1) {
    try {
      return await http.request({ ...request, ...limits, deadlineMs: endAt - now() });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const withinMs = endAt - now();
      const goesOn = isCut(error) && (await http.backOff("token", misses, { withinMs, signal }));
      if (!goesOn) throw unfinished(error);
    }
  }
}

function isCut({ code }: NetworkError): boolean {
  return code === "cut" || code === "timeout";
}

/** Undefined when the answer holds no token that a header could carry. */
function refreshedOf({ body }: HttpResponse, askedAt: number): Refreshed | undefined {
  const { access_token: token, expires_in: seconds, scope } = jsonOf(body);
  if (typeof token !== "string" || !isToken(token)) return undefined;
  const scopes = typeof scope === "string" ? readScopes(scope) : undefined;
  return { ...accessOf(token, Number(seconds), askedAt), scopes };
}

/** Whether a header could carry it. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** A token that an answer gave which was asked for then. */
export function accessOf(token: string, seconds: number, askedAt: number): Access {
  const livesMs = (seconds > 0 ? seconds : usualSeconds) * 1_000;
  // Of a short life the first half is used at least, or there would be a refresh for every call.
  const renewAt = askedAt + Math.max(livesMs - marginMs, livesMs / 2);
  return { token, renewAt, endsAt: Math.max(renewAt, askedAt + livesMs - slackMs) };
}
