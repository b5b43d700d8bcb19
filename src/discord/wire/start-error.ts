import { DiscordAPIError, HTTPError } from "@discordjs/rest";
import { RESTJSONErrorCodes } from "discord-api-types/v10";
import { BotError, ConfigError } from "../../errors.ts";

const { MaximumDailyApplicationCommandCreatesReached: tooManyCommandsToday } = RESTJSONErrorCodes;
const longestReason = 300;
const later = "Check discordstatus.com and this machine's network, and start the bot again.";

/** Words a failure of Discord's API during the start for the operator; `what` was refused, such as "the login". */
export function startError(error: unknown, what: string): unknown {
  if (error instanceof BotError) return error;
  if (error instanceof DiscordAPIError) return refusedStart(error, what);
  if (error instanceof HTTPError) {
    return new ConfigError(`Discord answers ${what} with status ${error.status}`, {
      code: "discord_failing",
      hint: later,
      facts: { mayPass: true },
      cause: error,
    });
  }
  // An error with neither a code nor a cause is a bug of ours.
  const isOfNetwork =
    error instanceof Error &&
    (error.name === "AbortError" || "code" in error || error.cause !== undefined);
  if (!isOfNetwork) return error;
  // Where several addresses are refused at once, Node's message is empty.
  const { code } = error as NodeJS.ErrnoException;
  const reason = (error.message || code || error.name).slice(0, longestReason);
  return new ConfigError(`Discord can't be reached for ${what}: ${reason}`, {
    code: "discord_unreachable",
    hint: `Check DISCORD_API_URL where it is set. ${later}`,
    facts: { mayPass: true },
    cause: error,
  });
}

export function tokenRefused(cause?: unknown): ConfigError {
  return new ConfigError("Discord refused DISCORD_TOKEN", {
    code: "token_refused",
    hint: "Copy the bot's token again from the developer portal into DISCORD_TOKEN.",
    cause,
  });
}

function refusedStart(error: DiscordAPIError, what: string): BotError {
  const { status, code, message } = error;
  if (status === 401) return tokenRefused(error);
  // A list of commands is refused with a line for each mistake, and there may be hundreds.
  const [first = "", second, ...others] = message.split("\n").map((line) => line.trim());
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const line = second === undefined ? first : `${first}: ${second}`;
  const said = `${line.slice(0, longestReason)}${more}`;
  const reason = `Discord refuses ${what} with status ${status}: ${said}`;
  if (status === 429 || code === tooManyCommandsToday) {
    const hint = "Start the bot again later.";
    const facts = { mayPass: true };
    return new ConfigError(reason, { code: "discord_limit", hint, facts, cause: error });
  }
  const hint =
    status === 404
      ? "Correct DISCORD_API_URL, or remove it: Discord's own address is the usual one."
      : "Check with npm run doctor that DISCORD_TOKEN belongs to this application, or go back to the version that ran before.";
  return new ConfigError(reason, { code: "discord_refused", hint, cause: error });
}
