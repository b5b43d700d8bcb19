import { html } from "hono/html";

export type PageHtml = ReturnType<typeof html>;

/** The HTML around every consent and sign-in page: no script, one style sheet of our own. */
export function toPage(title: string, content: PageHtml, stylePath: string): PageHtml {
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

/** Headers of such a page: it loads only its style and its own images, cannot be framed, and is not cached. */
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
