import { RequestMethod } from "@discordjs/rest";
import type { REST } from "discord.js";
import { Routes } from "discord-api-types/v10";
import { ConfigError } from "../../errors.ts";
import {
  nullableShape,
  objectShape,
  optionalShape,
  type ShapeCheck,
  snowflakeShape,
  textShape,
} from "./shape.ts";
import { type DiscordWaitDeps, waitForDiscord } from "./wait-for-discord.ts";

/** The bot's application, as Discord has it. */
export interface DiscordApplication {
  readonly applicationId: string;
  readonly botId: string;
  /** Of the key that signs interactions over HTTP. Where they come over the gateway, it may be anything or missing. */
  readonly publicKey: string | undefined;
  /** Where Discord posts interactions; undefined where they come over the gateway. */
  readonly endpointUrl: string | undefined;
  /** By how much this machine's clock is ahead of Discord's; undefined where the answer has no date. */
  readonly skewMs: number | undefined;
}

const applicationShape: ShapeCheck = objectShape({
  id: snowflakeShape,
  bot: objectShape({ id: snowflakeShape }),
  interactions_endpoint_url: optionalShape(nullableShape(textShape)),
});

interface ApplicationAnswer {
  readonly id: string;
  readonly bot: { readonly id: string };
  readonly verify_key?: unknown;
  readonly interactions_endpoint_url?: string | null;
}

/**
 * Waits for as long as Discord is away.
 * @throws ConfigError when the token is refused or what answers is not Discord; the signal's reason.
 */
export async function readApplication(
  rest: REST,
  deps: DiscordWaitDeps,
): Promise<DiscordApplication> {
  return waitForDiscord((signal) => readOnce(rest, deps.now, signal), {
    ...deps,
    what: "the login",
  });
}

async function readOnce(
  rest: REST,
  now: () => number,
  signal: AbortSignal,
): Promise<DiscordApplication> {
  const response = await rest.queueRequest({
    fullRoute: Routes.currentApplication(),
    method: RequestMethod.Get,
    signal,
  });
  const answer: unknown = await response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  const malformed = applicationShape(answer);
  if (malformed !== undefined) throw notDiscord(`${malformed} of /applications/@me`);
  const application = answer as ApplicationAnswer;
  const key = application.verify_key;
  const sentAt = Date.parse(response.headers.get("date") ?? "");
  return {
    applicationId: application.id,
    botId: application.bot.id,
    publicKey: typeof key === "string" ? key.toLowerCase() : undefined,
    endpointUrl: application.interactions_endpoint_url ?? undefined,
    skewMs: Number.isNaN(sentAt) ? undefined : now() - sentAt,
  };
}

/** For answers without a field that Discord's have. */
export function notDiscord(missing: string): ConfigError {
  return new ConfigError(
    `what answers at DISCORD_API_URL is not Discord's API: ${missing} is missing`,
    {
      code: "gateway_unknown",
      hint: "Correct DISCORD_API_URL, or remove it: Discord's own address is the usual one.",
    },
  );
}

/** What the operator's configuration is compared with. */
type ApplicationFacts = Pick<DiscordApplication, "publicKey" | "endpointUrl" | "skewMs">;

/** The part of the configuration that is compared. */
export interface ArrivalConfig {
  /** `publicKey` where interactions come over HTTP, in lower case. */
  readonly discord: { readonly publicKey: string | undefined };
  readonly publicUrl: string | undefined;
}

/** What an operator should know; as an error if nothing works with it. */
interface ApplicationWarning {
  readonly level: "warn" | "error";
  readonly message: string;
}

const portal = "https://discord.com/developers/applications";
/** The endpoint refuses what is signed more than 60 s before or after our time, and the clocks go on drifting. */
const maxSkewMs = 30_000;

/**
 * Compares the application at Discord and its clock with the configuration.
 * @throws ConfigError `public_key_refused` for a DISCORD_PUBLIC_KEY of another application, `clock_wrong` where signatures would be
 * refused
 */
export function applicationWarnings(
  application: ApplicationFacts,
  { discord, publicUrl }: ArrivalConfig,
): readonly ApplicationWarning[] {
  if (discord.publicKey === undefined) return gatewayWarnings(application);
  const { publicKey, endpointUrl } = application;
  if (publicKey?.toLowerCase() !== discord.publicKey) {
    throw new ConfigError("DISCORD_PUBLIC_KEY is not the public key of the bot's application", {
      code: "public_key_refused",
      hint: `Copy the Public Key from ${portal} (General Information) into DISCORD_PUBLIC_KEY, and check that DISCORD_TOKEN belongs to the same application.`,
    });
  }
  const clock = clockWarning(application);
  if (clock !== undefined) {
    throw new ConfigError(`${clock}: Discord's signatures would be refused`, {
      code: "clock_wrong",
      hint: clockAdvice,
      facts: { mayPass: true },
    });
  }
  const expected = `${publicUrl}/discord/interactions`;
  if (endpointUrl === expected) return [];
  const found = endpointUrl ? `is ${endpointUrl}` : "is empty";
  const message = `the application's Interactions Endpoint URL ${found}, so no command reaches this bot; set it to ${expected} at ${portal} (General Information)`;
  return [{ level: "warn", message }];
}

const clockAdvice = "Let the system set its clock: timedatectl set-ntp true.";

function gatewayWarnings(application: ApplicationFacts): readonly ApplicationWarning[] {
  const { endpointUrl } = application;
  const clock = clockWarning(application);
  const endpoint = `the application has an Interactions Endpoint URL (${endpointUrl}), so Discord sends no command to the gateway; empty that field at ${portal} (General Information), or set DISCORD_PUBLIC_KEY`;
  return [
    ...(endpointUrl ? [{ level: "error", message: endpoint } as const] : []),
    ...(clock ? [{ level: "warn", message: `${clock}. ${clockAdvice}` } as const] : []),
  ];
}

function clockWarning({ skewMs = 0 }: ApplicationFacts): string | undefined {
  if (Math.abs(skewMs) <= maxSkewMs) return undefined;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return `this machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} Discord's`;
}
