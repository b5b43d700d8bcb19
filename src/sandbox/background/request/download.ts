const waitMs = 10_000;

/** Where pictures may be downloaded from. Without a limit, callers could make this server send requests anywhere. */
export type DownloadReach = "this machine" | "nowhere";

/** Either the bytes or the error status; neither when nobody answered. */
interface DownloadResult {
  readonly bytes?: Uint8Array;
  readonly status?: number;
}

export function isHttpAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/**
 * Fetches a picture, from this machine at most and without redirects. It stops as soon as more
 * than `maxBytes` has come, one byte over.
 */
export async function download(
  address: string,
  { maxBytes, reach }: { readonly maxBytes: number; readonly reach: DownloadReach },
): Promise<DownloadResult> {
  const url = new URL(address);
  if (reach === "nowhere") return {};
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!isLoopback || url.protocol !== "http:") return {};
  const signal = AbortSignal.timeout(waitMs);
  try {
    const response = await fetch(url, { redirect: "error", signal });
    if (response.ok) return { bytes: await readUpTo(response, maxBytes + 1) };
    await response.body?.cancel();
    return { status: response.status };
  } catch {
    return {};
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks, Math.min(length, maxBytes));
}
