import { expect, onTestFinished } from "vitest";
import { createHttp } from "../../src/http/index.ts";
import { createChannelTokens } from "../../src/oauth/index.ts";
import type { InjectedFault } from "../../src/sandbox/faults.ts";
import type { OAuthServer } from "../../src/sandbox/oauth/index.ts";
import { type OpenStoreOptions, openStore, type Store } from "../../src/store/index.ts";
import { failureOf, type Received } from "../http/server.ts";
import { bakery, start, studio } from "../sandbox/oauth/support.ts";
import { seed, seeded } from "../support/random.ts";
import { counting } from "./counting.ts";

export const guild = "111111111111111111";
export const otherGuild = "222222222222222222";

export const minute = 60_000;
export const studioId = studio.channelId ?? "";
export const bakeryId = bakery.channelId ?? "";

/** Lets the endpoint give this answer instead of doing its work. */
export const refuse = (status: number, body: object | string, times = 1): InjectedFault => ({
  kind: "answer",
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
  times,
});

export async function expectFailure(
  promise: Promise<unknown>,
  kind: Parameters<typeof failureOf>[1],
  code: string,
): Promise<void> {
  expect(await failureOf(promise, kind)).toMatchObject({ code });
}

/** The form in the last request to the token endpoint. */
export function lastForm(asked: readonly Received[]): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(String(asked.at(-1)?.body)));
}

/** A consent that was reported as gone. */
export interface Gone {
  readonly guildId: string;
  readonly channelId: string;
  readonly isSevenDays: boolean;
}

type TokensDeps = Parameters<typeof createChannelTokens>[0];

/** The stand-in for Google's OAuth behind a recording proxy, a real store, and waits that take no time. */
export interface OAuthStage {
  readonly server: OAuthServer;
  readonly store: Store;
  readonly tokens: ReturnType<typeof createChannelTokens>;
  /** Requests to the token endpoint. */
  readonly asked: readonly Received[];
  readonly holdRequests: Awaited<ReturnType<typeof counting>>["hold"];
  /** In the order in which they were reported. */
  readonly gone: readonly Gone[];
  /** Another process of the same bot: its own memory, but the same store. */
  another(options?: Partial<TokensDeps>): ReturnType<typeof createChannelTokens>;
  now(): number;
  /** Every access token that was passed to `onSecret` before its use. */
  readonly secrets: readonly string[];
  advance(ms: number): void;
  /** Links a channel of the stand-in; returns its refresh token. */
  link(guildId?: string, channelId?: string): Promise<string>;
}

/** The stand-in for Google's OAuth and a real store on one clock, which only the test and waits move. */
export async function openService(options: Pick<OpenStoreOptions, "onRevocation"> = {}) {
  const { server, advance: advanceServer } = await start();
  let time = Date.UTC(2026, 10, 21, 12);
  const now = () => time;
  const advance = (ms: number) => {
    // The clocks count in whole milliseconds.
    time += Math.ceil(ms);
    advanceServer(Math.ceil(ms));
  };
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    advance(ms);
  };
  const http = createHttp({ now, random: seeded(seed), sleep });
  const front = await counting(server.tokenUrl);
  const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];
  const store = await openStore({ url: "sqlite::memory:", keys, now, ...options });
  onTestFinished(async () => {
    await Promise.all([http.close(), store.close(), front.close(), server.close()]);
  });
  return { server, front, http, store, now, advance, sleep };
}

export async function openOAuth(options: Partial<TokensDeps> = {}): Promise<OAuthStage> {
  const opened: ReturnType<typeof createChannelTokens>[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((each) => each.close()));
  });
  const { server, front, http, store, now, advance, sleep } = await openService();
  const secrets: string[] = [];
  const gone: Gone[] = [];
  const another: OAuthStage["another"] = (own = {}) => {
    const tokens = createChannelTokens({
      http,
      credentials: store.credentials,
      accessTokens: store.accessTokens,
      database: store.database,
      sleep: async (ms, signal) => {
        await sleep(ms, signal);
        await new Promise((resolve) => setImmediate(resolve));
      },
      tokenUrl: front.url,
      clientId: server.clientId,
      clientSecret: server.clientSecret,
      now,
      onSecret: (secret) => secrets.push(secret),
      onGone: async (guildId, channelId, how) => void gone.push({ guildId, channelId, ...how }),
      ...options,
      ...own,
    });
    opened.push(tokens);
    return tokens;
  };
  const tokens = another();
  const link: OAuthStage["link"] = async (guildId = guild, channelId = studioId) => {
    const { refreshToken, scopes } = server.mint({ channelId });
    const facts = { addedBy: "333333333333333333", addedAt: now() };
    const channel = { kind: "channel", secret: refreshToken, scopes, ...facts } as const;
    await store.credentials.write(guildId, { ...channel, channelId });
    return refreshToken;
  };
  return {
    server,
    store,
    tokens,
    another,
    asked: front.received,
    holdRequests: front.hold,
    secrets,
    gone,
    advance,
    now,
    link,
  };
}
