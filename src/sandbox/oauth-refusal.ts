/** Ends a request to the authorisation service: as JSON at its endpoints (RFC 6749, 5.2), as a page to a person. */
export class OAuthRefusal extends Error {
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
