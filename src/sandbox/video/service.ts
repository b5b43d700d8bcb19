import { type MethodSpec, methods } from "../../video/index.ts";
import type { ApiCall, UploadedMedia } from "./call.ts";
import { checkRequestBody } from "./check-body.ts";
import { type AcceptedCredentials, authoriseCaller, type Caller } from "./credentials.ts";
import type { StoredVideo, VideoState } from "./data/index.ts";
import { checkFields } from "./fields.ts";
import { type ApiQuery, readQuery } from "./query.ts";
import type { Quota } from "./quota.ts";
import { refusal } from "./refusal.ts";
import { type News, publishDue } from "./releases.ts";
import { type ApiReply, toReply } from "./reply.ts";
import { handlers } from "./resources/index.ts";
import {
  checkSize,
  checkType,
  continueUpload,
  createUploadSink,
  type ReceivedUpload,
  type ResumableSessions,
  readUploadSpec,
  receiveUpload,
  uploadKind,
} from "./uploads/index.ts";
import { type ApiRequest, mediaType } from "./video-request.ts";

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

export interface VideoService {
  readonly state: VideoState;
  readonly credentials: AcceptedCredentials;
  readonly quota: Quota;
  readonly sessions: ResumableSessions;
  readonly now: () => number;
  readonly onUpload: (upload: StoredUpload) => void;
  /** How far behind lists of comments are. */
  readonly late: { ms: number };
  /** Hears what writes and schedules did to public videos. */
  readonly news: News;
}

/** A request that was let in. */
interface AdmittedRequest {
  readonly name: MethodName;
  readonly methodSpec: MethodSpec;
  readonly caller: Caller;
  readonly query: ApiQuery;
  readonly request: ApiRequest;
}

/** One request: let in, charged, checked, done. Invalid requests are charged too; chunks of an upload are not. */
export async function serveMethod(
  service: VideoService,
  name: MethodName,
  request: ApiRequest,
): Promise<ApiReply> {
  const methodSpec: MethodSpec = methods[name];
  const uploadId = request.search.get("upload_id");
  if (uploadId !== null && methodSpec.media?.direction === "up") {
    const session = service.sessions.find(uploadId);
    if (session === undefined) throw refusal("sessionGone");
    return continueUpload(session, request);
  }
  const caller = authoriseCaller(methodSpec, request, service.credentials);
  service.quota.spend(methodSpec, caller.project);
  const kind = uploadKind(methodSpec, request);
  const query = readQuery(methodSpec, request.search);
  checkFields(request.search.get("fields"));
  const admitted = { name, methodSpec, caller, query, request };
  if (kind === "resumable") return openUpload(service, admitted);
  const received = await receiveUpload(methodSpec, kind, request);
  request.resource = received.body;
  return perform(service, admitted, { ...received, bytes: request.received() });
}

/** Everything but the file is checked now, before the client sends the file. */
async function openUpload(service: VideoService, admitted: AdmittedRequest): Promise<ApiReply> {
  const { methodSpec, query, request } = admitted;
  const spec = readUploadSpec(methodSpec);
  const { body } = await receiveUpload(
    { ...methodSpec, body: methodSpec.body ?? noFields },
    "none",
    request,
  );
  request.resource = body;
  checkRequestBody(methodSpec, body, query.list("part"));
  const type = checkType(spec, mediaType(header(request, "x-upload-content-type")));
  const total = declaredTotal(request);
  if (total !== undefined) checkSize(spec, total);
  const id = service.sessions.open({
    method: admitted.name,
    sink: createUploadSink(spec, type),
    total,
    openedAt: service.now(),
    received: 0,
    turn: 0,
    outcome: undefined,
    complete: (media, bytes) => {
      const reply = perform(service, admitted, { body, media, bytes });
      return reply.status === 200 && request.verb === "POST" ? { ...reply, status: 201 } : reply;
    },
  });
  const headers = { Location: sessionAddress(request, id), "X-GUploader-UploadID": id };
  return { status: 200, headers, body: undefined };
}

const noFields = { resource: "", fields: {} } as const;

/** The session is its own permission: no credential belongs into its address. */
function sessionAddress({ origin, path, search }: ApiRequest, id: string): string {
  const params = new URLSearchParams(search);
  for (const name of ["key", "access_token", "oauth_token"]) params.delete(name);
  params.set("upload_id", id);
  return `${origin}${path}?${params}`;
}

function perform(
  service: VideoService,
  { name, methodSpec, caller, query, request }: AdmittedRequest,
  { body, media, bytes }: ReceivedUpload & { readonly bytes: number },
): ApiReply {
  checkRequestBody(methodSpec, body, query.list("part"));
  const { state } = service;
  const now = service.now();
  for (const video of publishDue(state, now)) service.news.published(video);
  const before = name.startsWith("videos.") ? findPublicVideo(state, body, query) : undefined;
  const content = handlers[name]({
    state,
    query,
    body,
    media,
    viewer: caller.channelId,
    ifMatch: request.headers["if-match"],
    now,
    origin: request.origin,
    lateMs: service.late.ms,
  } satisfies ApiCall);
  if (methodSpec.effect !== "read" && name.startsWith("videos."))
    service.news.written(before, content);
  if (media !== undefined) service.onUpload(toStored(name, media, bytes));
  return toReply(content, request);
}

/** The video that a write is about, as long as everybody sees it. */
function findPublicVideo(
  { videos }: VideoState,
  body: ReceivedUpload["body"],
  query: ApiQuery,
): StoredVideo | undefined {
  const video = videos.get(query.text("id") ?? String(body.id ?? ""));
  return video?.privacy === "public" ? video : undefined;
}

function toStored(name: MethodName, media: UploadedMedia, received: number): StoredUpload {
  const { type, size, hash } = media;
  return { method: name, type, size, hash, received };
}

/** Undefined when the client does not know yet how long the file is. */
function declaredTotal(request: ApiRequest): number | undefined {
  const declared = header(request, "x-upload-content-length");
  return declared !== undefined && /^\d+$/.test(declared) ? Number(declared) : undefined;
}

function header({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
