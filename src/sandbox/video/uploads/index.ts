export { type Received, receive, type UploadKind, uploadKind, uploadOf } from "./receive.ts";
export {
  continueUpload,
  createSessions,
  type Session,
  type Sessions,
  sessionGone,
} from "./session.ts";
export { checkSize, checkType, createSink } from "./sink.ts";
