import { type REST, RequestMethod, Routes } from "discord.js";
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
  const fault = applicationShape(answer);
  if (fault !== undefined) throw notDiscord(`${fault} of /applications/@me`);
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
