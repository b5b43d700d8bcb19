import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** The frame of every page: no script, one style sheet of our own. */
export function toPage(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="/o/style.css">
  </head>
  <body>
    <main>${content}</main>
    <p class="note">A stand-in on this computer. No real account is involved.</p>
  </body>
</html>`;
}

/**
 * Headers of a page: it loads nothing but its style, stands in no frame, and is never kept. Its form may go to
 * itself and on to the address given, as browsers hold a redirect after a form to this list too.
 */
export function pageHeaders(formGoesTo?: string): Readonly<Record<string, string>> {
  const targets = formGoesTo === undefined ? "'none'" : `'self' ${new URL(formGoesTo).origin}`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
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
