import { randomBytes } from "node:crypto";
import type { FormFile, MultipartForm } from "./types.ts";

const lineEnd = "\r\n";

export function encodeForm(form: MultipartForm) {
  const boundary = `----form-${randomBytes(16).toString("hex")}`;
  const parts = form.flatMap(([name, value]) => [
    Buffer.from(`--${boundary}${lineEnd}${partHeader(name, value)}`),
    typeof value === "string" ? Buffer.from(withLineEnds(value)) : value.bytes,
    Buffer.from(lineEnd),
  ]);
  const end = Buffer.from(`--${boundary}--${lineEnd}`);
  return {
    body: Buffer.concat([...parts, end]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function partHeader(name: string, value: string | FormFile): string {
  const disposition = `Content-Disposition: form-data; name="${escapeQuotes(withLineEnds(name))}"`;
  const lines =
    typeof value === "string"
      ? [disposition]
      : [`${disposition}; filename="${escapeQuotes(value.name)}"`, `Content-Type: ${value.type}`];
  return [...lines, "", ""].join(lineEnd);
}

function escapeQuotes(text: string): string {
  return text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

function withLineEnds(text: string): string {
  return text.replace(/\r\n|\r|\n/gu, lineEnd);
}
