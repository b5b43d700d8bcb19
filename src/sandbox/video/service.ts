import { type MethodSpec, methods } from "../../video/index.ts";
import { bodyTooLarge, fixedError } from "./api-error.ts";
import { checkRequestBody } from "./check-body.ts";
import { type AcceptedCredentials, authoriseCaller, type Caller } from "./credentials.ts";
import type { VideoState } from "./data/index.ts";
import { parseFields } from "./fields.ts";
import { textAt } from "./json-body.ts";
import { type ApiQuery, readQuery } from "./query.ts";
import type { Quota } from "./quota.ts";
import { type News, playDue } from "./releases.ts";
import { toReply } from "./reply.ts";
import { handlers } from "./resources/index.ts";
import {
  checkType,
  createUploadSink,
  findUploadKind,
  type ReceivedUpload,
  receiveJson,
  receiveUpload,
  requireMediaSpec,
} from "./uploads/receive.ts";
import { continueUpload, type ResumableSessions } from "./uploads/session.ts";
import type { ApiRequest, MethodName } from "./video-request.ts";

/** A file that was received as a whole, by a method that succeeded. */
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
  readonly uploads: StoredUpload[];
  /** How far behind lists of comments are. */
  lateMs: number;
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
): Promise<Response> {
  const methodSpec: MethodSpec = methods[name];
  const uploadId = request.search.get("upload_id");
  if (uploadId !== null && methodSpec.media?.direction === "up") {
    const session = service.sessions.find(uploadId);
    if (session !== undefined) return continueUpload(session, request);
    throw fixedError("sessionGone");
  }
  const caller = authoriseCaller(methodSpec, request, service.credentials);
  service.quota.spend(methodSpec, caller.project);
  const kind = findUploadKind(methodSpec, request);
  const query = readQuery(methodSpec, request.search);
  // Refused before anything is done.
  parseFields(request.search.get("fields"));
  const admitted = { name, methodSpec, caller, query, request };
  if (kind === "resumable") return openUpload(service, admitted);
  const received = await receiveUpload(methodSpec, kind, request);
  request.resource = received.body;
  return perform(service, admitted, { ...received, bytes: request.received() });
}

/** Everything but the file is checked now, before the client sends the file. */
async function openUpload(service: VideoService, admitted: AdmittedRequest): Promise<Response> {
  const { methodSpec, query, request } = admitted;
  const { headers, origin, path } = request;
  const media = requireMediaSpec(methodSpec);
  const body = await receiveJson(true, request);
  request.resource = body;
  checkRequestBody(methodSpec, body, query.list("part"));
  const type = checkType(media, headers["x-upload-content-type"]?.toString());
  // Clients may not know yet how long the file is.
  const declared = headers["x-upload-content-length"]?.toString() ?? "";
  const total = /^\d+$/.test(declared) ? Number(declared) : undefined;
  if (total !== undefined && total > media.maxBytes) throw bodyTooLarge(media.maxBytes);
  const id = service.sessions.open({
    method: admitted.name,
    sink: createUploadSink(media, type),
    total,
    openedAt: service.now(),
    received: 0,
    turn: 0,
    outcome: undefined,
    complete: (uploaded, bytes) => {
      const reply = perform(service, admitted, { body, media: uploaded, bytes });
      if (reply.status !== 200 || request.verb !== "POST") return reply;
      return new Response(reply.body, { status: 201, headers: reply.headers });
    },
  });
  // The session is its own permission: no credential belongs into its address.
  const params = new URLSearchParams(request.search);
  for (const name of ["key", "access_token", "oauth_token"]) params.delete(name);
  params.set("upload_id", id);
  const address = `${origin}${path}?${params}`;
  return new Response(null, { headers: { Location: address, "X-GUploader-UploadID": id } });
}

function perform(
  service: VideoService,
  { name, methodSpec, caller, query, request }: AdmittedRequest,
  { body, media, bytes }: ReceivedUpload & { readonly bytes: number },
): Response {
  checkRequestBody(methodSpec, body, query.list("part"));
  const { state } = service;
  const now = service.now();
  for (const video of playDue(state, now)) service.news.published(video);
  const id = query.text("id") ?? textAt(body, "id") ?? "";
  const video = name.startsWith("videos.") ? state.videos.get(id) : undefined;
  const before = video?.privacy === "public" ? video : undefined;
  const content = handlers[name]({
    state,
    query,
    body,
    id,
    media,
    viewer: caller.channelId,
    ifMatch: request.headers["if-match"],
    now,
    origin: request.origin,
    lateMs: service.lateMs,
  });
  if (methodSpec.effect !== "read" && name.startsWith("videos.")) {
    service.news.written(before, content);
  }
  if (media !== undefined) {
    const { type, size, hash } = media;
    service.uploads.push({ method: name, type, size, hash, received: bytes });
  }
  return toReply(content, request);
}
