import { type Asked, ask, jsonOf } from "./ask.ts";
import { type Finding, ok, type Practice, skipped, warning, wrong } from "./types.ts";

const check = "Discord's gateway";
/** Of 1,000 a day; with none left Discord resets the token (https://discord.com/developers/docs/events/gateway). */
const fewLogins = 50;

/** Discord says where its gateway is, and how often the bot may still log in today. */
export async function gateway(told: Asked, { http, now }: Practice): Promise<Finding> {
  if (told.response?.status !== 200) return skipped(check, "Discord did not tell its address");
  const { url, session_start_limit: limit } = jsonOf(told.response);
  if (typeof url !== "string" || !/^wss?:/.test(url) || !URL.canParse(url)) {
    const advice = "Check DISCORD_API_URL: what answers there is not Discord's API.";
    return wrong(check, "its address was not told", advice);
  }
  const { host } = new URL(url);
  // A plain request is refused there, which is an answer.
  const { trouble } = await ask(http, now, { url: url.replace(/^ws/, "http") });
  if (trouble !== undefined) return wrong(check, `${host}: ${trouble.found}`, trouble.advice);
  const { remaining } = Object(limit) as { remaining?: unknown };
  if (typeof remaining === "number" && remaining < fewLogins) {
    const advice =
      "Find out what starts the bot again and again; with none left Discord takes the token away.";
    return warning(check, `${host} answers; ${remaining} logins are left today`, advice);
  }
  return ok(check, `${host} answers`);
}
