import { LimitError, NetworkError, ServiceError } from "../../errors.ts";
import type { CallServices } from "../call.ts";
import { failed } from "../exchange.ts";
import type { Reply, Session } from "./steps.ts";
import type { OpenUpload } from "./upload.ts";

const maybeThere = "The upload may have arrived all the same: look for it before you try again.";

/** Nothing has moved for too long. What the service asked for in the end is told as it is. */
export function stalled(
  services: CallServices,
  { call, source }: OpenUpload,
  { reply, session }: { readonly reply: Reply; readonly session: Session | undefined },
): LimitError | NetworkError | ServiceError {
  const cause = reply instanceof NetworkError ? reply : failed(services, call, reply);
  const isUnknown = session?.mayBeWhole ?? false;
  if (cause instanceof LimitError && !isUnknown) return cause;
  const Kind = reply instanceof NetworkError ? NetworkError : ServiceError;
  return new Kind(`${call.method} made no progress any more`, {
    code: "upload_stalled",
    hint: isUnknown ? maybeThere : "The upload did not get through. Try again later.",
    outcome: isUnknown ? "unknown" : "nothing",
    facts: { method: call.method, sentBytes: session?.stored ?? 0, totalBytes: source.bytes },
    cause,
  });
}

/** The session is gone, and beginning again is impossible, or might make it twice. */
export function expired({ call }: OpenUpload, { mayBeWhole }: Session): ServiceError {
  return new ServiceError(`${call.method}: the session is gone`, {
    code: "upload_expired",
    hint: mayBeWhole ? maybeThere : "The upload was interrupted for too long. Upload it again.",
    outcome: mayBeWhole ? "unknown" : "nothing",
    facts: { method: call.method },
  });
}

/** The service holds less than before, and a stream does not run backwards. */
export function lost({ call }: OpenUpload, storedBytes: number): ServiceError {
  return new ServiceError(`${call.method}: what was sent is no longer stored`, {
    code: "upload_lost",
    hint: "The video service lost a part of the upload, and this source can't be read twice. Upload it again.",
    facts: { method: call.method, storedBytes },
  });
}
