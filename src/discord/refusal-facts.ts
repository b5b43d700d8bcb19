import type { DiscordAPIError } from "discord.js";
import type { Facts } from "../errors.ts";
import { serviceWords } from "../service-words.ts";

/** The facts of a refusal that nobody foresaw, with Discord's own words: its message, and what it says of each field. */
export function refusalFacts({ status, code, message, rawError }: DiscordAPIError): Facts {
  const [title, ...fields] = message.split("\n");
  const told = "message" in rawError ? rawError.message : title;
  const said = serviceWords({ title: told, detail: fields.join("; "), names: [`${code}`] });
  return { service: "discord", status, ...(said !== undefined && { said }) };
}
