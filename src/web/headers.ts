interface HeaderParts {
  readonly isSecure: boolean;
  /** Origins that a form may send people on to: browsers hold the redirect after a form to this list too. */
  readonly formOrigins: readonly string[];
}

/** Headers of everything that is answered: it loads nothing but its own style, stands in no frame, and is never kept. */
export function headersOf({
  isSecure,
  formOrigins,
}: HeaderParts): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(formOrigins)].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    ...(isSecure && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}
