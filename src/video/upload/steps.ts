import { NetworkError, ServiceError } from "../../errors.ts";
import { maxAnswerBytes } from "../answer.ts";
import {
  type SignedExchange,
  sendSigned,
  type UnsignedRequest,
  type VideoCallDeps,
} from "../exchange.ts";
import { type OpenUpload, uploadUrl } from "./open-upload.ts";

/** Timeout of a step that sends a chunk: 8 MiB in five minutes are 28 kB a second. */
const chunkStepMs = 5 * 60_000;
const smallStepMs = 60_000;

export interface UploadSession {
  readonly url: string;
  /** Bytes that YouTube says it has stored. */
  stored: number;
  /** Whether `stored` is up to date; after a cut only YouTube knows. */
  isSure: boolean;
  /** Where the bytes end that may have arrived. */
  sentTo: number;
  /** Whether the last byte may have arrived: then the upload may be done although no answer says so. */
  mayBeWhole: boolean;
}

/** An answer, or the error because of which there is none. */
export type StepReply = SignedExchange | NetworkError;

export type UploadSteps = ReturnType<typeof createSteps>;

/** The three requests of the protocol, each sent once. */
export function createSteps(services: VideoCallDeps, upload: OpenUpload, leftMs: () => number) {
  const { call, encoded, source, type } = upload;
  const { bytes } = source;
  const send = (message: UnsignedRequest): Promise<StepReply> =>
    sendSigned(services, call, message).catch((error: unknown) => {
      if (error instanceof NetworkError) return error;
      throw error;
    });
  const put = (session: UploadSession, deadlineMs: number, range: string, body?: Uint8Array) =>
    send({
      ...step,
      isFree: true,
      method: "PUT",
      url: session.url,
      headers: { ...accept, ...(body && { "content-type": type }), "content-range": range },
      body,
      deadlineMs,
    });
  return {
    /** Requests a session. */
    begin: () => {
      const { body } = encoded;
      return send({
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
      });
    },
    /** Sends the next chunk. */
    send: async (session: UploadSession) => {
      const from = session.stored;
      const body = await source.read(from);
      const to = from + body.byteLength;
      session.sentTo = Math.max(session.sentTo, to);
      const range = `bytes ${from}-${to - 1}/${bytes}`;
      return put(session, Math.min(chunkStepMs, leftMs()), range, body);
    },
    /** Asks what is stored. */
    ask: (session: UploadSession) =>
      put(session, Math.min(smallStepMs, leftMs()), `bytes */${bytes}`),
  };
}

const accept = { accept: "application/json" } as const;
const step = { retry: "upload", tries: 1, maxBytes: maxAnswerBytes } as const;

/** YouTube may open a session on any of these hosts, whichever was asked for one. */
const serviceHosts = ".googleapis.com";

/**
 * The address of an upload session. The bytes and the token are sent there, so it must be on the host that was asked,
 * or on another of YouTube's hosts if that one is YouTube's.
 * @throws ServiceError `upload_session_host`, or `unreadable_answer` when there is no address
 */
export function sessionUrl(
  method: string,
  location: string | undefined,
  uploadUrl: string,
): string {
  if (location === undefined || !URL.canParse(location, uploadUrl)) {
    throw new ServiceError(`${method}: no session address was answered`, {
      code: "unreadable_answer",
      facts: { method },
    });
  }
  const session = new URL(location, uploadUrl);
  const asked = new URL(uploadUrl);
  const areOfYouTube = [session, asked].every(
    ({ protocol, hostname, port }) =>
      protocol === "https:" && port === "" && hostname.endsWith(serviceHosts),
  );
  const hasLogin = session.username !== "" || session.password !== "";
  if (hasLogin || !(session.origin === asked.origin || areOfYouTube)) {
    throw new ServiceError(`${method}: the session is on a host that is not YouTube's`, {
      code: "upload_session_host",
      facts: { method, host: session.host },
    });
  }
  // Every request is signed again, perhaps with a newer token.
  if (session.searchParams.has("access_token")) session.searchParams.delete("access_token");
  session.hash = "";
  return session.href;
}

/** How many bytes a session has stored: `bytes=0-N` is N + 1, no header is 0; undefined when it can't be read. */
export function storedBytes(range: string | undefined): number | undefined {
  if (range === undefined) return 0;
  const last = /^\s*(?:bytes[= ])?0-(\d{1,15})\s*$/i.exec(range)?.[1];
  return last === undefined ? undefined : Number(last) + 1;
}
