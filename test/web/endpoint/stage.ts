import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type DiscordEndpoint, signatureHeaders } from "../../../src/web/index.ts";
import { openWebForTest, startedAt } from "../stage.ts";

export const interactionsPath = "/discord/interactions";
export const eventsPath = "/discord/events";
export const masterKey = Buffer.alloc(32, "master");

/** The key pair of an application. */
export function createApplicationKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const publicHex = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  return { publicHex, privateKey };
}

export const application = createApplicationKey();

interface Posted {
  readonly key?: KeyObject;
  readonly path?: string;
  readonly visitor?: string;
  /** How long ago the request was signed. */
  readonly ageMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = Parameters<DiscordEndpoint["take"]>[1];

export type EndpointStage = Awaited<ReturnType<typeof openEndpoint>>;

/** Pages with an endpoint for Discord, and a clock that the test advances. By default every answer is deferred. */
export async function openEndpoint(
  options: Parameters<typeof openWebForTest>[0] & { readonly take?: DiscordEndpoint["take"] } = {},
) {
  const { take, ...others } = options;
  let at = startedAt;
  const looks: (() => void)[] = [];
  const taken: { readonly interaction: unknown; readonly send: Send }[] = [];
  const events: string[] = [];
  const results: string[] = [];
  const answer: DiscordEndpoint["take"] = (interaction, send) => {
    taken.push({ interaction, send });
    if (take !== undefined) return take(interaction, send);
    void send({ type: 5 });
    return at;
  };
  const web = await openWebForTest({
    now: () => at,
    every: (_, look) => {
      looks.push(look);
      return () => undefined;
    },
    discord: {
      publicKey: application.publicHex,
      take: answer,
      onEvent: (type) => events.push(type),
      doctorSecret: masterKey,
      onRequest: (result) => results.push(result),
    },
    ...others,
  });
  return {
    ...web,
    /** The interactions that were taken, in order. */
    taken,
    events,
    /** The results of the requests, in order. */
    results,
    /** Advances the clock and runs every periodic check. */
    pass(ms: number) {
      at += ms;
      for (const look of looks) look();
    },
    /** Posts as Discord does. */
    post(
      sent: string | object,
      { key = application.privateKey, path, visitor, ageMs = 0, headers }: Posted = {},
    ) {
      const body = typeof sent === "string" ? sent : JSON.stringify(sent);
      const forwarded = visitor === undefined ? {} : { "X-Forwarded-For": visitor };
      const signed = signatureHeaders(key, body, at - ageMs);
      return web.ask(path ?? interactionsPath, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...signed, ...forwarded, ...headers },
        body,
      });
    },
  };
}

/** The first lines of a signed request, as they are sent. */
export function rawHead(body: string, more: readonly string[] = []): string {
  const signed = signatureHeaders(application.privateKey, body, startedAt);
  const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
  const sized = more.some((line) => line.startsWith("Transfer-Encoding"))
    ? []
    : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`POST ${interactionsPath} HTTP/1.1`, "Host: a", ...lines, ...sized, ...more].join("\r\n");
}

export function rawPost(posted: object): string {
  const body = JSON.stringify(posted);
  return `${rawHead(body)}\r\n\r\n${body}`;
}
