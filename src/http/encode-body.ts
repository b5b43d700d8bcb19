import type { HttpRequest } from "./types.ts";

export interface EncodedBody {
  readonly body: Uint8Array | string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Settles the bytes once: a form gets its boundary here, so that every attempt sends the same. */
export async function encodeBody({ body, headers = {} }: HttpRequest): Promise<EncodedBody> {
  if (!(body instanceof FormData)) return { body: body ?? null, headers };
  const encoded = new Response(body);
  const type = encoded.headers.get("content-type") ?? "multipart/form-data";
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    headers: { ...headers, "content-type": type },
  };
}
