import type { Stage } from "../stage.ts";
import type { Sent } from "./requests.ts";
import type { SecretsOf } from "./tour.ts";

type Place = "path" | "headers" | "body";

/** Where a secret may be sent, and in which places of a request. */
interface Home {
  readonly origins: readonly string[];
  readonly places: readonly Place[];
}

const parts = ["path", "headers", "body"] as const satisfies readonly Place[];
/** The stand-in's interaction tokens have 96 random bytes; nothing else is as long. */
const interactionTokenLength = 128;

/**
 * Finds secrets in requests where they do not belong. Keys and tokens go only to their own service, in certain places.
 */
export function astray(
  stage: Stage,
  sent: readonly Sent[],
  secretsOf: SecretsOf,
): readonly string[] {
  const homes = homesOf(stage, secretsOf);
  return sent.flatMap((request) =>
    [...homes].flatMap(([value, { origins, places }]) =>
      parts.flatMap((place) => {
        const text = request[place];
        if (!text.includes(value) && !text.includes(encodeURIComponent(value))) return [];
        const to = `the ${place} of a request to ${request.origin}${request.path.slice(0, 20)}`;
        const isHome = origins.includes(request.origin) && places.includes(place);
        return isHome ? [] : [`a secret for ${origins.join(", ")} stood in ${to}`];
      }),
    ),
  );
}

function homesOf({ sandbox, secrets }: Stage, made: SecretsOf): ReadonlyMap<string, Home> {
  const { video, background, oauth, platform } = sandbox;
  const homes = new Map<string, Home>();
  const settle = (values: readonly string[], urls: readonly string[], places: readonly Place[]) => {
    const origins = [...new Set(urls.map((url) => new URL(url).origin))];
    for (const value of values) homes.set(value, { origins, places });
  };
  const videoUrls = [video.url, video.uploadUrl];
  const interactions = secrets().filter((value) => value.length === interactionTokenLength);
  // Default for secrets that are in no line below: tokens of consents, which came from Google's OAuth on the way.
  settle(secrets(), [...videoUrls, oauth.url, platform.url], ["headers", "body"]);
  // YouTube accepts keys only as a parameter.
  settle([video.key, ...made.key], videoUrls, ["path"]);
  settle([background.key, ...made.image], [background.url], ["headers"]);
  settle([oauth.clientSecret, ...made.refresh], [oauth.url], ["body"]);
  settle([...made.code, ...made.verifier], [oauth.url, platform.url], ["body"]);
  settle([platform.clientSecret], [platform.url], ["body", "headers"]);
  settle([platform.token], [platform.url], ["headers"]);
  settle(interactions, [platform.url], ["path"]);
  settle(made.state, [], []);
  // A one-time token is in the address behind the button that opens a link's page.
  settle(made.ticket, [platform.url], ["body"]);
  return homes;
}
