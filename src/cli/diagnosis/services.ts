import { type DoctorContext, type Finding, findingsAbout } from "./finding.ts";
import { parseJsonBody, postFormOnce, requestOnce, type ServiceAnswer } from "./request.ts";

/** Checks whether every service answers. No request costs a unit or a credit. */
export async function checkAddresses(context: DoctorContext) {
  const { mode, discord, video, background, oauth } = context.config;
  if (mode === "sandbox") {
    return {
      findings: [findingsAbout("addresses").skipped("the sandbox connects to nothing outside")],
      answers: [],
    };
  }
  const places: readonly ServiceAddress[] = [
    ["Discord", `${discord.apiUrl}/v10/gateway`, "DISCORD_API_URL"],
    ["YouTube", `${video.baseUrl}/`, "VIDEO_API_URL"],
    ["YouTube uploads", `${video.uploadBaseUrl}/`, "VIDEO_UPLOAD_URL"],
    background.rembgUrl === undefined
      ? ["remove.bg", `${background.baseUrl}/`, "BACKGROUND_API_URL"]
      : ["rembg", `${background.rembgUrl}/openapi.json`, "BACKGROUND_API_URL"],
    // Not needed without a registration.
    ...(oauth.client === undefined
      ? []
      : ([
          ["Google sign-in", oauth.authorizeUrl, "OAUTH_AUTHORIZE_URL"],
          ["Google tokens", oauth.tokenUrl, "OAUTH_TOKEN_URL"],
          ["Google revocation", oauth.revokeUrl, "OAUTH_REVOKE_URL"],
        ] as const)),
  ];
  const reached = await Promise.all(
    places.map(async (place) => {
      const answer = await requestOnce(context, { url: place[1] });
      return { answer, finding: describeAnswer(place, answer) };
    }),
  );
  return {
    findings: reached.map(({ finding }) => finding),
    answers: reached.map(({ answer }) => answer),
  };
}

type ServiceAddress = readonly [check: string, url: string, variable: string];

function describeAnswer(
  [check, url, variable]: ServiceAddress,
  { response, failure }: ServiceAnswer,
): Finding {
  const { host } = new URL(url);
  const address = findingsAbout(check);
  if (failure !== undefined) {
    return address.wrong(`${host}: ${failure.found}`, `${failure.advice} (${variable})`);
  }
  if (response.status < 500) return address.ok(`${host} answers`);
  return address.warning(
    `${host} answers with ${response.status}`,
    "It has a problem of its own right now. Check again in a few minutes.",
  );
}

const clock = findingsAbout("clock");
const registration = findingsAbout("registration");
const clockAdvice = "Let the system set its clock: timedatectl set-ntp true.";
/** Tokens are used until half a minute before they expire; signatures and TLS tolerate a few minutes. */
const bounds = { warnMs: 5_000, wrongMs: 30_000 } as const;

/**
 * Compares this machine's clock with those of the services that answered. The nearest counts, because a proxy may
 * repeat an old answer.
 */
export function checkClock(answers: readonly ServiceAnswer[]): Finding {
  const offsets = answers.flatMap(({ response, ...asked }) => {
    const date = Date.parse(response?.headers.date ?? "");
    // The header has whole seconds only.
    return Number.isNaN(date) || !("at" in asked) ? [] : [date + 500 - asked.at];
  });
  const [least] = offsets.sort((a, b) => Math.abs(a) - Math.abs(b));
  if (least === undefined) return clock.skipped("no service answered with a time");
  const seconds = Math.round(Math.abs(least) / 1000);
  const found = `${seconds} s ${least > 0 ? "behind" : "ahead of"} the services'`;
  if (Math.abs(least) >= bounds.wrongMs) return clock.wrong(found, clockAdvice);
  if (Math.abs(least) >= bounds.warnMs) return clock.warning(found, clockAdvice);
  return clock.ok("right to within a few seconds");
}

/** Sends a made-up token. If Google knows the client, it answers that the token is wrong. */
export async function checkRegistration(context: DoctorContext): Promise<Finding> {
  const { client, tokenUrl } = context.config.oauth;
  if (client === undefined) return registration.skipped("none: channels can't be linked");
  const { response, failure } = await postFormOnce(context, tokenUrl, {
    grant_type: "refresh_token",
    refresh_token: "none",
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  if (failure !== undefined) return registration.skipped(`Google: ${failure.found}`);
  const { error } = parseJsonBody(response);
  if (error === "invalid_grant") return registration.ok("Google knows it");
  if (error === "invalid_client" || error === "unauthorized_client") {
    return registration.wrong(
      "Google refuses it",
      "Copy the client's id and secret again into OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET; it must be one for a web application.",
    );
  }
  return registration.warning(
    `Google answers with ${response.status}`,
    "Check OAUTH_TOKEN_URL; if it is right, look again in a while.",
  );
}
