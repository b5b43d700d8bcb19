import { OAuthRefusal } from "./oauth-refusal.ts";

/**
 * The parameters of a query or a form; empty ones count as absent.
 * @throws OAuthRefusal `invalid_request` when one is given more than once (RFC 6749, 3.1).
 */
export function readOnce(search: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (value === "") continue;
    if (values.has(name)) {
      throw new OAuthRefusal(400, "invalid_request", `More than one ${name} was given.`);
    }
    values.set(name, value);
  }
  return values;
}

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The fields of a form; none when there is no body. Any other kind of body is refused. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const text = await request.text();
  if (text !== "" && !formType.test(request.headers.get("content-type") ?? "")) {
    const description = "The body must be application/x-www-form-urlencoded.";
    throw new OAuthRefusal(400, "invalid_request", description);
  }
  return new URLSearchParams(text);
}

/** A parameter that must be there. */
export function need(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value !== undefined) return value;
  throw new OAuthRefusal(400, "invalid_request", `The parameter ${name} is missing.`);
}
