import type { Signing } from "../credentials.ts";
import type { Encoded } from "../encode.ts";
import type { ExchangeServices, Message } from "../exchange.ts";
import type { CallOptions } from "../types.ts";
import type { UploadSpec } from "./media.ts";
import type { UploadSource } from "./source.ts";

export interface UploadServices extends ExchangeServices {
  /** Without a slash at its end. */
  readonly uploadBaseUrl: string;
  /** How much of an upload travels at once; a multiple of 256 KiB (facts: uploads). */
  readonly chunkBytes: number;
}

export interface UploadCall extends Signing {
  readonly onProgress?: CallOptions["onProgress"] | undefined;
}

export interface Upload {
  readonly call: UploadCall;
  readonly encoded: Encoded;
  readonly spec: UploadSpec;
  /** Sends one message and answers with its value, as for any call of the row. */
  readonly run: (message: Message) => Promise<unknown>;
}

/** An upload whose media was checked and can be read. */
export interface OpenUpload extends Upload {
  readonly type: string;
  readonly source: UploadSource;
  readonly progress: Progress;
}

/** Where media goes up to, by the protocol's name. */
export function uploadUrl(
  { uploadBaseUrl }: Pick<UploadServices, "uploadBaseUrl">,
  { path, query }: Encoded,
  uploadType: "media" | "multipart" | "resumable",
): string {
  const rest = query === "" ? "" : `&${query}`;
  return `${uploadBaseUrl}${path}?uploadType=${uploadType}${rest}`;
}

export interface Progress {
  /** Tells how far it has come; never less than before. */
  reach(sentBytes: number): void;
}

export function createProgress(
  totalBytes: number,
  onProgress: CallOptions["onProgress"],
): Progress {
  let furthest = 0;
  return {
    reach: (sentBytes) => {
      if (sentBytes <= furthest) return;
      furthest = sentBytes;
      tell(() => onProgress?.(sentBytes, totalBytes));
    },
  };
}

/** Whoever draws a progress bar badly must not lose an upload by it. */
function tell(listener: () => unknown): void {
  try {
    Promise.resolve(listener()).catch(() => {});
  } catch {
    // The same, for listeners that fail at once.
  }
}
