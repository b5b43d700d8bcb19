import { LimitError, NetworkError, ServiceError } from "../../errors.ts";
import { retryAfterMs } from "../../http/index.ts";
import { readVideoAnswer, unreadableAnswer } from "../answer.ts";
import { exchangeFailure, type SignedExchange, type VideoCallDeps } from "../exchange.ts";
import { retryReason } from "../failures/failure.ts";
import { type OpenUpload, uploadUrl } from "./open-upload.ts";
import {
  createSteps,
  type StepReply,
  sessionUrl,
  storedBytes,
  type UploadSession,
  type UploadSteps,
} from "./steps.ts";

interface ResumableUpload {
  readonly services: VideoCallDeps;
  readonly upload: OpenUpload;
  readonly patience: UploadPatience;
  readonly steps: UploadSteps;
}

/**
 * Uploads chunk by chunk. After a cut it continues from what YouTube says it has stored.
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * @throws NetworkError or ServiceError `upload_stalled`, ServiceError `upload_expired`, `upload_lost` or
 * `upload_session_host`, and what YouTube's own errors become
 */
export async function uploadResumable(
  services: VideoCallDeps,
  upload: OpenUpload,
): Promise<unknown> {
  const { call, source, reportSent } = upload;
  // A session costs units, so a source that can't be read, or is too short, should fail before.
  await source.read(0);
  const patience = createPatience(services, call.signal);
  const steps = createSteps(services, upload, patience.leftMs);
  const resumable: ResumableUpload = { services, upload, patience, steps };
  let session = await begin(resumable);
  for (;;) {
    const isSending = session.isSure;
    const reply = await (isSending ? steps.send(session) : steps.ask(session));
    const answered = finalAnswer(reply);
    if (answered === undefined) {
      session.mayBeWhole ||= isSending && session.sentTo === source.bytes;
      session.isSure = false;
      await waitAgain(resumable, reply, session);
      continue;
    }
    switch (answerKind(answered)) {
      case "done":
        if (session.sentTo < source.bytes)
          throw unreadableAnswer(call, "a success before its time");
        reportSent(source.bytes);
        return readVideoAnswer(call, answered.response);
      case "stored": {
        const { hasMoved } = takeStored(resumable, session, answered);
        if (!hasMoved && (isSending || session.mayBeWhole)) {
          await waitAgain(resumable, reply, session);
        }
        break;
      }
      case "gone":
        if (session.mayBeWhole || !source.canRead(0)) throw uploadExpired(upload, session);
        await waitAgain(resumable, reply, session);
        session = await begin(resumable);
        break;
      case "refused":
        throw exchangeFailure(services, call, answered);
    }
  }
}

async function begin(resumable: ResumableUpload): Promise<UploadSession> {
  const { services, upload, steps } = resumable;
  const { call, encoded } = upload;
  for (;;) {
    const reply = await steps.begin();
    const answered = finalAnswer(reply);
    if (answered) {
      const { status, headers } = answered.response;
      if (status < 200 || status >= 300) throw exchangeFailure(services, call, answered);
      const askedUrl = uploadUrl(services, encoded, "resumable");
      const url = sessionUrl(call.method, headers.location, askedUrl);
      return { url, stored: 0, isSure: true, sentTo: 0, mayBeWhole: false };
    }
    // Repeated after a cut too, because a session without bytes leaves nothing behind.
    await waitAgain(resumable, reply);
  }
}

/** @throws NetworkError or ServiceError `upload_stalled` when there must be no other try. */
async function waitAgain(
  { services, upload, patience }: ResumableUpload,
  reply: StepReply,
  session?: UploadSession,
): Promise<void> {
  const headers = reply instanceof NetworkError ? undefined : reply.response.headers;
  const askedMs = retryAfterMs(headers?.["retry-after"], services.now());
  if (!(await patience.wait(askedMs))) throw uploadStalled(services, upload, { reply, session });
}

function takeStored(
  { upload, patience }: ResumableUpload,
  session: UploadSession,
  { response }: SignedExchange,
): { readonly hasMoved: boolean } {
  const { call, source, reportSent } = upload;
  const stored = storedBytes(response.headers.range);
  if (stored === undefined || stored > session.sentTo) {
    throw unreadableAnswer(call, "a range that nobody has sent");
  }
  // YouTube has stored less than before, and a stream can't be read again.
  if (!source.canRead(stored)) {
    throw new ServiceError(`${call.method}: what was sent is no longer stored`, {
      code: "upload_lost",
      facts: { method: call.method, storedBytes: stored },
    });
  }
  const hasMoved = stored > session.stored;
  session.stored = stored;
  session.mayBeWhole = stored === source.bytes;
  // If everything is stored but no result has come, YouTube is asked until it returns one.
  session.isSure = !session.mayBeWhole;
  if (hasMoved) patience.moved(stored);
  if (session.isSure) reportSent(stored);
  return { hasMoved };
}

function answerKind({
  response: { status },
}: SignedExchange): "done" | "stored" | "gone" | "refused" {
  if (status >= 200 && status < 300) return "done";
  if (status === 308) return "stored";
  return status === 404 || status === 410 ? "gone" : "refused";
}

/** Undefined where no answer came, or only a failure that passes. */
function finalAnswer(reply: StepReply): SignedExchange | undefined {
  if (reply instanceof NetworkError) return undefined;
  return reply.response.status >= 500 || retryReason(reply.response) ? undefined : reply;
}

/** For an upload without progress for too long. If the last failure is a limit of YouTube, that is the error. */
function uploadStalled(
  services: VideoCallDeps,
  { call, source }: OpenUpload,
  { reply, session }: { readonly reply: StepReply; readonly session: UploadSession | undefined },
): LimitError | NetworkError | ServiceError {
  const cause = reply instanceof NetworkError ? reply : exchangeFailure(services, call, reply);
  const isUnknown = session?.mayBeWhole ?? false;
  if (cause instanceof LimitError && !isUnknown) return cause;
  const Kind = reply instanceof NetworkError ? NetworkError : ServiceError;
  return new Kind(`${call.method} made no progress any more`, {
    code: "upload_stalled",
    outcome: isUnknown ? "unknown" : "nothing",
    facts: { method: call.method, sentBytes: session?.stored ?? 0, totalBytes: source.bytes },
    cause,
  });
}

/** The session is gone, and starting again is impossible or might upload twice. */
function uploadExpired({ call }: OpenUpload, { mayBeWhole }: UploadSession): ServiceError {
  return new ServiceError(`${call.method}: the session is gone`, {
    code: "upload_expired",
    outcome: mayBeWhole ? "unknown" : "nothing",
    facts: { method: call.method },
  });
}

/** An upload without progress for this long is given up, and so is one with ten failed tries in a row. */
const stallMs = 30 * 60_000;

type UploadPatience = ReturnType<typeof createPatience>;

function createPatience({ http, now }: Pick<VideoCallDeps, "http" | "now">, signal?: AbortSignal) {
  let failures = 0;
  let movedAt = now();
  let furthest = 0;
  /** Milliseconds until it is given up, if nothing more is stored. */
  const leftMs = () => movedAt + stallMs - now();
  return {
    leftMs,
    /** YouTube has stored more than before. */
    moved: (storedBytes: number) => {
      movedAt = now();
      // Bytes that are sent again don't reset the count, or a service that keeps losing them would be tried for ever.
      if (storedBytes > furthest) failures = 0;
      furthest = Math.max(furthest, storedBytes);
    },
    /** Waits for the next try; resolves with false when there must be none. */
    wait: (retryAfterMs: number | undefined) => {
      failures += 1;
      return http.backOff("upload", failures, { retryAfterMs, withinMs: leftMs(), signal });
    },
  };
}
