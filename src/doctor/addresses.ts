import { type Asked, ask } from "./ask.ts";
import { type Finding, ok, type Practice, skipped, warning, wrong } from "./types.ts";

/** Whether every service answers. Nothing is asked for that costs a unit or a credit. */
export async function addresses({ config, http, now }: Practice) {
  const { discord, video, background, oauth } = config;
  if (config.mode === "sandbox") {
    return { findings: [skipped("addresses", "the sandbox asks nobody outside")], answers: [] };
  }
  const places: readonly Place[] = [
    ["Discord", `${discord.apiUrl}/v10/gateway`, "DISCORD_API_URL"],
    ["video service", `${video.baseUrl}/`, "VIDEO_API_URL"],
    ["video uploads", `${video.uploadBaseUrl}/`, "VIDEO_UPLOAD_URL"],
    ["image service", `${background.baseUrl}/`, "BACKGROUND_API_URL"],
    // Nobody is asked there without a registration.
    ...(oauth.client === undefined
      ? []
      : ([
          ["authorisation page", oauth.authorizeUrl, "OAUTH_AUTHORIZE_URL"],
          ["authorisation tokens", oauth.tokenUrl, "OAUTH_TOKEN_URL"],
          ["authorisation ends", oauth.revokeUrl, "OAUTH_REVOKE_URL"],
        ] as const)),
  ];
  const reached = await Promise.all(
    places.map(async (place) => {
      const answer = await ask(http, now, { url: place[1] });
      return { answer, finding: findingOf(place, answer) };
    }),
  );
  return {
    findings: reached.map(({ finding }) => finding),
    answers: reached.map(({ answer }) => answer),
  };
}

type Place = readonly [check: string, url: string, variable: string];

function findingOf([check, url, variable]: Place, { response, trouble }: Asked): Finding {
  const { host } = new URL(url);
  if (trouble !== undefined) {
    return wrong(check, `${host}: ${trouble.found}`, `${trouble.advice} (${variable})`);
  }
  if (response.status < 500) return ok(check, `${host} answers`);
  return warning(
    check,
    `${host} answers with ${response.status}`,
    "It has trouble of its own right now; look again in a while.",
  );
}
