import type { DiscordAPIError } from "discord.js";
import type { Facts } from "../errors.ts";
import { plainWords, serviceWords } from "../service-words.ts";

/** The facts of a refusal that nobody foresaw, with Discord's own words: its message, and what it says of each field. */
export function discordErrorFacts(error: DiscordAPIError): Facts {
  const said = saidIn(error);
  return { service: "discord", status: error.status, ...(said !== undefined && { said }) };
}

function saidIn({ code, message, rawError }: DiscordAPIError): string | undefined {
  // What is no JSON comes as its bytes, from something in between.
  const raw: unknown = rawError;
  if (raw instanceof ArrayBuffer) return serviceWords({ title: plainWords(Buffer.from(raw)) });
  const { message: title } = Object(raw) as { readonly message?: unknown };
  const names = ["number", "string"].includes(typeof code) ? [`${code}`] : [];
  // Without a message of Discord's, the error's is one of discord.js.
  if (typeof title !== "string") return serviceWords({ names });
  const [, ...fields] = message.split("\n");
  return serviceWords({ title, detail: fields.join("; "), names });
}
