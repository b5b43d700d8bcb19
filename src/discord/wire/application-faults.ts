import { ConfigError } from "../../errors.ts";

/** What Discord says about the application, and its clock. */
interface ApplicationFacts {
  /** Its `verify_key`, which only signatures over HTTP need. */
  readonly publicKey: string | undefined;
  /** Its `interactions_endpoint_url`. */
  readonly endpointUrl: string | null | undefined;
  /** How far this machine's clock is ahead of Discord's; undefined if Discord did not tell the time. */
  readonly skewMs: number | undefined;
}

/** The part of the configuration that is compared. */
export interface ArrivalConfig {
  /** `publicKey` where interactions come over HTTP, in lower case. */
  readonly discord: { readonly publicKey: string | undefined };
  readonly publicUrl: string | undefined;
}

/** What an operator should know; as an error if nothing works with it. */
export interface ApplicationWarning {
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
export function applicationFaults(
  facts: ApplicationFacts,
  { discord, publicUrl }: ArrivalConfig,
): readonly ApplicationWarning[] {
  if (discord.publicKey === undefined) return gatewayWarnings(facts);
  const { publicKey, endpointUrl } = facts;
  if (publicKey?.toLowerCase() !== discord.publicKey) {
    throw new ConfigError("DISCORD_PUBLIC_KEY is not the public key of the bot's application", {
      code: "public_key_refused",
      hint: `Copy the Public Key from ${portal} (General Information) into DISCORD_PUBLIC_KEY, and check that DISCORD_TOKEN belongs to the same application.`,
    });
  }
  const clock = clockFault(facts);
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

function gatewayWarnings(facts: ApplicationFacts): readonly ApplicationWarning[] {
  const { endpointUrl } = facts;
  const clock = clockFault(facts);
  const endpoint = `the application has an Interactions Endpoint URL (${endpointUrl}), so Discord sends no command to the gateway; empty that field at ${portal} (General Information), or set DISCORD_PUBLIC_KEY`;
  return [
    ...(endpointUrl ? [{ level: "error", message: endpoint } as const] : []),
    ...(clock ? [{ level: "warn", message: `${clock}. ${clockAdvice}` } as const] : []),
  ];
}

function clockFault({ skewMs = 0 }: ApplicationFacts): string | undefined {
  if (Math.abs(skewMs) <= maxSkewMs) return undefined;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return `this machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} Discord's`;
}
