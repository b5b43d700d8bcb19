export interface EncodedBody {
  readonly body: Uint8Array | string | undefined;
  /** Set when the encoding decides it. */
  readonly type?: string;
}

/** Settles a form's bytes once: it gets its boundary here, so that every attempt sends the same. */
export async function encodeForm(form: FormData): Promise<EncodedBody> {
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { body: new Uint8Array(await encoded.arrayBuffer()), type };
}
