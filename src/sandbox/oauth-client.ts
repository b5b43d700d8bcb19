import { OAuthRefusal } from "./oauth-refusal.ts";

/** An app that may ask for consent. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  /** Shown to whoever is asked. */
  readonly name: string;
  /** Where it may be answered, to the letter. */
  readonly redirectUris: readonly string[];
}

/** The clients the service knows, by id. */
export type Clients = ReadonlyMap<string, Client>;

/**
 * Which client calls, proven by its secret in the form or as Basic credentials, never both.
 * @throws OAuthRefusal `invalid_client` with 401, or `invalid_request` with 400.
 */
export function authenticate(
  clients: Clients,
  form: ReadonlyMap<string, string>,
  authorization: string | undefined,
): Client {
  const basic = readBasic(authorization);
  if (basic !== undefined && form.has("client_secret")) {
    throw new OAuthRefusal(400, "invalid_request", "Client credentials were given twice.");
  }
  const id = basic?.id ?? form.get("client_id");
  if (id === undefined) {
    throw new OAuthRefusal(400, "invalid_request", "The client is not named.");
  }
  if (form.has("client_id") && form.get("client_id") !== id) {
    throw new OAuthRefusal(400, "invalid_request", "Two different clients are named.");
  }
  const client = clients.get(id);
  if (client === undefined) throw unknownClient("There is no such client.", basic);
  const secret = basic?.secret ?? form.get("client_secret");
  if (secret !== client.secret) throw unknownClient("The client's secret is wrong.", basic);
  return client;
}

interface Basic {
  readonly id: string;
  readonly secret: string;
}

/** Both halves are form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(authorization: string | undefined): Basic | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  return { id: formDecoded(id), secret: formDecoded(rest.join(":")) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text}`).get("x") ?? "";
}

function unknownClient(description: string, basic: Basic | undefined): OAuthRefusal {
  const headers = basic && { "WWW-Authenticate": 'Basic realm="token"' };
  return new OAuthRefusal(401, "invalid_client", description, headers);
}
