import { onTestFinished } from "vitest";
import { createHttp } from "../../../src/http/index.ts";
import { type Call, type CallServices, callOnce } from "../../../src/video/call.ts";
import { methods } from "../../../src/video/index.ts";
import type { MethodSpec } from "../../../src/video/methods/spec.ts";
import { rememberExhaustion } from "../../../src/video/remember-exhaustion.ts";
import { fakeTime } from "../../http/server.ts";
import {
  startUploadService,
  type UploadService,
  type UploadServiceOptions,
} from "../../support/upload-service.ts";

/** Small, so that small uploads have many of them. */
export const chunkBytes = 1_000;

export type Given = Partial<Omit<Call, "params">> & { readonly media: unknown };

export interface Rig {
  readonly service: UploadService;
  readonly waits: number[];
  /** Uploads by a row, `videos.insert` when none is named. */
  send(given: Given): Promise<unknown>;
}

/** A service, and a client of it with small chunks and a clock that only waits move. */
export async function rig(
  options: UploadServiceOptions & { readonly services?: Partial<CallServices> } = {},
): Promise<Rig> {
  const service = await startUploadService(options);
  const time = fakeTime();
  const http = createHttp({ ...time, random: () => 0.5 });
  onTestFinished(async () => {
    await http.close();
    await service.close();
  });
  const services: CallServices = {
    baseUrl: `${service.url}/v3`,
    uploadBaseUrl: `${service.url}/upload/v3`,
    chunkBytes,
    rows: methods,
    credentials: { token: "the-token" },
    http,
    units: rememberExhaustion(time.now),
    now: time.now,
    ...options.services,
  };
  return {
    service,
    waits: time.waits,
    send: ({ media, method = "videos.insert", row, signal, onProgress }) =>
      callOnce(services, {
        method,
        row: row ?? (methods as Readonly<Record<string, MethodSpec>>)[method] ?? never(method),
        params: { ...paramsOf[method], media },
        signal,
        ...(onProgress && { onProgress }),
      }),
  };
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

function never(method: string): never {
  throw new Error(`no row ${method}`);
}
