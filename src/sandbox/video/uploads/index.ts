export { type UploadKind, uploadKind } from "./kind.ts";
export { type Received, receive, uploadOf } from "./receive.ts";
export { continueUpload, type Session, sessionGone } from "./session.ts";
export { createSessions, type Sessions } from "./sessions.ts";
export { checkSize, checkType, createSink } from "./sink.ts";
