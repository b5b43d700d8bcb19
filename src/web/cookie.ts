import type { Context } from "hono";
import { getCookie } from "hono/cookie";

/**
 * A cookie of these pages. Behind https the name's prefix makes browsers refuse it from a neighbour on the same domain
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2). `Lax`, because people come back
 * from another site.
 */
export function createCookie(name: string, { isSecure }: { readonly isSecure: boolean }) {
  const whole = `${isSecure ? "__Host-" : ""}greenroom-${name}`;
  return {
    read: (c: Context): string | undefined => getCookie(c, whole),
    /** Beside other cookies of the same answer. */
    write: (c: Context, value: string, lifetimeS: number): void => {
      const attributes = `Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      c.header("Set-Cookie", `${whole}=${value}; ${attributes}`, { append: true });
    },
  };
}
