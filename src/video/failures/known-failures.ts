import { channelFailures } from "./channels.ts";
import { commentFailures } from "./comments.ts";
import { credentialFailures } from "./credentials.ts";
import {
  access,
  connect,
  input,
  type Known,
  type KnownFailures,
  service,
  snakeCase,
} from "./known.ts";
import { oauthFailures } from "./oauth.ts";
import { playlistFailures } from "./playlists.ts";
import { requestFailures } from "./requests.ts";
import { videoFailures } from "./videos.ts";

const all: ReadonlyMap<string, Known> = new Map(
  [
    credentialFailures,
    oauthFailures,
    requestFailures,
    commentFailures,
    playlistFailures,
    channelFailures,
    videoFailures,
  ].flatMap((table: KnownFailures) => Object.entries(table)),
);

/** A failure with its code. */
export type Named = Known & { readonly code: string };

/** What a reason stands for: as it is meant with this status, then by this method, then alone. */
export function known(reason: string, status: number, method: string): Named | undefined {
  const found = all.get(`${reason} ${status}`) ?? all.get(`${reason} ${method}`) ?? all.get(reason);
  if (found !== undefined) return { code: snakeCase(reason), ...found };
  // The service adds reasons without notice; this ending always means the same.
  if (/NotFound$/.test(reason)) return { ...input(notFound(reason)), code: snakeCase(reason) };
  return undefined;
}

/** What a status stands for, where the reason is unknown or missing. */
export function knownByStatus(status: number, reason?: string): Named {
  const code = reason === undefined ? undefined : snakeCase(reason);
  if (status === 401) {
    return named(
      connect("The link to the channel no longer works. Link the channel again."),
      "auth",
    );
  }
  if (status === 403) {
    return named(access("The account has no right to do that."), code ?? "forbidden");
  }
  if (status === 404 || status === 410) {
    return named(input("It can't be found. It may be private or deleted."), code ?? "not_found");
  }
  if (status === 413) return named(input("That is too large. Send less."), code ?? "too_large");
  if (status >= 400 && status < 500) {
    return named(
      input("The video service did not accept that. Check what was entered."),
      code ?? "invalid_parameter",
    );
  }
  if (status >= 500) {
    return named(
      service("The video service has trouble right now. Try again in a few minutes."),
      "service_unavailable",
    );
  }
  return named(
    service(
      "The video service answered in an unexpected way. Ask whoever manages this server to check the API key and its settings.",
    ),
    "unexpected_answer",
  );
}

function named(told: Known, code: string): Named {
  return { ...told, code };
}

/** `playlistItemNotFound` -> "playlist item". */
function notFound(reason: string): string {
  const noun = snakeCase(reason.replace(/NotFound$/, "")).replaceAll("_", " ");
  return `That ${noun} can't be found. It may be private or deleted.`;
}
