import type { youtube_v3 } from "@googleapis/youtube";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";
import type { Method } from "../../../src/video/index.ts";
import { type Asked, openPackage } from "./package-client.ts";

export type Youtube = youtube_v3.Youtube;

/** A fresh stand-in, and clients of the package for three people. */
export interface Stage {
  readonly server: VideoServer;
  /** Acts as the stand-in's own channel. */
  readonly owner: Youtube;
  /** Acts as another channel, @orbitnotes. */
  readonly other: Youtube;
  /** Has only a key. */
  readonly visitor: Youtube;
  /** Options for every upload: the package takes the origin of uploads only from here. */
  readonly upload: { readonly rootUrl: string };
  /** What the package has sent so far. */
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** One fact about a method that is shown through the package; it throws if the stand-in does not comply. */
export type Case = (stage: Stage) => Promise<void>;

/** Facts by method. */
export type Cases<M extends Method = Method> = Readonly<Record<M, Readonly<Record<string, Case>>>>;

const scopes = [
  "youtube",
  "youtube.force-ssl",
  "youtube.upload",
  "youtube.channel-memberships.creator",
];

export async function openStage(): Promise<Stage> {
  let otherId = "";
  const server: VideoServer = await startVideo({
    identify: (token) => {
      if (token === "owner-token") return { channelId: server.ownChannelId, scopes };
      return token === "other-token" ? { channelId: otherId, scopes } : undefined;
    },
  });
  const { origin } = new URL(server.url);
  const asked: Asked[] = [];
  const note = (one: Asked) => asked.push(one);
  const visitor = openPackage(origin, { key: server.key }, note);
  const found = await visitor.channels.list({ part: ["id"], forHandle: "@orbitnotes" });
  otherId = found.data.items?.[0]?.id ?? "";
  asked.length = 0;
  return {
    server,
    owner: openPackage(origin, { token: "owner-token" }, note),
    other: openPackage(origin, { token: "other-token" }, note),
    visitor,
    upload: { rootUrl: `${origin}/` },
    asked,
    close: server.close,
  };
}

interface PackageError extends Error {
  readonly status?: number;
  readonly response?: {
    readonly data: { readonly error: { readonly errors: readonly { reason: string }[] } };
  };
}

/** Status and reason of a call that must fail, like `404 videoNotFound`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error: PackageError = await call.then(
    () => new Error("the call went through"),
    (reason: PackageError) => reason,
  );
  if (error.response === undefined) throw error;
  return `${error.status} ${error.response.data.error.errors[0]?.reason}`;
}

/** Throws if the value is missing. */
export function present<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error("the answer lacks something");
  return value;
}

/** The ids of a list's items. */
export function idsOf(items: readonly { id?: string | null }[] | undefined): string[] {
  return (items ?? []).map(({ id }) => id ?? "");
}
