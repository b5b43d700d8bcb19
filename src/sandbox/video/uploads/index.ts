export { type ReceivedUpload, receiveUpload, uploadKind, uploadOf } from "./receive.ts";
export {
  continueUpload,
  createResumableSessions,
  type ResumableSessions,
} from "./session.ts";
export { checkSize, checkType, createUploadSink } from "./sink.ts";
