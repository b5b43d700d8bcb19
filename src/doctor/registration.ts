import { askForm, jsonOf } from "./ask.ts";
import { type Finding, ok, type Practice, skipped, warning, wrong } from "./types.ts";

const check = "registration";

/** Shows the registration with a token that nobody was given: who is known is told that the token is not. */
export async function registration(practice: Practice): Promise<Finding> {
  const { client, tokenUrl } = practice.config.oauth;
  if (client === undefined) return skipped(check, "none: channels can't be linked");
  const { response, trouble } = await askForm(practice, tokenUrl, {
    grant_type: "refresh_token",
    refresh_token: "none",
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  if (trouble !== undefined) return skipped(check, `authorisation service: ${trouble.found}`);
  const { error } = jsonOf(response);
  if (error === "invalid_grant") return ok(check, "the authorisation service knows it");
  if (error === "invalid_client" || error === "unauthorized_client") {
    return wrong(
      check,
      "the authorisation service refuses it",
      "Copy the client's id and secret again into OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET; it must be one for a web application.",
    );
  }
  return warning(
    check,
    `the authorisation service answers with ${response.status}`,
    "Check OAUTH_TOKEN_URL; if it is right, look again in a while.",
  );
}
