import {
  type DoctorContext,
  type Finding,
  okFinding,
  skippedFinding,
  warningFinding,
  wrongFinding,
} from "./finding.ts";
import { parseJsonBody, postFormOnce, requestOnce, type ServiceAnswer } from "./request.ts";

/** Checks whether every service answers. No request costs a unit or a credit. */
export async function checkAddresses({ config, http, now }: DoctorContext) {
  const { discord, video, background, oauth } = config;
  if (config.mode === "sandbox") {
    return {
      findings: [skippedFinding("addresses", "the sandbox connects to nothing outside")],
      answers: [],
    };
  }
  const places: readonly ServiceAddress[] = [
    ["Discord", `${discord.apiUrl}/v10/gateway`, "DISCORD_API_URL"],
    ["YouTube", `${video.baseUrl}/`, "VIDEO_API_URL"],
    ["YouTube uploads", `${video.uploadBaseUrl}/`, "VIDEO_UPLOAD_URL"],
    ["remove.bg", `${background.baseUrl}/`, "BACKGROUND_API_URL"],
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
      const answer = await requestOnce(http, now, { url: place[1] });
      return { answer, finding: findingOf(place, answer) };
    }),
  );
  return {
    findings: reached.map(({ finding }) => finding),
    answers: reached.map(({ answer }) => answer),
  };
}

type ServiceAddress = readonly [check: string, url: string, variable: string];

function findingOf(
  [check, url, variable]: ServiceAddress,
  { response, trouble }: ServiceAnswer,
): Finding {
  const { host } = new URL(url);
  if (trouble !== undefined) {
    return wrongFinding(check, `${host}: ${trouble.found}`, `${trouble.advice} (${variable})`);
  }
  if (response.status < 500) return okFinding(check, `${host} answers`);
  return warningFinding(
    check,
    `${host} answers with ${response.status}`,
    "It has a problem of its own right now. Check again in a few minutes.",
  );
}

const clockAdvice = "Let the system set its clock: timedatectl set-ntp true.";
/** Tokens are used until half a minute before they expire; signatures and TLS tolerate a few minutes. */
const bounds = { warnMs: 5_000, wrongMs: 30_000 } as const;

/**
 * Compares this machine's clock with those of the services that answered. The nearest counts, because a proxy may
 * repeat an old answer.
 */
export function checkClock(answers: readonly ServiceAnswer[]): Finding {
  const offsets = answers.flatMap(offsetOf);
  const [least] = offsets.sort((a, b) => Math.abs(a) - Math.abs(b));
  if (least === undefined) return skippedFinding("clock", "no service answered with a time");
  const seconds = Math.round(Math.abs(least) / 1000);
  const found = `${seconds} s ${least > 0 ? "behind" : "ahead of"} the services'`;
  if (Math.abs(least) >= bounds.wrongMs) return wrongFinding("clock", found, clockAdvice);
  if (Math.abs(least) >= bounds.warnMs) return warningFinding("clock", found, clockAdvice);
  return okFinding("clock", "right to within a few seconds");
}

function offsetOf({ response, ...asked }: ServiceAnswer): readonly number[] {
  const date = Date.parse(response?.headers.date ?? "");
  if (Number.isNaN(date) || !("at" in asked)) return [];
  // The header has whole seconds only.
  return [date + 500 - asked.at];
}

/** Sends a made-up token. If the service knows the client, it answers that the token is wrong. */
export async function checkRegistration(practice: DoctorContext): Promise<Finding> {
  const check = "registration";
  const { client, tokenUrl } = practice.config.oauth;
  if (client === undefined) return skippedFinding(check, "none: channels can't be linked");
  const { response, trouble } = await postFormOnce(practice, tokenUrl, {
    grant_type: "refresh_token",
    refresh_token: "none",
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  if (trouble !== undefined) return skippedFinding(check, `Google: ${trouble.found}`);
  const { error } = parseJsonBody(response);
  if (error === "invalid_grant") return okFinding(check, "Google knows it");
  if (error === "invalid_client" || error === "unauthorized_client") {
    return wrongFinding(
      check,
      "Google refuses it",
      "Copy the client's id and secret again into OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET; it must be one for a web application.",
    );
  }
  return warningFinding(
    check,
    `Google answers with ${response.status}`,
    "Check OAUTH_TOKEN_URL; if it is right, look again in a while.",
  );
}
