/** Ends a request to an authorisation server: as JSON at its endpoints (RFC 6749, 5.2), as a page to a person. */
export class OAuthError extends Error {
  readonly status: 400 | 401;
  /** `invalid_grant` and the like. */
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: 400 | 401,
    error: string,
    description: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }

  body(): object {
    return { error: this.error, error_description: this.message };
  }
}

/**
 * The parameters of a query or a form; empty ones count as absent.
 * @throws OAuthError `invalid_request` when one is given more than once (RFC 6749, 3.1).
 */
export function readParameters(search: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (value === "") continue;
    if (values.has(name)) {
      throw new OAuthError(400, "invalid_request", `More than one ${name} was given.`);
    }
    values.set(name, value);
  }
  return values;
}

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The fields of a form; none when there is no body. Any other kind of body is refused. */
export async function readOAuthForm(request: Request): Promise<URLSearchParams> {
  const text = await request.text();
  if (text !== "" && !formType.test(request.headers.get("content-type") ?? "")) {
    const description = "The body must be application/x-www-form-urlencoded.";
    throw new OAuthError(400, "invalid_request", description);
  }
  return new URLSearchParams(text);
}

export function requireParam(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value !== undefined) return value;
  throw new OAuthError(400, "invalid_request", `The parameter ${name} is missing.`);
}

export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  /** Where it may be answered: exactly these addresses. */
  readonly redirectUris: readonly string[];
}

export type OAuthClients = ReadonlyMap<string, OAuthClient>;

/**
 * Which client calls, proven by its secret in the form or as Basic credentials, never both.
 * @throws OAuthError `invalid_client` with 401, or `invalid_request` with 400.
 */
export function authenticate(
  clients: OAuthClients,
  form: ReadonlyMap<string, string>,
  authorization: string | undefined,
): OAuthClient {
  const basic = readBasic(authorization);
  if (basic !== undefined && form.has("client_secret")) {
    throw new OAuthError(400, "invalid_request", "Client credentials were given twice.");
  }
  const id = basic?.id ?? form.get("client_id");
  if (id === undefined) {
    throw new OAuthError(400, "invalid_request", "The client is not named.");
  }
  if (form.has("client_id") && form.get("client_id") !== id) {
    throw new OAuthError(400, "invalid_request", "Two different clients are named.");
  }
  const client = clients.get(id);
  if (client === undefined) throw unknownClient("There is no such client.", basic);
  const secret = basic?.secret ?? form.get("client_secret");
  if (secret !== client.secret) throw unknownClient("The client's secret is wrong.", basic);
  return client;
}

interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Both halves are form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  return { id: formDecoded(id), secret: formDecoded(rest.join(":")) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text}`).get("x") ?? "";
}

function unknownClient(description: string, basic: BasicCredentials | undefined): OAuthError {
  const headers = basic && { "WWW-Authenticate": 'Basic realm="token"' };
  return new OAuthError(401, "invalid_client", description, headers);
}
