import type { CallToSign } from "../credentials.ts";
import type { EncodedCall } from "../encode.ts";
import type { UnsignedRequest, VideoCallDeps } from "../exchange.ts";
import type { VideoCallOptions } from "../types.ts";
import type { UploadSpec } from "./media.ts";
import type { UploadSource } from "./source.ts";

export interface UploadCall extends CallToSign {
  readonly onProgress?: VideoCallOptions["onProgress"] | undefined;
}

export interface PreparedUpload {
  readonly call: UploadCall;
  readonly encoded: EncodedCall;
  readonly spec: UploadSpec;
  /** Sends one message and returns its value, as for any other call. */
  readonly run: (message: UnsignedRequest) => Promise<unknown>;
}

export interface OpenUpload extends PreparedUpload {
  readonly type: string;
  readonly source: UploadSource;
  readonly reportSent: ReturnType<typeof createUploadProgress>;
}

/** The address to upload to, by the name of the protocol. */
export function uploadUrl(
  { uploadBaseUrl }: Pick<VideoCallDeps, "uploadBaseUrl">,
  { path, query }: EncodedCall,
  uploadType: "media" | "multipart" | "resumable",
): string {
  const rest = query === "" ? "" : `&${query}`;
  return `${uploadBaseUrl}${path}?uploadType=${uploadType}${rest}`;
}

/** The function that reports how many bytes have arrived; never fewer than before. */
export function createUploadProgress(
  totalBytes: number,
  onProgress: VideoCallOptions["onProgress"],
) {
  let furthest = 0;
  return (sentBytes: number): void => {
    if (sentBytes <= furthest) return;
    furthest = sentBytes;
    // An error in drawing the progress must not end the upload.
    const reported = async () => onProgress?.(sentBytes, totalBytes);
    reported().catch(() => {});
  };
}
