import { Readable } from "node:stream";
import { auth, youtube, type youtube_v3 } from "@googleapis/youtube";
import type { Sample } from "./samples.ts";

/** How a client of the package authenticates itself. */
export type Credential = { readonly key: string } | { readonly token: string };

/** A request as the package is about to send it. */
export interface Asked {
  readonly verb: string;
  readonly path: string;
}

/** The `@googleapis/youtube` package, sent to another origin; `onRequest` sees each request. */
export function openPackage(
  origin: string,
  credential: Credential,
  onRequest: (asked: Asked) => void = () => undefined,
): youtube_v3.Youtube {
  return youtube({
    version: "v3",
    rootUrl: `${origin}/`,
    // Failures must show at once.
    retry: false,
    auth: "key" in credential ? credential.key : bearer(credential.token),
    adapter: (options, send) => {
      onRequest({ verb: options.method ?? "GET", path: new URL(options.url).pathname });
      return send(options);
    },
  });
}

function bearer(token: string) {
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: token });
  return client;
}

type Operation = (params: object, options: object) => Promise<{ readonly data: unknown }>;

/**
 * Calls a method of the package by its name, like `videos.list`. The origin is given a second time with the call
 * because the package takes the origin of uploads only from there.
 */
export async function callPackage(
  { origin, credential }: { readonly origin: string; readonly credential: Credential },
  method: string,
  { params, body, media }: Sample,
): Promise<unknown> {
  const client = openPackage(origin, credential);
  const [resource = "", operation = ""] = method.split(".");
  const owner = client[resource as keyof youtube_v3.Youtube] as unknown as Record<
    string,
    Operation | undefined
  >;
  const call = owner?.[operation]?.bind(owner);
  if (call === undefined) throw new Error(`the package has no ${method}`);
  const { data } = await call(
    {
      ...params,
      ...(body !== undefined && { requestBody: body }),
      ...(media && { media: { mimeType: media.type, body: Readable.from([media.data]) } }),
    },
    { rootUrl: `${origin}/` },
  );
  return data;
}
