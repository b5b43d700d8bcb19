import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { rememberExhaustion } from "../../../src/budget/index.ts";
import { createHttp } from "../../../src/http/index.ts";
import { callOnce, type VideoCall } from "../../../src/video/call.ts";
import { createSigner } from "../../../src/video/credentials.ts";
import type { VideoCallDeps } from "../../../src/video/exchange.ts";
import { methods } from "../../../src/video/index.ts";
import type { MethodSpec } from "../../../src/video/methods/spec.ts";
import { fakeTime } from "../../http/server.ts";
import {
  startUploadService,
  type UploadService,
  type UploadServiceOptions,
} from "../../support/upload-service.ts";

/** Small, so that small uploads have many chunks. */
export const chunkBytes = 1_000;

export type Given = Partial<Omit<VideoCall, "params">> & {
  readonly media: unknown;
  readonly params?: object;
};

export interface Rig {
  readonly service: UploadService;
  readonly waits: number[];
  /** Uploads by a method, by default `videos.insert`. */
  send(given: Given): Promise<unknown>;
}

/** A stand-in for uploads, and a client of it with small chunks and a clock that only waits advance. */
export async function rig(
  options: UploadServiceOptions & { readonly services?: Partial<VideoCallDeps> } = {},
): Promise<Rig> {
  const service = await startUploadService(options);
  const time = fakeTime();
  const http = createHttp({ ...time, random: () => 0.5 });
  onTestFinished(async () => {
    await http.close();
    await service.close();
  });
  const services: VideoCallDeps = {
    baseUrl: `${service.url}/v3`,
    uploadBaseUrl: `${service.url}/upload/v3`,
    chunkBytes,
    methodSpecs: methods,
    signer: createSigner({ token: "the-token" }),
    http,
    units: rememberExhaustion(time.now),
    now: time.now,
    ...options.services,
  };
  return {
    service,
    waits: time.waits,
    send: ({ media, method = "videos.insert", params, signal, onProgress }) =>
      callOnce(services, {
        method,
        methodSpec: rowOf(method),
        params: { ...(params ?? paramsOf[method]), media },
        signal,
        ...(onProgress && { onProgress }),
      }),
  };
}

/** Bytes in which no two chunks are equal. */
export function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 256);
}

/** A stream of pieces that don't line up with chunks. */
export function streamOf(data: Uint8Array, pieceBytes = 333): Readable {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += pieceBytes) {
    pieces.push(data.subarray(at, at + pieceBytes));
  }
  return Readable.from(pieces, { objectMode: false });
}

export function video(data: unknown, length?: number) {
  return { data, type: "video/mp4", ...(length !== undefined && { bytes: length }) };
}

const paramsOf: Readonly<Record<string, object>> = {
  "videos.insert": {
    part: ["snippet", "status"],
    body: { snippet: { title: "T", categoryId: "22" }, status: { privacyStatus: "private" } },
  },
  "captions.insert": {
    part: ["snippet"],
    body: { snippet: { videoId: "v", language: "en", name: "English" } },
  },
  "thumbnails.set": { videoId: "v" },
  "watermarks.set": { channelId: "UC1", body: { timing: { type: "offsetFromStart" } } },
};

function rowOf(method: string): MethodSpec {
  const methodSpec = (methods as Readonly<Record<string, MethodSpec>>)[method];
  if (methodSpec === undefined) throw new Error(`no method ${method}`);
  return methodSpec;
}
