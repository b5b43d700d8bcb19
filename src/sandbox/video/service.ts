import { type MethodSpec, methods } from "../../video/index.ts";
import type { Call, UploadedMedia } from "./call.ts";
import { checkBody } from "./check-body.ts";
import { authorise, type Caller, type Credentials } from "./credentials.ts";
import { checkFields } from "./fields.ts";
import { type Incoming, mediaType } from "./incoming.ts";
import { type Query, readQuery } from "./query.ts";
import type { Quota } from "./quota.ts";
import { type News, publishDue } from "./releases.ts";
import { type Reply, toReply } from "./reply.ts";
import { handlers } from "./resources/index.ts";
import {
  checkSize,
  checkType,
  continueUpload,
  createSink,
  type Received,
  receive,
  type Sessions,
  sessionGone,
  uploadKind,
  uploadOf,
} from "./uploads/index.ts";
import type { Video, World } from "./world/index.ts";

export type MethodName = keyof typeof methods;

/** A file that was taken in whole, and by a method that did its work with it. */
export interface StoredUpload {
  readonly method: MethodName;
  readonly type: string;
  readonly size: number;
  /** Hexadecimal SHA-256. */
  readonly hash: string;
  /** Bytes that came in for it, those that came more than once counted each time. */
  readonly received: number;
}

export interface Service {
  readonly world: World;
  readonly credentials: Credentials;
  readonly quota: Quota;
  readonly sessions: Sessions;
  readonly now: () => number;
  readonly onUpload: (upload: StoredUpload) => void;
  /** How far behind lists of comments are. */
  readonly late: { ms: number };
  /** Hears what writes and schedules did to public videos. */
  readonly news: News;
}

/** A request that was let in. */
interface Admitted {
  readonly name: MethodName;
  readonly row: MethodSpec;
  readonly caller: Caller;
  readonly query: Query;
  readonly incoming: Incoming;
}

/** One request: let in, charged, checked, done. Invalid requests are charged too; chunks of an upload are not. */
export async function serve(
  service: Service,
  name: MethodName,
  incoming: Incoming,
): Promise<Reply> {
  const row: MethodSpec = methods[name];
  const uploadId = incoming.search.get("upload_id");
  if (uploadId !== null && row.media?.direction === "up") {
    const session = service.sessions.find(uploadId);
    if (session === undefined) throw sessionGone();
    return continueUpload(session, incoming);
  }
  const caller = authorise(row, incoming, service.credentials);
  service.quota.spend(row, caller.project);
  const kind = uploadKind(row, incoming);
  const query = readQuery(row, incoming.search);
  checkFields(incoming.search.get("fields"));
  const admitted = { name, row, caller, query, incoming };
  if (kind === "resumable") return openUpload(service, admitted);
  const received = await receive(row, kind, incoming);
  incoming.resource = received.body;
  return perform(service, admitted, { ...received, bytes: incoming.received() });
}

/** Everything but the file is checked now, so that nobody sends one in vain. */
async function openUpload(service: Service, admitted: Admitted): Promise<Reply> {
  const { row, query, incoming } = admitted;
  const spec = uploadOf(row);
  const { body } = await receive({ ...row, body: row.body ?? noFields }, "none", incoming);
  incoming.resource = body;
  checkBody(row, body, query.list("part"));
  const type = checkType(spec, mediaType(header(incoming, "x-upload-content-type")));
  const total = declaredTotal(incoming);
  if (total !== undefined) checkSize(spec, total);
  const id = service.sessions.open({
    method: admitted.name,
    sink: createSink(spec, type),
    total,
    openedAt: service.now(),
    received: 0,
    turn: 0,
    outcome: undefined,
    complete: (media, bytes) => {
      const reply = perform(service, admitted, { body, media, bytes });
      return reply.status === 200 && incoming.verb === "POST" ? { ...reply, status: 201 } : reply;
    },
  });
  const headers = { Location: sessionAddress(incoming, id), "X-GUploader-UploadID": id };
  return { status: 200, headers, body: undefined };
}

const noFields = { resource: "", fields: {} } as const;

/** The session is its own permission: no credential belongs into its address. */
function sessionAddress({ origin, path, search }: Incoming, id: string): string {
  const kept = new URLSearchParams(search);
  for (const name of ["key", "access_token", "oauth_token"]) kept.delete(name);
  kept.set("upload_id", id);
  return `${origin}${path}?${kept}`;
}

function perform(
  service: Service,
  { name, row, caller, query, incoming }: Admitted,
  { body, media, bytes }: Received & { readonly bytes: number },
): Reply {
  checkBody(row, body, query.list("part"));
  const { world } = service;
  const now = service.now();
  for (const video of publishDue(world, now)) service.news.published(video);
  const before = name.startsWith("videos.") ? publicOf(world, body, query) : undefined;
  const content = handlers[name]({
    world,
    query,
    body,
    media,
    viewer: caller.channelId,
    ifMatch: incoming.headers["if-match"],
    now,
    origin: incoming.origin,
    lateMs: service.late.ms,
  } satisfies Call);
  if (row.effect !== "read" && name.startsWith("videos.")) service.news.written(before, content);
  if (media !== undefined) service.onUpload(toStored(name, media, bytes));
  return toReply(content, incoming);
}

/** The video that a write is about, as long as everybody sees it. */
function publicOf({ videos }: World, body: Received["body"], query: Query): Video | undefined {
  const video = videos.get(query.text("id") ?? String(body.id ?? ""));
  return video?.privacy === "public" ? video : undefined;
}

function toStored(name: MethodName, media: UploadedMedia, received: number): StoredUpload {
  const { type, size, hash } = media;
  return { method: name, type, size, hash, received };
}

/** Undefined when the client does not know yet how long the file is. */
function declaredTotal(incoming: Incoming): number | undefined {
  const declared = header(incoming, "x-upload-content-length");
  return declared !== undefined && /^\d+$/.test(declared) ? Number(declared) : undefined;
}

function header({ headers }: Incoming, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
