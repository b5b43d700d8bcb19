import { randomBytes } from "node:crypto";

export interface EncodedBody {
  readonly body: Uint8Array | string | undefined;
  /** Set when the encoding decides it. */
  readonly type?: string;
}

const lineEnd = "\r\n";

/**
 * Settles a form's bytes once: it gets its boundary here, so that every attempt sends the same. Files are taken in
 * pieces, because Node's own way joins them in one go, which for 12 MB holds up the event loop for over 10 ms.
 */
export async function encodeForm(form: FormData): Promise<EncodedBody> {
  const boundary = `----form-${randomBytes(16).toString("hex")}`;
  const parts: (Buffer | File)[] = [];
  for (const [name, value] of form) {
    parts.push(Buffer.from(`--${boundary}${lineEnd}${headerOf(name, value)}`));
    parts.push(typeof value === "string" ? Buffer.from(withLineEnds(value)) : value);
    parts.push(Buffer.from(lineEnd));
  }
  parts.push(Buffer.from(`--${boundary}--${lineEnd}`));
  return { body: await placed(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function headerOf(name: string, value: string | File): string {
  const lines = [`Content-Disposition: form-data; name="${quotable(withLineEnds(name))}"`];
  if (typeof value !== "string") {
    lines[0] += `; filename="${quotable(value.name)}"`;
    lines.push(`Content-Type: ${value.type || "application/octet-stream"}`);
  }
  return [...lines, "", ""].join(lineEnd);
}

function quotable(text: string): string {
  return text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

function withLineEnds(text: string): string {
  return text.replace(/\r\n|\r|\n/gu, lineEnd);
}

async function placed(parts: readonly (Buffer | File)[]): Promise<Uint8Array> {
  const total = parts.reduce((sum, part) => sum + ("size" in part ? part.size : part.length), 0);
  const body = Buffer.allocUnsafeSlow(total);
  let at = 0;
  for (const part of parts) {
    if (!("size" in part)) {
      at += part.copy(body, at);
      continue;
    }
    for await (const piece of part.stream()) {
      body.set(piece, at);
      at += piece.length;
    }
  }
  return body;
}
