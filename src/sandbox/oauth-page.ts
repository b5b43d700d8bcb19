import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** The frame of every page on which somebody consents or signs in: no script, one style sheet of our own. */
export function toPage(title: string, content: Html, stylePath: string): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${stylePath}">
  </head>
  <body>
    <main>${content}</main>
    <p class="note">A stand-in on this computer. No real account is involved.</p>
  </body>
</html>`;
}

interface PagePolicy {
  /** Where the form's answer ends up: browsers hold a redirect after a form to the same list. No form when absent. */
  readonly formGoesTo?: string;
  readonly hasImages?: boolean;
}

/** Headers of such a page: it loads nothing but its style and its own images, stands in no frame, and is never kept. */
export function pageHeaders({
  formGoesTo,
  hasImages = false,
}: PagePolicy = {}): Readonly<Record<string, string>> {
  const targets = formGoesTo === undefined ? "'none'" : `'self' ${new URL(formGoesTo).origin}`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasImages ? ["img-src 'self'"] : []),
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}
