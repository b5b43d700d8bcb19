import { onTestFinished } from "vitest";
import { ConnectError } from "../../src/errors.ts";
import { createLinks, type LinkRequest, type LinksDeps } from "../../src/oauth/index.ts";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import type { PersonName } from "../../src/sandbox/types.ts";
import type { Revocation, Store } from "../../src/store/index.ts";
import { type Choice, sentTo } from "../sandbox/oauth/support.ts";
import { guild, openService } from "./stage.ts";

export const publicUrl = "http://127.0.0.1:9/greenroom";
export const browser = "a".repeat(43);
export const otherBrowser = "b".repeat(43);
export const robin = "333333333333333333";

export interface LinksStageOptions extends Partial<LinksDeps> {
  /** If given, the browser has to prove its identity at this stand-in for Discord. */
  readonly platform?: Platform;
  readonly userId?: string;
}

/** Linking with the stand-ins, a real store, and a clock that only the test moves. */
export async function openLinks({ platform, userId = robin, ...changes }: LinksStageOptions = {}) {
  const { server, front, http, store, now, advance } = await openService();
  server.allowRedirect(`${publicUrl}/oauth/callback`);
  const pending: unknown[] = [];
  const secrets: string[] = [];
  const { clientId, clientSecret, authorizeUrl } = server;
  const options: LinksDeps = {
    http,
    now,
    publicUrl,
    onSecret: (secret) => secrets.push(secret),
    oneTimeTokens: store.oneTimeTokens,
    credentials: store.credentials,
    accessTokens: store.accessTokens,
    revocations: store.revocations,
    database: store.database,
    client: { clientId, clientSecret, authorizeUrl, tokenUrl: front.url },
    discord: {
      apiUrl: `${platform?.url ?? "http://127.0.0.1:9"}/api`,
      siteUrl: platform?.url ?? "http://127.0.0.1:9",
      clientSecret: platform?.clientSecret,
    },
    channelsOf: async (token) => {
      const channelId = server.identify(token)?.channelId;
      if (channelId === undefined) throw new ConnectError("x", { code: "no_channel" });
      return [{ channelId, title: `The channel ${channelId}`, subscribers: 12 }];
    },
    onPending: (one) => void pending.push(one),
    ...changes,
  };
  const links = createLinks(options);

  const by = { guildId: guild, userId };
  const ask: LinkRequest = {
    ...by,
    guildName: "Robin's studio",
    userName: "robin",
    permissions: ["read", "comments"],
    answerTo: {
      applicationId: platform?.applicationId ?? "444444444444444444",
      interactionToken: "the-interaction-token",
      locale: "de",
    },
  };
  const begin = async (more: Partial<LinkRequest> = {}) =>
    oneTimeTokenOf(await links.begin({ ...ask, ...more }));
  /** Consents in the browser, from the link's page on; returns the address that the browser is sent back to. */
  const consent = async (token: string, choice: Choice = {}, at = browser) =>
    sentTo((await links.authorise(token, at, ["read", "comments"])).href, choice);
  const linked = () => store.credentials.channels(guild);
  /** From the command to the confirmed link. */
  const link = async (choice: Choice = {}) => {
    const { handle, code } = await links.answered(await consent(await begin(), choice), browser);
    return links.confirm(handle, by, code);
  };
  return {
    links,
    options,
    store,
    server,
    http,
    advance,
    now,
    pending,
    secrets,
    asked: front.received,
    ask,
    by,
    begin,
    consent,
    linked,
    link,
  };
}

export function oneTimeTokenOf({ url }: { readonly url: string }): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

export async function openPlatform(): Promise<Platform> {
  const platform = await startPlatform();
  onTestFinished(() => platform.close());
  platform.allowRedirect(`${publicUrl}/discord/callback`);
  return platform;
}

/** Signs in on Discord's page; returns the address that the browser is sent back to. */
export async function signIn(url: URL, person: PersonName, decision = "authorize"): Promise<URL> {
  const page = await (await fetch(url)).text();
  const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const response = await fetch(`${url.origin}/oauth2/authorize`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ request, person, decision }),
  });
  return new URL(response.headers.get("location") ?? "about:blank");
}

/** Everything that an error and its causes could reveal. */
export function shownBy(error: Error): string {
  const shown: string[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    shown.push(one.message, one.stack ?? "", JSON.stringify(one));
  }
  return shown.join("\n");
}

/** All stored revocations with their tokens, the earliest first. */
export async function revocationsOf({
  database,
  revocations,
}: Store): Promise<readonly Revocation[]> {
  const rows = await database.db.selectFrom("revocations").select("id").orderBy("due_at").execute();
  const reads = await Promise.all(rows.map(({ id }) => revocations.read(id)));
  return reads.flatMap((read) => (read.state === "found" ? [read.value] : []));
}
