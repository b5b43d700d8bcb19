import { NetworkError } from "../../errors.ts";
import { retryAfterMs } from "../../http/index.ts";
import { answerOf, unreadable } from "../answer.ts";
import { type Exchange, failed } from "../exchange.ts";
import { isThrottled } from "../failures/failure.ts";
import { expired, lost, stalled } from "./failures.ts";
import { type OpenUpload, type UploadServices, uploadUrl } from "./open-upload.ts";
import { createPatience, type Patience } from "./patience.ts";
import { sessionUrl, storedBytes } from "./session.ts";
import { createSteps, type StepReply, type UploadSession, type UploadSteps } from "./steps.ts";

interface Resuming {
  readonly services: UploadServices;
  readonly upload: OpenUpload;
  readonly patience: Patience;
  readonly steps: UploadSteps;
}

/**
 * Uploads chunk by chunk, and after whatever cut goes on with what the service says it holds.
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * @throws NetworkError or ServiceError `upload_stalled`, ServiceError `upload_expired`, `upload_lost` or
 * `upload_session_host`, and what the service's refusals translate to
 */
export async function uploadResumable(
  services: UploadServices,
  upload: OpenUpload,
): Promise<unknown> {
  const { call, source, progress } = upload;
  // A session costs units: a source that can't be read, or is shorter than was said, is to show before.
  await source.read(0);
  const patience = createPatience(services, call.signal);
  const steps = createSteps(services, upload, patience.leftMs);
  const resuming: Resuming = { services, upload, patience, steps };
  let session = await begin(resuming);
  for (;;) {
    const isSending = session.isSure;
    const reply = await (isSending ? steps.send(session) : steps.ask(session));
    const answered = answeredIn(reply);
    if (answered === undefined) {
      session.mayBeWhole ||= isSending && session.sentTo === source.bytes;
      session.isSure = false;
      await waitAgain(resuming, reply, session);
      continue;
    }
    switch (kindOf(answered)) {
      case "done":
        if (session.sentTo < source.bytes) throw unreadable(call, "a success before its time");
        progress.reach(source.bytes);
        return answerOf(call, answered.response);
      case "stored": {
        const { hasMoved } = takeStored(resuming, session, answered);
        if (!hasMoved && (isSending || session.mayBeWhole)) {
          await waitAgain(resuming, reply, session);
        }
        break;
      }
      case "gone":
        if (session.mayBeWhole || !source.canRead(0)) throw expired(upload, session);
        await waitAgain(resuming, reply, session);
        session = await begin(resuming);
        break;
      case "refused":
        throw failed(services, call, answered);
    }
  }
}

async function begin(resuming: Resuming): Promise<UploadSession> {
  for (;;) {
    const reply = await resuming.steps.begin();
    const answered = answeredIn(reply);
    if (answered) return sessionOf(resuming, answered);
    // Repeated after a cut too: a session without bytes leaves nothing behind.
    await waitAgain(resuming, reply);
  }
}

/** @throws NetworkError or ServiceError `upload_stalled` when there must be no other try. */
async function waitAgain(
  { services, upload, patience }: Resuming,
  reply: StepReply,
  session?: UploadSession,
): Promise<void> {
  const asked = reply instanceof NetworkError ? undefined : waitIn(services, reply);
  if (!(await patience.miss(asked))) throw stalled(services, upload, { reply, session });
}

/** Takes over how much the service says it holds. */
function takeStored(
  { upload, patience }: Resuming,
  session: UploadSession,
  { response }: Exchange,
): { readonly hasMoved: boolean } {
  const { call, source, progress } = upload;
  const stored = storedBytes(response.headers.range);
  if (stored === undefined || stored > session.sentTo) {
    throw unreadable(call, "a range that nobody has sent");
  }
  if (!source.canRead(stored)) throw lost(upload, stored);
  const hasMoved = stored > session.stored;
  session.stored = stored;
  session.mayBeWhole = stored === source.bytes;
  // Holding all of it without a word on the result: it is asked for until there is one.
  session.isSure = !session.mayBeWhole;
  if (hasMoved) patience.moved(stored);
  if (session.isSure) progress.reach(stored);
  return { hasMoved };
}

function kindOf({ response: { status } }: Exchange): "done" | "stored" | "gone" | "refused" {
  if (status >= 200 && status < 300) return "done";
  if (status === 308) return "stored";
  return status === 404 || status === 410 ? "gone" : "refused";
}

/** Undefined for a miss: nothing came, or only trouble that passes. */
function answeredIn(reply: StepReply): Exchange | undefined {
  if (reply instanceof NetworkError) return undefined;
  return reply.response.status >= 500 || isThrottled(reply.response) ? undefined : reply;
}

function waitIn({ now }: UploadServices, { response }: Exchange): number | undefined {
  return retryAfterMs(response.headers["retry-after"], now());
}

function sessionOf({ services, upload }: Resuming, answered: Exchange): UploadSession {
  const { call, encoded } = upload;
  const { status, headers } = answered.response;
  if (status < 200 || status >= 300) throw failed(services, call, answered);
  const url = sessionUrl(call.method, headers.location, uploadUrl(services, encoded, "resumable"));
  return { url, stored: 0, isSure: true, sentTo: 0, mayBeWhole: false };
}
