/**
 * A request's whole body in one piece of memory; undefined when it is longer than `maxBytes`, and then it is read to its
 * end and kept nowhere. A video may have hundreds of megabytes, so its parts are written straight to their place.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const told = request.headers.get("content-length");
  const length = told === null ? undefined : Number(told);
  const isTooLong = length !== undefined && length > maxBytes;
  const whole = Buffer.allocUnsafeSlow(length === undefined || isTooLong ? 0 : length);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    const from = bytes;
    bytes += part.byteLength;
    if (isTooLong || bytes > maxBytes) parts.length = 0;
    else if (length === undefined) parts.push(part);
    else whole.set(part, from);
  }
  if (isTooLong || bytes > maxBytes) return undefined;
  return length === undefined ? Buffer.concat(parts) : whole;
}
