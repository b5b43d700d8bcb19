import { NetworkError } from "../../errors.ts";
import { maxAnswerBytes } from "../answer.ts";
import { type SignedExchange, sendSigned, type UnsignedRequest } from "../exchange.ts";
import { type OpenUpload, type UploadDeps, uploadUrl } from "./open-upload.ts";

/** Timeout of a step that sends a chunk: 8 MiB in five minutes are 28 kB a second. */
const chunkStepMs = 5 * 60_000;
/** Timeout of a step that begins a session or asks what is stored. */
const smallStepMs = 60_000;

/** One session at the service. */
export interface UploadSession {
  readonly url: string;
  /** Bytes that the service says it has stored. */
  stored: number;
  /** Whether `stored` is up to date; after a miss only the service knows. */
  isSure: boolean;
  /** Where the bytes end that may have arrived. */
  sentTo: number;
  /** Whether the last byte may have arrived: then the upload may be done although no answer says so. */
  mayBeWhole: boolean;
}

/** An answer, or the error because of which there is none. */
export type StepReply = SignedExchange | NetworkError;

/** The three requests of the protocol, each sent once. */
export interface UploadSteps {
  /** Requests a session. */
  begin(): Promise<StepReply>;
  /** Sends the next chunk. */
  send(session: UploadSession): Promise<StepReply>;
  /** Asks what is stored. */
  ask(session: UploadSession): Promise<StepReply>;
}

export function createSteps(
  services: UploadDeps,
  upload: OpenUpload,
  leftMs: () => number,
): UploadSteps {
  const { call, encoded, source, type } = upload;
  const { bytes } = source;
  const put = (session: UploadSession, deadlineMs: number, range: string, body?: Uint8Array) => {
    const headers = { ...accept, ...(body && { "content-type": type }), "content-range": range };
    const message: UnsignedRequest = {
      ...step,
      isFree: true,
      method: "PUT",
      url: session.url,
      headers,
      body,
    };
    return replyOf(sendSigned(services, call, { ...message, deadlineMs }));
  };
  return {
    begin: () => {
      const { body } = encoded;
      const message: UnsignedRequest = {
        ...step,
        method: call.methodSpec.verb,
        url: uploadUrl(services, encoded, "resumable"),
        headers: {
          ...accept,
          ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
          "x-upload-content-length": String(bytes),
          "x-upload-content-type": type,
        },
        body,
        deadlineMs: Math.min(smallStepMs, leftMs()),
      };
      return replyOf(sendSigned(services, call, message));
    },
    send: async (session) => {
      const from = session.stored;
      const body = await source.read(from);
      const to = from + body.byteLength;
      session.sentTo = Math.max(session.sentTo, to);
      const range = `bytes ${from}-${to - 1}/${bytes}`;
      return put(session, Math.min(chunkStepMs, leftMs()), range, body);
    },
    ask: (session) => put(session, Math.min(smallStepMs, leftMs()), `bytes */${bytes}`),
  };
}

const accept = { accept: "application/json" } as const;
const step = { retry: "upload", tries: 1, maxBytes: maxAnswerBytes } as const;

function replyOf(exchanged: Promise<SignedExchange>): Promise<StepReply> {
  return exchanged.catch((error: unknown) => {
    if (error instanceof NetworkError) return error;
    throw error;
  });
}
