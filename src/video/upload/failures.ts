import { LimitError, NetworkError, ServiceError } from "../../errors.ts";
import { type ExchangeServices, failed } from "../exchange.ts";
import type { OpenUpload } from "./open-upload.ts";
import type { StepReply, UploadSession } from "./steps.ts";

/** Nothing has moved for too long. What the service asked for in the end is told as it is. */
export function stalled(
  services: ExchangeServices,
  { call, source }: OpenUpload,
  { reply, session }: { readonly reply: StepReply; readonly session: UploadSession | undefined },
): LimitError | NetworkError | ServiceError {
  const cause = reply instanceof NetworkError ? reply : failed(services, call, reply);
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

/** The session is gone, and beginning again is impossible, or might make it twice. */
export function expired({ call }: OpenUpload, { mayBeWhole }: UploadSession): ServiceError {
  return new ServiceError(`${call.method}: the session is gone`, {
    code: "upload_expired",
    outcome: mayBeWhole ? "unknown" : "nothing",
    facts: { method: call.method },
  });
}

/** The service holds less than before, and a stream does not run backwards. */
export function lost({ call }: OpenUpload, storedBytes: number): ServiceError {
  return new ServiceError(`${call.method}: what was sent is no longer stored`, {
    code: "upload_lost",
    facts: { method: call.method, storedBytes },
  });
}
